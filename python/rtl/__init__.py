# SPDX-License-Identifier: MIT
"""Traces of AMD GPUs as tables, and the verbs of `rtl` as functions.

    import rtl

    t = rtl.open("trace.db")
    t.kernels.where(name="gemm*", during="step 7").to_pandas()
    rtl.analyze(t)                          why each GPU was idle
    rtl.report(t)                           a page with a timeline; in a notebook, the page itself
    rtl.fleet("slowest", "job")             which rank the others waited for: the traces of many ranks
    with rtl.range("step 7"): ...           a range in the trace of this program

Tables have the Arrow C stream interface: PyArrow, Polars, DuckDB and pandas take `t.kernels` as it is. The package
needs none of them. Times are int nanoseconds.
"""
import roctx as _roctx

from ._fleet import Answer, fleet
from ._read import Error, version as _version
from ._record import record
from ._results import Analysis, Difference, Report, Result, Summary, analyze, diff, report, summary
from ._trace import Table, Trace, open  # pylint: disable=redefined-builtin

__all__ = ["open", "Trace", "Table", "Error", "summary", "analyze", "diff", "report", "fleet", "Answer", "Result",
           "Summary", "Analysis", "Difference", "Report", "record", "mark", "range", "load_ipython_extension"]

mark = _roctx.mark
range = _roctx.range  # pylint: disable=redefined-builtin


def __getattr__(name):
    if name == "__version__":
        return _version()
    raise AttributeError(f"module 'rtl' has no attribute {name!r}")


def load_ipython_extension(shell):
    """%load_ext rtl: the cell magic %%rtl [FILE] records a cell, and shows why GPUs were idle."""
    from . import _record as recording
    recording.add_magic(shell)
