# SPDX-License-Identifier: MIT
"""Where the package's command and libraries are: in the wheel, or where the system has them."""
import os
import pathlib
import shutil

_WHEEL = pathlib.Path(__file__).resolve().parents[1] / "rocm_trace_lite"


class Error(Exception):
    """One line that names a file or a wish and what is wrong with it, as the command `rtl` prints it."""


Error.__module__ = "rtl"


def program() -> str:
    """The command `rtl` of this package, else that of the system."""
    beside = _WHEEL / "bin" / "rtl"
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("rtl")
    if found is None:
        raise Error("the command rtl is not installed")
    return found


def library(name: str) -> str:
    """The library of this package, else that of the command's installation, else that which the loader finds."""
    places = [_WHEEL]
    command = shutil.which("rtl")
    if command is not None:
        places.append(pathlib.Path(command).resolve().parents[1])
    return next((str(place / "lib" / name) for place in places if (place / "lib" / name).exists()), name)
