#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The frame of the tests in Python fails where a test should."""

import subprocess
import sys

from frame import SKIPPED, Case, ask, check_sums, main, refused, run
from processes import children_of, state_of, wait_for_end, wait_for_files, wait_until


class Frame(Case):
    def fails(self, why, function, *arguments, **more):
        with self.assertRaisesRegex(AssertionError, why):
            function(*arguments, **more)

    def test_a_command_has_the_exit_code_that_is_wanted(self):
        self.fails("exit code 3, not 0\nsaid", run, "sh", "-c", "echo said; exit 3")
        self.fails("exit code 0, not 3", run, "true", code=3)
        self.assertEqual(run("sh", "-c", "exit 3", code=3).returncode, 3)
        self.assertEqual(run("sh", "-c", "exit 3", code=None).returncode, 3)

    def test_a_command_has_its_folder_its_variables_and_no_input(self):
        done = run("sh", "-c", 'pwd; echo "$NUMBER"; cat', folder=self.folder, NUMBER=7)
        self.assertEqual(done.stdout, f"{self.folder}\n7\n")

    def test_a_refusal_is_one_line(self):
        self.assertEqual(refused("sh", "-c", "echo no >&2; exit 1"), "no\n")
        for wrong in ("echo no >&2", "echo no >&2; echo no >&2; exit 1", "echo yes; echo no >&2; exit 1", "exit 1"):
            self.fails("", refused, "sh", "-c", wrong)

    def test_sums_add_up_for_every_kind(self):
        facts = {"submitted.kernels": "7", "recorded.kernels": "5", "loss.kBatch.kernels": "2", "submitted.copies": "0",
                 "recorded.copies": "0", "loss.kBatch.copies": "0"}
        check_sums(facts)
        for tag in facts:
            self.fails(tag.split(".")[-1], check_sums, facts | {tag: "9"})

    def test_a_database_is_not_made_by_a_question(self):
        with self.assertRaisesRegex(Exception, "unable to open"):
            ask(self.database, "SELECT 1")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_wait_in_vain_says_what_was_waited_for(self):
        self.fails("in vain: the moon", wait_until, lambda: False, "the moon", seconds=0)
        self.assertEqual(wait_until(lambda: 7, "a value"), 7)
        (self.folder / "b").touch()
        (self.folder / "a").touch()
        wait_for_files(self.folder, "b", "a")

    def test_an_ended_process_is_known_until_its_parent_waits_for_it(self):
        with subprocess.Popen(["sh", "-c", "sleep 1000 & wait"]) as parent:
            (child,) = wait_until(lambda: children_of(parent.pid), "the child")
            for pid in (child, parent.pid):
                subprocess.run(["kill", str(pid)], check=True)
                wait_for_end(pid)
            self.assertEqual(state_of(parent.pid), "Z")
        self.assertEqual((state_of(parent.pid), children_of(parent.pid)), ("X", []))

    def test_without_its_runtime_or_a_file_a_program_is_skipped(self):
        with self.assertRaises(SystemExit) as ended:
            main(self.folder / "nowhere")
        self.assertEqual(ended.exception.code, SKIPPED)
        done = run(sys.executable, __file__, "--runtime", "none", code=SKIPPED)
        self.assertRegex(done.stdout, "^SKIPPED: runtime none is not here")


if __name__ == "__main__":
    main()
