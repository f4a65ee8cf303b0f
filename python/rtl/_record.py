# SPDX-License-Identifier: MIT
"""Tracing a part of a program from inside."""
import contextlib
import ctypes
import os
import shlex
import signal
import subprocess
import threading

import roctx
from typing import Any, Literal, Optional

from ._files import Error, library, program

_one_at_a_time = threading.Lock()
_MODES = ("full", "standard", "lite", "hip")


def _has(library):
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        return any(library in line for line in maps)


def _let_a_child_attach(allowed):
    """Where only parents may attach (Yama), a program can allow it to others; elsewhere the call has no effect."""
    set_tracer, anybody = 0x59616D61, ctypes.c_ulong(-1)
    ctypes.CDLL(None).prctl(set_tracer, anybody if allowed else ctypes.c_ulong(0), 0, 0, 0)


class record(contextlib.ContextDecorator):
    """Traces what happens inside, into a file of its own:

        with rtl.record("step.db", mode="hip"):
            train_step()

        @rtl.record("step.db")
        def train_step(): ...

    `mode`: full, standard, lite or hip. Before its first use of the GPU the program loads the tracer here, and the
    first `record` decides about the mode. Later it is as with `rtl trace --pid`: the command enters the process, which
    must be allowed (ptrace), and sees HIP calls on HIP 6 and newer.

    Under `rtl trace` there is one trace, that of the command: the part is then a ROCTx range with the file's name, and
    with `rtl trace --paused` only such parts are recorded.
    """

    def __init__(self, output: str, *, mode: Optional[str] = None) -> None:
        if mode not in (None, *_MODES):
            raise Error(f"{output}: there is no mode {mode}; modes are {', '.join(_MODES)}")
        self.output, self._mode = os.fspath(output), mode
        self._command: Any = None
        self._range: Any = None

    def __enter__(self) -> "record":
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
        """Loads the tracer with the HSA runtime, unless the program has started that already."""
        if _has("/librtl_engine.so"):
            return
        wanted = {"RTL_ATTACH": "1", "HSA_TOOLS_LIB": library("librtl.so"), "HSA_TOOLS_ROCPROFILER_V1_TOOLS": "1"}
        if self._mode is not None:
            wanted["RTL_MODE"] = self._mode
        before = {name: os.environ.get(name) for name in wanted}
        os.environ.update(wanted)
        try:
            runtime = ctypes.CDLL("libhsa-runtime64.so.1", mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise Error(f"{self.output}: there is no HSA runtime to trace: {error}") from None
        if runtime.hsa_init() != 0:
            raise Error(f"{self.output}: the HSA runtime does not start; rtl doctor says why")
        if _has("/librtl_engine.so"):
            return
        runtime.hsa_shut_down()  # it only counted: the runtime was there
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})

    def _attach(self):
        words = [program(), "trace", "--pid", str(os.getpid()), "-o", self.output, "--no-summary"]
        if self._mode is not None and os.environ.get("RTL_ATTACH") != "1":
            words += ["--mode", self._mode]
        _let_a_child_attach(True)
        try:
            self._command = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                             start_new_session=True)
            lines = []
            for line in self._command.stderr:
                lines.append(line.strip())
                if "attached to process" in line:
                    return
        finally:
            _let_a_child_attach(False)
        self._command.wait()
        raise Error((lines or ["rtl trace ended"])[-1].removeprefix("rtl: "))

    def __exit__(self, *_: Any) -> Literal[False]:
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
    """Adds %%rtl [FILE [MODE]] to an IPython shell. Names with spaces are quoted."""
    from . import _results, _trace

    def cell_magic(line, cell):
        words = shlex.split(line)
        if len(words) > 2:
            raise Error(f"%%rtl takes a file and a mode, not {line}")
        output = words[0] if words else "cell.db"
        with record(output, mode=words[1] if len(words) > 1 else None):
            done = shell.run_cell(cell)
        done.raise_error()
        return _results.analyze(_trace.open(output))

    shell.register_magic_function(cell_magic, "cell", "rtl")
