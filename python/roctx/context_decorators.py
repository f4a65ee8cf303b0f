# SPDX-License-Identifier: MIT
"""RoctxRange and RoctxProfiler, where AMD's package has them."""
from . import RoctxProfiler, RoctxRange

__all__ = ["RoctxProfiler", "RoctxRange"]
