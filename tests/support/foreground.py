# SPDX-License-Identifier: MIT
"""Starts programs as a shell does in the foreground: the signals of the keyboard have their default actions, which a
background job of a script ignores, and the program leads a process group of its own."""

import os
import signal
import subprocess
import threading


def take_default_actions():
    """To be called in the child before it becomes the program."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(command, **options):
    return subprocess.Popen(command, start_new_session=True, preexec_fn=take_default_actions, **options)


def kill_group(process):
    """What the program has started is of its group, and goes with it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def finish(process, seconds):
    """(standard output, standard error) up to its end; after `seconds` the group is killed and the test fails."""
    try:
        return process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        kill_group(process)
        out, errors = process.communicate()
        raise AssertionError(f"it did not end within {seconds} s; it had said: {out}{errors}") from None


def read_until(process, line, seconds):
    """Lines of standard output up to this one; the group is killed when it does not come."""
    alarm = threading.Timer(seconds, kill_group, [process])
    alarm.start()
    try:
        for found in process.stdout:
            if found == line:
                return
    finally:
        alarm.cancel()
    raise AssertionError(f"it did not say {line!r}; it said: {finish(process, seconds)}")
