# SPDX-License-Identifier: MIT
"""librtl_read.so through ctypes: traces, their tables, and the Arrow C stream interface (include/rtl/read.h)."""
import contextlib
import ctypes
import functools
import os
import threading

from ._files import Error, library as _file_of

_LIBRARY = "librtl_read.so"


class _Schema(ctypes.Structure):
    pass


_Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p),
                    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))), ("dictionary", ctypes.POINTER(_Schema)),
                    ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("private_data", ctypes.c_void_p)]


class _Array(ctypes.Structure):
    pass


_Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                   ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
                   ("buffers", ctypes.POINTER(ctypes.c_void_p)),
                   ("children", ctypes.POINTER(ctypes.POINTER(_Array))), ("dictionary", ctypes.POINTER(_Array)),
                   ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("private_data", ctypes.c_void_p)]


class _Stream(ctypes.Structure):
    _fields_ = [("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
                ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
                ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
                ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("private_data", ctypes.c_void_p)]


class _Column(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p), ("unit", ctypes.c_char_p),
                ("text", ctypes.c_char_p)]


class _Request(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("columns", ctypes.POINTER(ctypes.c_char_p)),
                ("column_count", ctypes.c_size_t), ("name", ctypes.c_char_p), ("during", ctypes.c_char_p),
                ("has_rank", ctypes.c_int), ("rank", ctypes.c_int32), ("has_gpu", ctypes.c_int),
                ("gpu", ctypes.c_int32), ("has_from", ctypes.c_int), ("from_ns", ctypes.c_int64),
                ("has_to", ctypes.c_int), ("to_ns", ctypes.c_int64), ("datetimes", ctypes.c_int)]


@functools.lru_cache(maxsize=None)
def _library():
    try:
        library = ctypes.CDLL(_file_of(_LIBRARY))
    except OSError as error:
        raise Error(f"{_LIBRARY} cannot be loaded: {error}") from None
    for name, result, arguments in (
            ("version", ctypes.c_char_p, []), ("error", ctypes.c_char_p, []),
            ("open", ctypes.c_void_p, [ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
            ("close", None, [ctypes.c_void_p]), ("database", ctypes.c_char_p, [ctypes.c_void_p]),
            ("note", ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
            ("table_name", ctypes.c_char_p, [ctypes.c_size_t]), ("table_text", ctypes.c_char_p, [ctypes.c_size_t]),
            ("table_column", ctypes.POINTER(_Column), [ctypes.c_size_t, ctypes.c_size_t]),
            ("table", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(_Request), ctypes.c_void_p])):
        function = getattr(library, "rtl_read_" + name)
        function.restype, function.argtypes = result, arguments
    return library


def _fail():
    raise Error(_library().rtl_read_error().decode("utf-8", "replace"))


def _bytes(text):
    return text.encode("utf-8", "surrogateescape")


def version():
    """The version of the library."""
    return _library().rtl_read_version().decode()


@functools.lru_cache(maxsize=None)
def descriptions():
    """{table: (meaning, [(column, type, unit, meaning)])}, the same for every trace."""
    library, tables = _library(), {}
    while (name := library.rtl_read_table_name(len(tables))) is not None:
        columns = []
        while found := library.rtl_read_table_column(len(tables), len(columns)):
            each = found.contents
            columns.append(tuple(text.decode() for text in (each.name, each.type, each.unit, each.text)))
        tables[name.decode()] = (library.rtl_read_table_text(len(tables)).decode(), columns)
    return tables


class Handle:
    """An open trace of the library. Any thread may close it, while others use it."""

    def __init__(self, files):
        self.pointer, self._users, self._is_closed, self._lock = None, 0, False, threading.Lock()
        names = [os.fsencode(each) for each in files]
        self.pointer = _library().rtl_read_open((ctypes.c_char_p * len(names))(*names), len(names))
        if not self.pointer:
            _fail()

    @contextlib.contextmanager
    def _used(self):
        with self._lock:
            if self._is_closed:
                raise Error("the trace is closed")
            self._users += 1
        try:
            yield self.pointer
        finally:
            with self._lock:
                self._users -= 1
                self._free()

    def _free(self):
        if self._is_closed and not self._users and self.pointer:
            _library().rtl_read_close(self.pointer)
            self.pointer = None

    def database(self):
        """Its path; None: the files are a dataset."""
        with self._used() as pointer:
            path = _library().rtl_read_database(pointer)
            return None if path is None else os.fsdecode(path)

    def notes(self):
        found = []
        with self._used() as pointer:
            while (note := _library().rtl_read_note(pointer, len(found))) is not None:
                found.append(note.decode("utf-8", "replace"))
        return found

    def __reduce__(self):
        raise TypeError("an open trace of the library stays in its process")

    def close(self):
        with self._lock:
            self._is_closed = True
            self._free()

    def __del__(self):
        if getattr(self, "pointer", None):
            self.close()

    def stream(self, table, *, columns=None, name=None, rank=None, gpu=None, during=None, start=None, stop=None,
               datetimes=False):
        """A new stream in memory of malloc; the caller gives it to a capsule or releases it."""
        request = _Request(size=ctypes.sizeof(_Request), datetimes=int(datetimes))
        if columns is not None:
            names = [_bytes(each) for each in columns]
            request.columns = (ctypes.c_char_p * len(names))(*names)
            request.column_count = len(names)
        request.name = None if name is None else _bytes(name)
        request.during = None if during is None else _bytes(during)
        for flag, field, value in (("has_rank", "rank", rank), ("has_gpu", "gpu", gpu), ("has_from", "from_ns", start),
                                   ("has_to", "to_ns", stop)):
            if value is not None:
                setattr(request, flag, 1)
                setattr(request, field, value)
        memory = _malloc(ctypes.sizeof(_Stream))
        with self._used() as pointer:
            if _library().rtl_read_table(pointer, table.encode(), ctypes.byref(request), memory) != 0:
                _free(memory)
                _fail()
        return memory


_libc = ctypes.CDLL(None)
_malloc, _free = _libc.malloc, _libc.free
_malloc.restype, _malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
_free.restype, _free.argtypes = None, [ctypes.c_void_p]

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_CAPSULE = b"arrow_array_stream"


def capsule(stream):
    """The stream as the PyCapsule of the Arrow interface, which releases it."""
    return _new_capsule(stream, _CAPSULE, ctypes.cast(_library().rtl_read_release_capsule, ctypes.c_void_p))


# What a consumer needs of a column of a batch: its name and format, and views of its buffers.
class Column:
    """A column of a batch: `values`, `valid` (None: all) and, for names, `texts` are lists of Python or of numpy."""

    def __init__(self, schema, array):
        self.name, self.format = schema.name.decode(), schema.format.decode()
        self.rows, self.nulls = array.length, array.null_count
        self._array, self.texts = array, None
        if schema.dictionary:
            self.texts = _texts(array.dictionary.contents)

    def buffer(self, index, count, kind):
        """The buffer as a ctypes array of `count` elements; valid while the batch is."""
        return (kind * count).from_address(self._array.buffers[index]) if count else (kind * 0)()

    def mask(self):
        """A byte for each eight rows, or None when no value is missing."""
        return self.buffer(0, (self.rows + 7) // 8, ctypes.c_uint8) if self.nulls else None

    def lines(self):
        """The texts of a column of texts."""
        return _texts(self._array)


def _texts(array):
    if not array.length:
        return []
    offsets = (ctypes.c_int32 * (array.length + 1)).from_address(array.buffers[1])
    content = ctypes.string_at(array.buffers[2], offsets[array.length])
    return [content[offsets[i]:offsets[i + 1]].decode("utf-8", "replace") for i in range(array.length)]


def batches(stream):
    """Yields the columns of each batch; they are valid until the next. First yields the (name, format) of all."""
    opened = _Stream.from_address(stream)
    schema = _Schema()
    try:
        if opened.get_schema(stream, ctypes.byref(schema)):
            raise Error(opened.get_last_error(stream).decode("utf-8", "replace"))
        fields = [schema.children[i].contents for i in range(schema.n_children)]
        yield [(each.name.decode(), each.format.decode()) for each in fields]
        while True:
            array = _Array()
            if opened.get_next(stream, ctypes.byref(array)):
                raise Error(opened.get_last_error(stream).decode("utf-8", "replace"))
            if not array.release:
                return
            try:
                yield [Column(field, array.children[i].contents) for i, field in enumerate(fields)]
            finally:
                array.release(ctypes.addressof(array))
    finally:
        if schema.release:
            schema.release(ctypes.addressof(schema))
        opened.release(stream)
        _free(stream)
