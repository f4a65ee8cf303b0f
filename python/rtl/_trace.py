# SPDX-License-Identifier: MIT
"""Traces and their tables."""
import html
import operator
import os
import shutil
import tempfile
import warnings
from typing import Any, Dict, List, Optional, Sequence, Union

from . import _command, _read
from ._read import Error

Path = Union[str, bytes, "os.PathLike[str]"]
Source = Union[int, Path, Sequence[Path]]
_CONDITIONS = ("name", "rank", "gpu", "during", "start", "stop")
_MOST = {"rank": 2**31 - 1, "gpu": 2**31 - 1, "start": 2**63 - 1, "stop": 2**63 - 1}  # as the library takes them


def _checked(table: str, wish: str, value: Any) -> Any:
    """The value of a condition as the library takes it."""
    if wish == "datetimes":
        return bool(value)
    if wish == "columns":
        if isinstance(value, (str, bytes)) or not all(isinstance(each, str) for each in value):
            raise TypeError(f"columns has to be a list of names, not {value!r}")
        names = list(value)
        if not names:
            raise Error(f"{table}: columns is empty")
        return names
    if wish in ("name", "during"):
        if not isinstance(value, str):
            raise TypeError(f"{wish} has to be a str, not {value!r}")
        if "\0" in value or (wish == "during" and not value):
            raise Error(f"{table}: {wish} cannot be {value!r}")
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # start=2e9
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{wish} has to be an int, not {value!r}") from None
    if not 0 <= number <= _MOST[wish]:
        raise Error(f"{table}: {wish} cannot be {number}")
    return number


class Table:
    """A table of a trace, read when it is needed. `where` narrows it; `to_…` and the Arrow interface read it.

    Times are int nanoseconds of the host's CLOCK_BOOTTIME, durations nanoseconds, sizes bytes; `columns` has the
    unit and the meaning of each column. With `datetimes`, times are those of the wall clock, in UTC.
    """

    def __init__(self, trace: "Trace", table: str, wishes: Dict[str, Any]) -> None:
        self._trace, self.name, self._wishes = trace, table, wishes

    @property
    def columns(self) -> Dict[str, Dict[str, str]]:
        """{column: {"type", "unit", "description"}} of the columns that this table hands out."""
        known = {name: {"type": kind, "unit": unit, "description": text}
                 for name, kind, unit, text in _read.descriptions()[self.name][1]}
        return {name: known[name] for name in self._wishes.get("columns") or known if name in known}

    def where(self, *, name: Optional[str] = None, rank: Optional[int] = None, gpu: Optional[int] = None,
              during: Optional[str] = None, start: Optional[int] = None, stop: Optional[int] = None,
              columns: Optional[Sequence[str]] = None, datetimes: Optional[bool] = None) -> "Table":
        """The rows that fulfil all conditions, as a new table; nothing is read yet.

        name       as in a shell: "gemm*", "*Reduce*"
        rank, gpu  of the process's rank in the job; of the GPU's number in the trace
        during     rows that overlap a ROCTx range of this name
        start      rows from this time on; in ns since the first process began
        stop       rows before this time; in ns since the first process began
        columns    these columns, in this order
        datetimes  True: times as timestamps, durations as such
        """
        wishes = dict(self._wishes)
        given = {"name": name, "rank": rank, "gpu": gpu, "during": during, "start": start, "stop": stop,
                 "columns": columns, "datetimes": datetimes}
        for wish, value in given.items():
            if value is None:
                continue
            value = _checked(self.name, wish, value)
            if wish in _CONDITIONS and wishes.get(wish, value) != value:
                raise Error(f"{self.name}: {wish} is {wishes[wish]!r} already, and cannot be {value!r}, too")
            wishes[wish] = value
        return Table(self._trace, self.name, wishes)

    def _stream(self):
        return self._trace._handle().stream(self.name, **self._wishes)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The Arrow PyCapsule interface: PyArrow, Polars, DuckDB, pandas and nanoarrow read the table by it."""
        del requested_schema  # the interface leaves it to the producer
        return _read.capsule(self._stream())

    def to_arrow(self) -> Any:
        """A pyarrow.Table; names are dictionaries."""
        pyarrow = needed("pyarrow", "to_arrow")
        with pyarrow.RecordBatchReader.from_stream(self) as reader:
            return reader.read_all().unify_dictionaries()

    def to_polars(self) -> Any:
        """A polars.DataFrame; names are categorical."""
        return needed("polars", "to_polars").DataFrame(self)

    def to_duckdb(self, connection: Any = None) -> Any:
        """A relation of DuckDB, in `connection` or in DuckDB's own. The relation holds a copy of the table."""
        duckdb = needed("duckdb", "to_duckdb")
        return (connection or duckdb).from_arrow(self.to_arrow())

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: names are categorical; a column with missing values is one of pandas' Int64."""
        pandas = needed("pandas", "to_pandas")
        import numpy  # comes with pandas
        from . import _pandas
        return _pandas.frame(pandas, numpy, _read.batches(self._stream()))

    def to_pylist(self) -> List[Dict[str, Any]]:
        """A dictionary for each row, with times as int, also with `datetimes`. For small tables."""
        return self._rows()

    def _rows(self, most: Optional[int] = None) -> List[Dict[str, Any]]:
        names, kinds = None, {"l": _read.ctypes.c_int64, "g": _read.ctypes.c_double, "i": _read.ctypes.c_int32}
        rows = []
        for batch in _read.batches(self._stream()):
            if names is None:
                names = [name for name, _ in batch]
                continue
            columns = []
            for column in batch:
                if column.format == "u":
                    values = column.lines()
                else:
                    values = list(column.buffer(1, column.rows, kinds.get(column.format, _read.ctypes.c_int64)))
                mask = column.mask()
                if column.texts is not None:
                    values = [column.texts[each] if column.texts else None for each in values]
                if mask is not None:
                    values = [each if mask[i // 8] >> i % 8 & 1 else None for i, each in enumerate(values)]
                columns.append(values)
            rows += [dict(zip(names, each)) for each in zip(*columns)]
            if most is not None and len(rows) >= most:
                return rows[:most]
        return rows

    def _repr_html_(self) -> str:
        shown = 10
        rows = self._rows(shown + 1)
        more = "<p>and more; to_pandas(), to_arrow(), to_polars() and to_duckdb() have all</p>"
        return (f"<h4>{html.escape(repr(self)[1:-1])}</h4>" + _results().rows_html(rows[:shown])
                + (more if len(rows) > shown else ""))

    def __repr__(self) -> str:
        wishes = ", ".join(f"{wish}={value!r}" for wish, value in self._wishes.items())
        return f"<table {self.name} of {self._trace.name}{': ' + wishes if wishes else ''}>"


def _results():
    from . import _results as results  # which imports this module
    return results


def needed(module, method):
    try:
        return __import__(module)
    except ImportError:
        raise Error(f"{method} needs the package {module}, which is not installed") from None


def _table(name: str) -> Any:
    def get(trace: "Trace") -> Table:
        return Table(trace, name, {})
    return property(get, doc=f"The table `{name}`; its `columns` have their units and meanings.")


class Trace:
    """A trace: its tables as attributes, and what the verbs of `rtl` say about it. Made by rtl.open."""

    def __init__(self, files: Sequence[Any], folder: Optional[str] = None) -> None:
        self._folder, self._process = folder, os.getpid()
        self._files = [os.path.abspath(each) for each in files]
        self._given = files[0] if len(files) == 1 and os.path.isfile(files[0]) else None
        self.name = os.fspath(files[0]) + (f" and {len(files) - 1} more" if len(files) > 1 else "")
        try:
            self._open: Optional[_read.Handle] = _read.Handle(files)
        except BaseException:
            self._remove_folder()
            raise
        self.notes: List[str] = self._open.notes()
        for note in self.notes:
            warnings.warn(f"{self.name}: {note}", stacklevel=3)

    kernels, calls, copies, barriers = _table("kernels"), _table("calls"), _table("copies"), _table("barriers")
    ranges, events, counters, samples = _table("ranges"), _table("events"), _table("counters"), _table("samples")
    operators = _table("operators")
    gpus, processes, threads, losses = _table("gpus"), _table("processes"), _table("threads"), _table("losses")

    @property
    def tables(self) -> Dict[str, Table]:
        """All tables by name."""
        return {name: Table(self, name, {}) for name in _read.descriptions()}

    @property
    def database(self) -> str:
        """The path of the SQLite database: the file itself, or one in TMPDIR that goes with the trace."""
        path = self._handle().database()
        if path is None:
            raise Error(f"{self.name}: a dataset of Parquet files has tables; for questions about it there is rtl fleet")
        return path

    def path_for_command(self) -> str:
        """What the command may be given for the trace: the name that the user gave, while it leads to the database."""
        path = self.database
        return self._given if self._given is not None and os.path.abspath(self._given) == path else path

    def __reduce__(self) -> Any:
        """A copy, and what another process gets, is the same files opened once more."""
        self._handle()
        if self._folder is not None:
            raise TypeError(f"{self.name}: what a ring holds cannot be handed to another process")
        return open, (self._files,)

    def _handle(self):
        if self._open is None:
            raise Error(f"{self.name}: the trace is closed")
        return self._open

    def _remove_folder(self):
        if self._folder is not None and self._process == os.getpid():  # a forked child has it as well
            shutil.rmtree(self._folder, ignore_errors=True)

    def close(self) -> None:
        """Closes the trace. Tables that are being read are read to their end."""
        if self._open is not None:
            self._open.close()
            self._open = None
            self._remove_folder()

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<trace {self.name}>"

    def _repr_html_(self) -> str:
        if self._open is None:
            return html.escape(repr(self))
        if self._open.database() is None:
            return f"<h4>{html.escape(self.name)}</h4>" + _results().rows_html(self.processes.to_pylist())
        return _results().analyze(self).verdict_html() + _results().report(self)._repr_html_()


def open(source: Source) -> Trace:  # pylint: disable=redefined-builtin
    """Opens a trace: a database of `rtl`, a trace that rtl imports, a dataset, a list of them, or a process.

    source  a path; a list of paths, which are merged as by `rtl merge`; the folder of a dataset, which
            `rtl convert --to parquet` made; or the pid (int) of a process that `rtl trace --ring` records: the trace is
            what its ring holds now

    What the trace lacks, such as a rank of a dataset that is not complete, is a warning, and in `notes`.
    """
    if isinstance(source, bool) or not (isinstance(source, (int, os.PathLike)) or hasattr(source, "__iter__")):
        raise TypeError(f"rtl.open takes a path, a list of paths or a pid, not {source!r}")
    if isinstance(source, int):
        folder = tempfile.mkdtemp(prefix="rtl-ring-")
        output = os.path.join(folder, "ring.db")
        try:
            _command.run("dump", str(source), "-o", output)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return Trace([output], folder)
    files = [source] if isinstance(source, (str, bytes, os.PathLike)) else list(source)
    if not files:
        raise Error("no file of a trace was given")
    return Trace([os.fsdecode(each) for each in files])
