# SPDX-License-Identifier: MIT
"""ROCTx marks and ranges for Python programs, as tracers of AMD GPUs record them.

    import roctx

    roctx.mark("checkpoint")                  an instant
    with roctx.range("epoch 1"): ...          a range that nests on the calling thread
    @roctx.range("step")                      one around every call of a function
    number = roctx.rangeStart("request")      a range that any thread may stop
    roctx.rangeStop(number)

Texts are str (UTF-8). The functions have the names of the C interface without its prefix. Without a ROCTx library they
do nothing, so a program runs anywhere; `roctx.available` tells whether a library is loaded.
"""
import contextlib
import ctypes
import functools
import os
import pathlib
from typing import Any, Literal, Optional

__all__ = ["mark", "rangePush", "rangePop", "rangeStart", "rangeStop", "getThreadId", "profilerPause", "profilerResume",
           "nameOsThread", "nameHipDevice", "range", "RoctxRange", "RoctxProfiler", "context_decorators", "version_info",
           "available"]

# The newer library has all functions of the older one, and more.
_NAMES = ("librocprofiler-sdk-roctx.so.1", "libroctx64.so.4")


def _load():
    """Loads the library that the process has (a tracer preloads it), else the system's, else this package's."""
    for name in reversed(_NAMES):
        with contextlib.suppress(OSError):
            return ctypes.CDLL(name, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    beside = pathlib.Path(__file__).resolve().parents[1] / "rocm_trace_lite" / "lib"
    for path in (*_NAMES, *(str(beside / name) for name in _NAMES)):
        with contextlib.suppress(OSError):
            return ctypes.CDLL(path)
    return None


def _function(library, name, result, *arguments):
    found = getattr(library, name, None) if library is not None else None
    if found is None:
        return lambda *_: 0
    found.restype, found.argtypes = result, list(arguments)
    return found


_library = _load()
available = _library is not None
_mark = _function(_library, "roctxMarkA", None, ctypes.c_char_p)
_push = _function(_library, "roctxRangePushA", ctypes.c_int, ctypes.c_char_p)
_pop = _function(_library, "roctxRangePop", ctypes.c_int)
_start = _function(_library, "roctxRangeStartA", ctypes.c_uint64, ctypes.c_char_p)
_stop = _function(_library, "roctxRangeStop", None, ctypes.c_uint64)
_thread = _function(_library, "roctxGetThreadId", ctypes.c_int, ctypes.POINTER(ctypes.c_uint64))
_pause = _function(_library, "roctxProfilerPause", ctypes.c_int, ctypes.c_uint64)
_resume = _function(_library, "roctxProfilerResume", ctypes.c_int, ctypes.c_uint64)
_name_thread = _function(_library, "roctxNameOsThread", ctypes.c_int, ctypes.c_char_p)
_name_device = _function(_library, "roctxNameHipDevice", ctypes.c_int, ctypes.c_char_p, ctypes.c_int)


def _text(message):
    return message.encode("utf-8", "replace") if isinstance(message, str) else bytes(message)


def mark(message: Optional[str]) -> None:
    """Records an instant, unless the message is None."""
    if message is not None:
        _mark(_text(message))


def rangePush(message: Optional[str]) -> int:
    """Opens a range that nests on the calling thread; returns its zero-based depth."""
    return _push(_text(message))


def rangePop() -> int:
    """Closes the innermost range of the calling thread; returns its depth, negative when none is open."""
    return _pop()


def rangeStart(message):
    """Opens a range that any thread may stop; returns its number, or None when the message is None."""
    return None if message is None else _start(_text(message))


def rangeStop(number):
    """Closes the range that rangeStart returned."""
    if number is not None:
        _stop(number)


def getThreadId():
    """Returns the calling thread's number for profilerPause; 0 without a library."""
    number = ctypes.c_uint64(0)
    _thread(ctypes.byref(number))
    return number.value


def profilerPause(thread=0):
    """From now on leaves the thread's events out of the trace; 0: those of every thread."""
    return _pause(thread)


def profilerResume(thread=0):
    """Ends profilerPause."""
    return _resume(thread)


def nameOsThread(name):
    """Names the calling thread in the trace."""
    return _name_thread(_text(name))


def nameHipDevice(name, device=0):
    """Names a device in the trace, by HIP's number."""
    return _name_device(_text(name), device)


class RoctxRange(contextlib.ContextDecorator):
    """A range around a block or around every call of a function. Nests on a thread, also with itself. A block without
    a message has no range; a function without a message uses its name."""

    def __init__(self, message: Optional[str] = None) -> None:
        self.message = message

    def __call__(self, function):
        message = self.message if self.message is not None else function.__qualname__

        @functools.wraps(function)
        def around(*arguments, **named):
            with RoctxRange(message):
                return function(*arguments, **named)
        return around

    def __enter__(self) -> Any:
        if self.message is None:
            return self
        return rangePush(self.message)

    def __exit__(self, *_: Any) -> Literal[False]:
        if self.message is not None:
            rangePop()
        return False


class RoctxProfiler(contextlib.ContextDecorator):
    """Records a block, or every call of a function, in a program that begins paused (rocprofv3 --selected-regions,
    rtl trace --paused)."""

    def __init__(self, tid=0):
        self.thread = tid

    def __enter__(self):
        return profilerResume(self.thread)

    def __exit__(self, *_):
        profilerPause(self.thread)
        return False


range = RoctxRange
# The version of the interface.
version_info = {"version": "1.0.0", "major": 1, "minor": 0, "patch": 0}

from . import context_decorators  # noqa: E402  (it imports the classes above)
