# SPDX-License-Identifier: MIT
"""A table as a pandas.DataFrame, with nothing but pandas and its numpy."""
import ctypes

_KINDS = {"l": ("int64", ctypes.c_int64), "g": ("float64", ctypes.c_double), "i": ("int32", ctypes.c_int32)}
_MOMENT, _SPAN = "tsn:UTC", "tDn"


class _Growing:
    """A column that batches are appended to."""

    def __init__(self, name, form):
        self.name, self.form = name, form
        self.parts, self.masks, self.known = [], [], {}

    def add(self, numpy, column):
        if self.form == "u":
            self.parts.append(numpy.array(column.lines() or [], dtype=object))
        else:
            dtype, kind = _KINDS.get(self.form, _KINDS["l"])
            values = numpy.frombuffer(column.buffer(1, column.rows, kind), dtype=dtype).copy()
            if column.texts is not None and column.texts:  # numbers of other dictionaries become those of one
                keys = [self.known.setdefault(text, len(self.known)) for text in column.texts]
                values = numpy.array(keys, dtype="int32")[values]
            self.parts.append(values)
        mask = column.mask()
        if mask is None:
            self.masks.append(numpy.zeros(column.rows, dtype=bool))
        else:
            bits = numpy.unpackbits(numpy.frombuffer(mask, dtype="uint8"), bitorder="little")
            self.masks.append(bits[:column.rows] == 0)

    def finish(self, pandas, numpy):
        dtype = "object" if self.form == "u" else _KINDS.get(self.form, _KINDS["l"])[0]
        values = numpy.concatenate(self.parts) if self.parts else numpy.array([], dtype=dtype)
        missing = numpy.concatenate(self.masks) if self.masks else numpy.array([], dtype=bool)
        self.parts = self.masks = None
        if self.form == "i":
            values[missing] = -1
            return pandas.Categorical.from_codes(values, categories=list(self.known))
        if self.form == "u":
            values[missing] = None
            return values
        if self.form in (_MOMENT, _SPAN):
            values = values.view("datetime64[ns]" if self.form == _MOMENT else "timedelta64[ns]")
            values[missing] = "NaT"
            return pandas.Series(values).dt.tz_localize("UTC") if self.form == _MOMENT else values
        if not missing.any():
            return values
        if self.form == "g":
            values[missing] = numpy.nan
            return values
        return pandas.arrays.IntegerArray(values, missing)


def frame(pandas, numpy, batches):
    columns = [_Growing(name, form) for name, form in next(batches)]
    for batch in batches:
        for growing, column in zip(columns, batch):
            growing.add(numpy, column)
    return pandas.DataFrame({each.name: each.finish(pandas, numpy) for each in columns}, copy=False)
