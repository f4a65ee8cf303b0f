# SPDX-License-Identifier: MIT
"""Processes and files that a test waits for."""

import os
import pathlib
import time

from frame import LIMIT_SECONDS, expect


def wait_until(condition, what, seconds=LIMIT_SECONDS, pause=0.01):
    """Returns the first value of the condition that holds."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        expect(time.monotonic() < deadline, f"waited {seconds} s in vain: {what() if callable(what) else what}")
        time.sleep(pause)
    return found


def wait_for_files(folder, *names):
    """Until the folder has these files and no others: collectors outlive the programs that they serve for a moment."""
    def found():
        return sorted(path.name for path in folder.iterdir())
    wait_until(lambda: found() == sorted(names), lambda: f"{names} in {found()}")


def children_of(pid):
    """The processes that its first thread has started."""
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def traced_by(pid):
    """The process that `rtl trace` has started: the last in the chain of children."""
    while children := children_of(pid):
        pid = children[0]
    return pid


def state_of(pid):
    """R, S, D, T, Z or another letter of /proc; X: there is no such process."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def wait_for_state(pid, *states):
    wait_until(lambda: state_of(pid) in states, lambda: f"process {pid} is {state_of(pid)}, not {states}")


def has_ended(pid):
    """True if no thread of the process is left: the first one may be a zombie before the others have ended."""
    try:
        return state_of(pid) in "XZ" and len(os.listdir(f"/proc/{pid}/task")) < 2
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_for_end(pid):
    wait_until(lambda: has_ended(pid), lambda: f"process {pid} is {state_of(pid)}, and has not ended")
