# SPDX-License-Identifier: MIT
"""Counts how many results of a framework agree with NumPy's or the processor's."""

import sys

import numpy


class Results:
    def __init__(self):
        self.right = 0
        self.wrong = []

    def near(self, name, result, wanted, tolerance=1e-4):
        """`tolerance` is relative to the greatest value that is wanted."""
        result, wanted = numpy.asarray(result), numpy.asarray(wanted)
        scale = max(1.0, float(numpy.abs(wanted).max()))
        if result.shape == wanted.shape and float(numpy.abs(result.astype(wanted.dtype) - wanted).max()) <= tolerance * scale:
            self.right += 1
        else:
            self.wrong.append(name)

    def same(self, name, result, wanted):
        if result == wanted:
            self.right += 1
        else:
            self.wrong.append(name)

    def close(self):
        """Prints how many were right; the exit code is the number of the others."""
        print(f"right: {self.right} of {self.right + len(self.wrong)}", flush=True)
        if self.wrong:
            print(f"wrong: {', '.join(self.wrong)}", flush=True)
        sys.exit(len(self.wrong))
