# SPDX-License-Identifier: MIT
"""Tracing a part of a program from inside."""
import contextlib
import ctypes
import os
import pathlib
import signal
import subprocess
import threading

import roctx

from . import _command
from ._read import Error

_one_at_a_time = threading.Lock()


def _has(library):
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        return any(library in line for line in maps)


def _tracer():
    beside = pathlib.Path(__file__).resolve().parents[1] / "rocm_trace_lite" / "lib" / "librtl.so"
    installed = pathlib.Path(_command.program()).resolve().parents[1] / "lib" / "librtl.so"
    return next((str(path) for path in (beside, installed) if path.exists()), "librtl.so")


class record(contextlib.ContextDecorator):
    """Traces what happens inside, into a file of its own:

        with rtl.record("step.db", mode="hip"):
            train_step()

        @rtl.record("step.db")
        def train_step(): ...

    The program must be able to have a tracer: it was started with RTL_ATTACH=1 and HSA_TOOLS_LIB, or it has not used
    the GPU before the first `record`, which then loads the tracer. `mode`: full, standard, lite or hip; the first
    `record` of a program decides.

    Under `rtl trace` there is one trace, that of the command: the part is then a ROCTx range with the file's name, and
    with `rtl trace --paused` only such parts are recorded.
    """

    def __init__(self, output: str, *, mode: str = None):
        self.output, self._mode = os.fspath(output), mode
        self._command = self._range = None

    def __enter__(self):
        if os.environ.get("RTL_SPOOL") and not os.environ.get("RTL_ATTACH") == "1":
            roctx.profilerResume(0)
            self._range = roctx.range(f"record {self.output}")
            self._range.__enter__()
            return self
        if not _one_at_a_time.acquire(blocking=False):
            raise Error(f"{self.output}: another part of the program is being recorded")
        try:
            self._load()
            self._attach()
        except BaseException:
            _one_at_a_time.release()
            raise
        return self

    def _load(self):
        if _has("/librtl_engine.so"):
            return
        if _has("/libhsa-runtime64.so"):
            raise Error(f"{self.output}: the program has used the GPU without a tracer; start it with RTL_ATTACH=1 "
                        f"HSA_TOOLS_LIB={_tracer()}, or use rtl.record before the GPU")
        os.environ["RTL_ATTACH"] = "1"
        os.environ["HSA_TOOLS_LIB"] = _tracer()
        os.environ["HSA_TOOLS_ROCPROFILER_V1_TOOLS"] = "1"
        if self._mode is not None:
            os.environ["RTL_MODE"] = self._mode
        try:
            code = ctypes.CDLL("libhsa-runtime64.so.1", mode=ctypes.RTLD_GLOBAL).hsa_init()
        except OSError as error:
            raise Error(f"{self.output}: there is no HSA runtime to trace: {error}") from None
        if code != 0 or not _has("/librtl_engine.so"):
            raise Error(f"{self.output}: the HSA runtime did not load the tracer; rtl doctor says why")

    def _attach(self):
        words = [_command.program(), "trace", "--pid", str(os.getpid()), "-o", self.output, "--no-summary"]
        self._command = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                         start_new_session=True)
        lines = []
        for line in self._command.stderr:
            lines.append(line.strip())
            if "attached to process" in line:
                return
        self._command.wait()
        raise Error((lines or ["rtl trace ended"])[-1].removeprefix("rtl: "))

    def __exit__(self, *_):
        if self._range is not None:
            self._range.__exit__(None, None, None)
            self._range = None
            if os.environ.get("RTL_PAUSED") == "1":
                roctx.profilerPause(0)
            return False
        command, self._command = self._command, None
        try:
            command.send_signal(signal.SIGINT)
            lines = command.communicate()[1].strip().splitlines()
            if not os.path.exists(self.output):
                raise Error((lines or [f"{self.output}: no trace was written"])[-1].removeprefix("rtl: "))
        finally:
            _one_at_a_time.release()
        return False


def add_magic(shell):
    """Adds %%rtl [FILE] [MODE] to an IPython shell."""
    from . import _results, _trace

    def cell_magic(line, cell):
        words = line.split()
        output = words[0] if words else "cell.db"
        with record(output, mode=words[1] if len(words) > 1 else None):
            done = shell.run_cell(cell)
        done.raise_error()
        return _results.analyze(_trace.open(output))

    shell.register_magic_function(cell_magic, "cell", "rtl")
