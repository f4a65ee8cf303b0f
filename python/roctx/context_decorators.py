# SPDX-License-Identifier: MIT
"""RoctxRange and RoctxProfiler, under the module name of AMD's package."""
from . import RoctxProfiler, RoctxRange

__all__ = ["RoctxProfiler", "RoctxRange"]
