# SPDX-License-Identifier: MIT
"""The frame of the tests about jobs of many ranks: commands that see no launcher of this machine and find the packages
of the interpreter that runs the test, and the answers of rtl fleet.
"""

import csv
import functools
import io
import pathlib
import sys

import frame
from frame import RTL

LIMIT_SECONDS = 900
ENVIRONMENT = frame.environment_without("SLURM_", "PMI", "OMPI_", "RANK", "WORLD_SIZE", "LOCAL_RANK")
ENVIRONMENT["PATH"] = f"{pathlib.Path(sys.executable).parent}:{ENVIRONMENT['PATH']}"


run = functools.partial(frame.run, environment=ENVIRONMENT, seconds=LIMIT_SECONDS)


def rank_variables(rank, world):
    return {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(world)}


def fleet(*arguments, **more):
    return run(RTL, "fleet", *arguments, **more)


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(fleet(*arguments, "--format", "csv").stdout)))
