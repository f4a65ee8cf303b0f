# SPDX-License-Identifier: MIT
"""Starts programs as a shell does in the foreground: the signals of the keyboard have their default actions, which a
background job of a script ignores, and the program leads a process group of its own."""

import contextlib
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
    """Processes that the program has started belong to its group, and are killed with it."""
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


def end(process, seconds):
    """Whatever state it is in; its pipes are closed."""
    if process.poll() is None:
        kill_group(process)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    process.wait(seconds)


@contextlib.contextmanager
def limit(process, seconds):
    """Limits the time of reads from the program: after it the group is killed."""
    alarm = threading.Timer(seconds, kill_group, [process])
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()


def read_until(process, line, seconds):
    """Lines of standard output up to this one."""
    with limit(process, seconds):
        for found in process.stdout:
            if found == line:
                return
    raise AssertionError(f"it did not say {line!r}; it said: {finish(process, seconds)}")
