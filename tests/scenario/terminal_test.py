#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl trace on a terminal: the status line, and that the rest of the screen belongs to the program.

    RTL_BUILD=build/release terminal_test.py
"""

import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import termios

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import RTL, Case, main  # noqa: E402

ROWS, COLUMNS = 12, 60
STATUS = re.compile(r"rtl  \d+ s  [\d,]+ kernels?  [\d,]+ events/s  [\d,]+ lost")

# Prints, waits for the status line to come, and prints more; {before} and {after} are code.
PROGRAM = """
import sys, time
sys.stdout.write('first\\nhalf a')
sys.stdout.flush()
{before}
time.sleep(3.5)
print(' line')
for i in range(30): print('number', i)
{after}
"""


class Screen:
    """The screen of a terminal, for the control sequences that rtl and these programs use."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines = [[" "] * columns for _ in range(rows)]
        self.history = []
        self.row = self.column = 0
        self.saved = (0, 0)
        self.top, self.bottom = 0, rows - 1
        self.seen_at_the_bottom = set()
        self.unknown = []

    def line_feed(self):
        if self.row == self.bottom:
            gone = self.lines.pop(self.top)
            if self.top == 0:
                self.history.append("".join(gone).rstrip())
            self.lines.insert(self.bottom, [" "] * self.columns)
        elif self.row < self.rows - 1:
            self.row += 1

    def control(self, parameters, letter):
        numbers = [int(each) if each else 0 for each in parameters.split(";")]
        if letter == "A":
            self.row = max(0, self.row - max(1, numbers[0]))
        elif letter == "H":
            numbers += [1]
            self.row, self.column = max(1, numbers[0]) - 1, max(1, numbers[1]) - 1
        elif letter == "K":
            self.lines[self.row][self.column:] = [" "] * (self.columns - self.column)
        elif letter == "r":
            numbers = numbers + [self.rows] if len(numbers) == 1 else numbers
            self.top, self.bottom = max(1, numbers[0]) - 1, (numbers[1] or self.rows) - 1
            self.row = self.column = 0
        elif letter != "m":
            self.unknown.append(parameters + letter)

    def feed(self, text):
        for word in re.findall(r"\x1b\[[\d;]*[A-Za-z]|\x1b.|[^\x1b]", text, re.S):
            if word.startswith("\x1b["):
                self.control(word[2:-1], word[-1])
            elif word == "\x1b7":
                self.saved = (self.row, self.column)
            elif word == "\x1b8":
                self.row, self.column = self.saved
            elif word == "\x1bD":
                self.line_feed()
            elif word == "\r":
                self.column = 0
            elif word == "\n":
                self.line_feed()
            elif word.startswith("\x1b"):
                self.unknown.append(word)
            else:
                self.lines[self.row][min(self.column, self.columns - 1)] = word
                self.column += 1
            self.seen_at_the_bottom.add("".join(self.lines[-1]).rstrip())

    def text(self):
        return self.history + ["".join(line).rstrip() for line in self.lines]


def play(output, rows=ROWS, columns=COLUMNS):
    screen = Screen(rows, columns)
    screen.feed(output)
    return screen


class Terminal(Case):
    def run_on_terminal(self, command, env=None, rows=ROWS, columns=COLUMNS, stdout=None, stderr=None):
        """The output of a terminal on which the command runs in the foreground."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

        def lead():
            os.setsid()
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

        process = subprocess.Popen(command, stdin=theirs, stdout=stdout or theirs, stderr=stderr or theirs,
                                   preexec_fn=lead, env=os.environ | {"TERM": "xterm"} | (env or {}))
        os.close(theirs)
        output = b""
        while True:
            if select.select([ours], [], [], 0.05)[0]:
                try:
                    piece = os.read(ours, 65536)
                except OSError:  # no process has the terminal any more
                    break
                if not piece:
                    break
                output += piece
        os.close(ours)
        self.assertEqual(process.wait(timeout=200), 0, output)
        return output.decode()

    def trace(self, *options, before="pass", after="pass", **more):
        self.database.unlink(missing_ok=True)
        return self.run_on_terminal([RTL, "trace", "--vgpu", "-o", self.database, *options, "--", sys.executable, "-c",
                                     PROGRAM.format(before=before, after=after)], **more)

    def plain(self):
        """The same program by itself."""
        return play(self.run_on_terminal([sys.executable, "-c", PROGRAM.format(before="pass", after="pass")]))

    def test_the_line_comes_and_goes_and_the_program_loses_nothing(self):
        screen = play(self.trace())
        self.assertTrue([each for each in screen.seen_at_the_bottom if STATUS.fullmatch(each)],
                        screen.seen_at_the_bottom)
        self.assertEqual(screen.unknown, [])
        text = [each for each in screen.text() if each]
        theirs = [each for each in self.plain().text() if each]
        self.assertEqual(text[:len(theirs)], theirs)
        self.assertFalse([each for each in text if STATUS.search(each)], "nothing of it stays")
        self.assertEqual((screen.top, screen.bottom), (0, ROWS - 1), "the whole terminal scrolls again")

    def test_colours_are_a_choice(self):
        self.assertIn("\x1b[2mrtl  ", self.trace())
        self.assertNotIn("\x1b[2m", self.trace(env={"NO_COLOR": "1"}))

    def test_it_can_be_left_out(self):
        for more in ({"env": {"TERM": "dumb"}}, {"rows": 4}, {"columns": 15}):
            self.assertNotIn("events/s", self.trace(**more), more)
        self.assertNotIn("events/s", self.trace(env={"RTL_STATUS": "0"}))

    def test_where_standard_error_is_no_terminal_nothing_is_written(self):
        self.assertNotIn("\x1b", self.trace("--no-summary", stderr=subprocess.DEVNULL))

    def test_a_program_that_reads_single_keys_does_not_see_it_again(self):
        keys = ("import termios; mode = termios.tcgetattr(0); mode[3] &= ~termios.ICANON; "
                "termios.tcsetattr(0, termios.TCSANOW, mode)")
        self.assertNotIn("events/s", self.trace(before=keys))
        later = self.trace(after=f"{keys}\nprint('keys', flush=True)\ntime.sleep(3)")
        self.assertIn("events/s", later.split("keys")[0])
        self.assertNotIn("events/s", later.split("keys", 1)[1].split("\n", 1)[1])


if __name__ == "__main__":
    main()
