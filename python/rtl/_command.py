# SPDX-License-Identifier: MIT
"""The command `rtl`."""
import subprocess

from ._files import Error, program


def run(*arguments, shown=None) -> str:
    """What the command prints; its one line of an error becomes an Error. `shown`: names for paths of files that the
    user did not give."""
    def named(text):
        for path, name in (shown or {}).items():
            text = text.replace(path, name)
        return text
    done = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"rtl {arguments[0]} ended with {done.returncode}"]
        line = lines[-1]
        raise Error(named(line[len("rtl: "):] if line.startswith("rtl: ") else line))
    return named(done.stdout)
