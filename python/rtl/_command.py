# SPDX-License-Identifier: MIT
"""The command `rtl`."""
import subprocess

from ._files import Error, program


def run(*arguments) -> str:
    """What the command prints; its one line of an error becomes an Error."""
    done = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"rtl {arguments[0]} ended with {done.returncode}"]
        line = lines[-1]
        raise Error(line[len("rtl: "):] if line.startswith("rtl: ") else line)
    return done.stdout
