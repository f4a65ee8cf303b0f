# SPDX-License-Identifier: MIT
"""The command `rtl`."""
import os
import pathlib
import shutil
import subprocess

from ._read import Error


def program() -> str:
    """The command of this package, else that of the system."""
    beside = pathlib.Path(__file__).resolve().parents[1] / "rocm_trace_lite" / "bin" / "rtl"
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("rtl")
    if found is None:
        raise Error("the command rtl is not installed")
    return found


def run(*arguments) -> str:
    """What the command prints; its one line of an error becomes an Error."""
    done = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"rtl {arguments[0]} ended with {done.returncode}"]
        line = lines[-1]
        raise Error(line[len("rtl: "):] if line.startswith("rtl: ") else line)
    return done.stdout
