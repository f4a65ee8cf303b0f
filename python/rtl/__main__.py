# SPDX-License-Identifier: MIT
"""python -m rtl: the command `rtl`."""
import os
import sys

from . import _command
from ._read import Error

try:
    os.execv(_command.program(), ["rtl", *sys.argv[1:]])
except (Error, OSError) as error:
    sys.exit(f"rtl: {error}")
