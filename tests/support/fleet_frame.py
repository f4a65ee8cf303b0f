# SPDX-License-Identifier: MIT
"""The frame of the tests about jobs of many ranks: commands that see no launcher of this machine and find the packages
of the interpreter that runs the test, and the answers of rtl fleet.
"""

import csv
import io
import os
import pathlib
import subprocess
import sys

from frame import RTL

LIMIT_SECONDS = 900
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not name.startswith(("SLURM_", "PMI", "OMPI_", "RANK", "WORLD_SIZE", "LOCAL_RANK"))}
ENVIRONMENT["PATH"] = f"{pathlib.Path(sys.executable).parent}:{ENVIRONMENT['PATH']}"


def run(*command, expected=0, **variables):
    done = subprocess.run([str(word) for word in command], env=ENVIRONMENT | variables, capture_output=True, text=True,
                          timeout=LIMIT_SECONDS, check=False)
    assert done.returncode == expected, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def rank_variables(rank, world):
    return {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(world)}


def fleet(*arguments, expected=0, **variables):
    return run(RTL, "fleet", *arguments, expected=expected, **variables)


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(fleet(*arguments, "--format", "csv").stdout)))
