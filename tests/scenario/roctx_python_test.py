#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python module roctx: its marks and ranges are in the trace, and without a library it does nothing.

    RTL_BUILD=build/release roctx_python_test.py
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import ROOT, RTL, Case, ask, main, run  # noqa: E402

MODULE = ROOT / "python"

PROGRAM = """
import threading, roctx
print(roctx.available)
roctx.mark("begin \u2713")
with roctx.range("outer"):
    assert roctx.rangePush("inner") in (0, 1)
    roctx.rangePop()
number = roctx.rangeStart("request")
other = threading.Thread(target=roctx.rangeStop, args=(number,))
other.start()
other.join()

@roctx.range("step")
def step(depth):
    return depth if depth == 0 else step(depth - 1)

@roctx.range()
def named():
    raise ValueError

assert step(2) == 0 and step.__name__ == "step"
try:
    named()
except ValueError:
    pass
roctx.profilerPause()
roctx.mark("left out")
roctx.profilerResume()
assert (roctx.getThreadId() != 0) == roctx.available
roctx.nameOsThread("the main thread")
"""
# Written like programs for AMD's package.
OTHERS = """
import roctx
from roctx.context_decorators import RoctxProfiler, RoctxRange

@RoctxRange("fib")
def fib(n, least):
    with RoctxRange(f"fib(n={n})" if n >= least else None):
        return n if n < 2 else fib(n - 1, least) + fib(n - 2, least)

@RoctxProfiler()
def chosen():
    roctx.mark("in a function")
    return 5

assert fib(3, 2) == 2
roctx.mark(None)
assert roctx.rangeStart(None) is None
roctx.rangeStop(None)
assert roctx.nameHipDevice("first") in (0, 1)
assert (chosen(), chosen.__name__) == (5, "chosen")
with RoctxProfiler(0):
    with RoctxRange("outer") as depth:
        assert depth == 0
    with RoctxRange() as itself:
        assert isinstance(itself, RoctxRange)
roctx.mark("paused")
assert roctx.context_decorators.RoctxRange is RoctxRange and roctx.version_info["major"] == 1
"""
REGIONS = """
import roctx
roctx.mark("before")
roctx.profilerResume()
roctx.mark("inside")
roctx.profilerPause()
roctx.mark("after")
"""


def markers(path):
    """Text -> spans, in the order of time."""
    found = {}
    for text, start, end in ask(
            path, "SELECT d.string, o.start, o.end FROM rocpd_op o JOIN rocpd_string d ON d.id = o.description_id"
            " WHERE opType_id IN (SELECT id FROM rocpd_string WHERE string LIKE 'UserMarker%') ORDER BY o.start"):
        found.setdefault(text, []).append((start, end))
    return found


class Roctx(Case):
    def run_python(self, program, *launcher):
        return run(*launcher, sys.executable, "-c", program, PYTHONPATH=MODULE, PYTHONDONTWRITEBYTECODE=1)

    def traced(self, program, *options):
        return self.run_python(program, RTL, "trace", "--no-summary", *options, "-o", self.database, "--")

    def test_marks_and_ranges_are_in_the_trace(self):
        self.assertEqual(self.traced(PROGRAM).stdout, "True\n")
        found = markers(self.database)
        self.assertEqual({text: len(spans) for text, spans in found.items()},
                         {"begin \u2713": 1, "outer": 1, "inner": 1, "request": 1, "step": 3, "named": 1})
        (outer,), (inner,) = found["outer"], found["inner"]
        self.assertTrue(outer[0] <= inner[0] <= inner[1] <= outer[1])

    def test_without_a_library_a_program_runs(self):
        self.assertEqual(self.run_python(PROGRAM).stdout, "False\n")

    def test_programs_for_amds_package_run_unchanged(self):
        self.traced(OTHERS)
        self.assertEqual({text: len(spans) for text, spans in markers(self.database).items()},
                         {"fib": 5, "fib(n=3)": 1, "fib(n=2)": 1, "in a function": 1, "outer": 1})

    def test_a_trace_that_begins_paused(self):
        done = self.traced(REGIONS, "--paused")
        self.assertEqual(list(markers(self.database)), ["inside"])
        self.assertIn("markers: 3 submitted, 1 recorded, 2 left out on purpose (kPaused: 2), 0 lost\n", done.stderr)


if __name__ == "__main__":
    main()
