#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Samples of program counters, through the runtime's trap handler on the virtual GPU: in a trace, in a tool on
librocprofiler-sdk.so.1 and in the files of rocprofv3, against the interpreter's own counts.

    RTL_BUILD=build/release pc_sampling_test.py [--runtime NAME]
"""

import collections
import csv
import json
import math
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import pftrace  # noqa: E402
from frame import BUILD, IN_RUNTIME, ROOT, RTL, RUNTIME, Case, main, run  # noqa: E402

SAMPLES = RUNTIME in ("6.4", "7.2", "7.14")  # the other runtimes have no such extension
SOURCE = ROOT / "examples" / "slow_rows.hip"
STEPS = "6"  # 1,700 samples at 100 us: half of 6.4's buffer holds them all
KERNEL = "Normalize(float const*, float*)"
SAMPLING = {"ROCPROFILER_PC_SAMPLING_BETA_ENABLED": "1", "PC_SAMPLING_INTERVAL": "100"}


def plausible(seen, everything, share):
    """Six standard deviations of chance."""
    return abs(seen - everything * share) <= 6 * math.sqrt(everything * share) + 1


def found_by_register(variables):
    """AMD's build registers its tables itself, with the library that a variable names."""
    own = {"ROCPROFILER_REGISTER_LIBRARY": variables["HSA_TOOLS_LIB"]} if "HSA_TOOLS_LIB" in variables else {}
    return variables | own if RUNTIME == "7.14" else variables


class Sampled(Case):
    def setUp(self):
        super().setUp()
        self.program = super().program("slow_rows")

    def run_command(self, command, code=0, **variables):
        return run(*IN_RUNTIME, *command, code=code, **found_by_register(variables))

    def trace(self, *options, steps=STEPS, code=0, **variables):
        return self.run_command([RTL, "trace", "--vgpu", "--pc-sampling", "100us", *options, "-o", self.database, "--",
                                 self.program, steps], code=code, **variables)

    def counts(self):
        rows = self.ask("SELECT counter, value FROM rtl_process_counter WHERE kind = 'pc_samples'")
        counts = {counter: value for counter, value in rows}
        lost = sum(value for counter, value in counts.items() if counter.startswith("loss."))
        self.assertEqual(counts["submitted"], counts["recorded"] + lost)
        self.assertEqual(counts["recorded"], self.ask("SELECT count(*) FROM rtl_pc_sample")[0][0])
        return counts["submitted"], lost

    def hot(self):
        """Kernel -> the lines that were sampled."""
        report = json.loads(self.run_command([RTL, "hot", "--json", self.database]).stdout)
        return {kernel["kernel"]: kernel for kernel in report["kernels"]}

    def executed(self):
        """How often the interpreter executed the instruction at each address modulo a page, in the long kernel."""
        done = self.run_command([BUILD / "bin" / "vgpu", "run", "--gfx", "90a", "--log", "4", "--", self.program, "1"])
        counts = collections.Counter(int(pc, 16) for pc in re.findall(r": wave \d+ (0x[0-9a-f]+): ", done.stderr))
        pages = collections.Counter()
        for pc, count in counts.items():
            pages[pc >> 12] += count
        longest = pages.most_common(1)[0][0]
        return {pc & 0xfff: count for pc, count in counts.items() if pc >> 12 == longest}

    def assert_shares(self, sampled, executed):
        """Each instruction of a kernel was sampled in proportion to its executions. Both kernels lie on one page: only
        instructions between the first and the last sample count."""
        mine = {pc: count for pc, count in executed.items() if min(sampled) <= pc <= max(sampled)}
        self.assertLessEqual(set(sampled), set(mine))
        everything = sum(mine.values())
        samples = sum(sampled.values())
        for pc, count in mine.items():
            self.assertTrue(plausible(sampled[pc], samples, count / everything), (hex(pc), sampled[pc], count))


@unittest.skipUnless(SAMPLES, "PC sampling came with ROCm 6.4")
class Sampling(Sampled):
    def test_each_instruction_has_its_share(self):
        self.trace()
        submitted, lost = self.counts()
        self.assertEqual(lost, 0)
        self.assertGreater(submitted, 1000)
        kernel = self.hot()[KERNEL]
        executed = self.executed()
        sampled = collections.Counter()
        for line in kernel["lines"]:
            for instruction in line["instructions"]:
                self.assertIn(instruction["address"] & 0xfff, executed)
                self.assertNotEqual(instruction["instruction"], "")
                sampled[instruction["address"] & 0xfff] += instruction["samples"]
        self.assertEqual(sum(sampled.values()), kernel["samples"])
        self.assert_shares(sampled, executed)

    def test_the_slow_line_is_named(self):
        done = self.trace()
        text = SOURCE.read_text().splitlines()
        slow = next(number for number, line in enumerate(text, 1)
                    if "sum += row[i] * row[i];" in line and "values" not in line)
        kernel = self.hot()[KERNEL]
        line = kernel["lines"][0]
        self.assertEqual((pathlib.Path(line["file"]).name, line["line"], line["function"]),
                         ("slow_rows.hip", slow, "RowLength"))
        self.assertGreater(line["samples"], kernel["samples"] // 2)
        self.assertEqual(line["lanes"], 64 * line["samples"])
        # Inlined: the caller is known.
        frames = line["instructions"][0]["frames"]
        self.assertEqual([frame["function"] for frame in frames], ["RowLength", "Normalize"])
        self.assertIn("RowLength(in + row", text[frames[1]["line"] - 1])
        self.assertIn(f"slow_rows.hip:{slow}", done.stderr)

    def test_every_sample_has_its_kernel(self):
        self.trace()
        strangers = self.ask("SELECT count(*) FROM rtl_pc_sample s LEFT JOIN rocpd_op o ON o.process_id = "
                               "s.process_id "
                               "AND o.sequenceId = s.dispatch AND o.kernel_id = s.kernel_id AND o.queueId = s.queue_id "
                               "AND o.packet = s.packet AND s.time BETWEEN o.start AND o.end WHERE o.id IS NULL")
        self.assertEqual(strangers, [(0,)])
        self.assertEqual(self.ask("SELECT count(*) FROM rtl_pc_sample WHERE code_object_id IS NULL"), [(0,)])
        outside = self.ask("SELECT count(*) FROM rtl_pc_sample s JOIN rocpd_op o ON o.process_id = s.process_id AND "
                             "o.sequenceId = s.dispatch AND o.opType_id IN (SELECT id FROM rocpd_string WHERE string = "
                             "'KernelExecution') WHERE s.workgroupX * o.workgroupX >= o.gridX OR s.workgroupY > 0 OR "
                             "s.wave * 64 >= o.workgroupX")
        self.assertEqual(outside, [(0,)])
        # HIP's own kernels may have switched all lanes off, just before they branch.
        idle = self.ask("SELECT count(*) FROM rtl_pc_sample s JOIN rocpd_op o ON o.process_id = s.process_id AND "
                          "o.sequenceId = s.dispatch AND o.kernel_id = s.kernel_id JOIN rocpd_string n ON n.id = "
                          "o.description_id WHERE s.exec_mask = 0 AND n.string NOT LIKE '__amd_rocclr%'")
        self.assertEqual(idle, [(0,)])

    def test_a_tool_and_rocprofv3_have_the_same_histogram(self):
        listed = self.folder / "tool.txt"
        out = self.folder / "out"
        self.run_command(
            [BUILD / "bin" / "rocprofv3", "--vgpu", "--pc-sampling-beta-enabled", "--pc-sampling-method", "host_trap",
             "--pc-sampling-unit", "time", "--pc-sampling-interval", "100", "-f", "csv", "json", "-d", out, "-o", "x",
             "--",
             self.program, STEPS],
            HSA_TOOLS_LIB=str(BUILD / "lib" / "librocprofiler-sdk.so.1"), PC_SAMPLING_FILE=str(listed),
            ROCP_TOOL_LIBRARIES=str(BUILD / "lib" / "libpc_sampling.so"), **SAMPLING)
        lines = listed.read_text().splitlines()
        self.assertRegex(lines[-1], r"^all \d+ invalid 0 dropped 0$")
        tool = collections.Counter()
        for line in lines[:-1]:
            _, offset, samples, _ = line.rsplit(" ", 3)
            tool[int(offset, 16)] += int(samples)
        results = json.loads((out / "x_results.json").read_text())["rocprofiler-sdk-tool"][0]
        records = results["buffer_records"]["pc_sample_host_trap"]
        ours = collections.Counter(record["record"]["pc"]["code_object_offset"] for record in records)
        self.assertEqual(tool, ours)
        slow = {int(line.rsplit(" ", 3)[1], 16) for line in lines[:-1] if "Normalize" in line}
        self.assert_shares(collections.Counter({offset & 0xfff: ours[offset] for offset in slow}), self.executed())
        instructions = results["strings"]["pc_sample_instructions"]
        texts = collections.Counter(instructions[record["inst_index"]] for record in records)
        with open(out / "x_pc_sampling_host_trap.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(texts, collections.Counter(row["Instruction"] for row in rows))
        self.assertEqual(list(rows[0]), ["Sample_Timestamp", "Exec_Mask", "Dispatch_Id", "Instruction",
                                         "Instruction_Comment", "Correlation_Id"])
        self.assertEqual(len({row["Dispatch_Id"]
                         for row in rows if "v_fmac_f32_e64" in row["Instruction"]}), int(STEPS))
        times = [int(row["Sample_Timestamp"]) for row in rows]
        self.assertEqual(times, sorted(times))

    def test_the_second_of_two_gpus(self):
        self.run_command([RTL, "trace", "--vgpu=2", "--pc-sampling", "100us", "-o", self.database, "--", self.program,
                          STEPS], HIP_VISIBLE_DEVICES="1")
        self.assertEqual(self.counts()[1], 0)
        agents = self.ask("SELECT DISTINCT a.gpu FROM rtl_pc_sample s JOIN rtl_agent a ON a.process_id = "
                            "s.process_id "
                            "AND a.agent = s.agent")
        self.assertEqual(agents, [(1,)])

    def dies(self, signal_name):
        """A program that dies of the signal while it is sampled."""
        submitted = 0
        for seconds in ("2", "10", "50"):  # on a busy machine nothing may have been sampled when it dies
            done = self.run_command(
                [RTL, "trace", "--vgpu", "--no-summary", "--pc-sampling", "100us", "-o", self.database, "--", "sh",
                 "-c",
                 '"$0" 1000000 & sleep "$1"; kill "$2" $!; wait $! 2>/dev/null; exit 0', self.program, seconds,
                 f"-{signal_name}"])
            counted = self.ask("SELECT 1 FROM rtl_process_counter WHERE kind = 'pc_samples' AND counter = 'submitted'")
            if counted:
                submitted, _ = self.counts()
            if submitted:
                break
        self.assertGreater(submitted, 0)
        self.assertIn("pc_samples:", done.stderr)
        self.assertEqual(self.ask("PRAGMA integrity_check"), [("ok",)])

    def test_a_killed_program_keeps_its_counts(self):
        self.dies("KILL")

    def test_a_program_that_crashes_keeps_its_counts(self):
        self.dies("SEGV")

    def test_merged_traces_keep_their_samples(self):
        parts, counts = [], []
        for name in ("a.db", "b.db"):
            self.database = self.folder / name
            self.trace("--no-summary", steps="2")
            parts.append(self.database)
            counts.append(self.hot()[KERNEL]["samples"])
        self.database = self.folder / "all.db"
        self.run_command([RTL, "merge", *parts, "-o", self.database])
        kernel = self.hot()[KERNEL]
        self.assertEqual(kernel["samples"], sum(counts))
        self.assertEqual((kernel["launches"], kernel["lines"][0]["function"]), (4, "RowLength"))

    def test_code_that_is_loaded_again_keeps_its_lines(self):
        folder = self.program.parent
        rounds = 3
        done = self.run_command([RTL, "trace", "--vgpu", "--pc-sampling", "100us", "-o", self.database, "--",
                                 folder / "module_reload", folder / "long_sum.co", folder / "long_product.co",
                                 str(rounds)])
        self.assertEqual(done.stdout, "sum 4096, product 1\n")
        self.counts()
        kernels = self.hot()
        for name, launches in (("long_sum", 4 * rounds), ("long_product", 4 * rounds)):
            self.assertEqual(kernels[name]["launches"], launches)
            self.assertGreater(kernels[name]["samples"], 100)
            files = {pathlib.Path(line["file"]).name for line in kernels[name]["lines"] if line["file"]}
            self.assertEqual(files, {f"{name}.hip"})
        # Without the numbers of the code objects their samples could not be distinguished.
        shared = self.ask("SELECT base FROM rtl_code_object GROUP BY base HAVING count(DISTINCT content) > 1")
        self.assertNotEqual(shared, [])

    def test_the_timeline_has_each_sample_at_its_line(self):
        self.trace("--no-summary")
        timeline = self.folder / "t.pftrace"
        self.run_command([RTL, "convert", self.database, "--to", "pftrace", "-o", timeline])
        shown = collections.Counter()
        lanes = 0
        for category, name, arguments in pftrace.read(timeline)[0]:
            if category == "pc_sample":
                shown[arguments["kernel_name"], name, arguments["instruction"]] += 1
                lanes += arguments["active_lanes"]
        expected = collections.Counter()
        kernels = self.hot()
        for kernel in kernels.values():
            for line in kernel["lines"]:
                for instruction in line["instructions"]:
                    # HIP's own kernels have no lines.
                    place = f"{line['file']}:{line['line']}" if line["file"] else instruction["instruction"]
                    expected[kernel["kernel"], place, instruction["instruction"]] += instruction["samples"]
        self.assertEqual(shown, expected)
        # The selection holds for samples, too.
        self.run_command([RTL, "convert", self.database, "--kernel", "^Scale", "--to", "pftrace", "-o", timeline])
        chosen = collections.Counter(
            (arguments["kernel_name"], name, arguments["instruction"])
            for category, name, arguments in pftrace.read(timeline)[0] if category == "pc_sample")
        scaled = {key: count for key, count in shown.items() if key[0].startswith("Scale")}
        self.assertNotEqual(scaled, {})
        self.assertEqual(chosen, scaled)
        self.assertEqual(lanes, sum(line["lanes"] for kernel in kernels.values() for line in kernel["lines"]))

    def test_hot_as_csv_and_by_kernel(self):
        self.trace("--no-summary")
        rows = list(csv.DictReader(self.run_command([RTL, "hot", "--csv", self.database]).stdout.splitlines()))
        self.assertEqual(sum(int(row["Samples"]) for row in rows),
                         self.ask("SELECT count(*) FROM rtl_pc_sample")[0][0])
        text = self.run_command([RTL, "hot", "--kernel", "^Scale", "--instructions", self.database]).stdout
        self.assertIn("Scale(float*, float)", text)
        self.assertNotIn("Normalize", text)
        self.assertRegex(text, r"0x[0-9a-f]+ +[sv]_\w+ ")


class Elsewhere(Sampled):
    def test_a_runtime_or_gpu_without_sampling_is_named(self):
        if SAMPLES:  # the virtual GPU is another one
            done = self.trace("--keep-going", VGPU_GFX="906", steps="1")
            self.assertIn("program counters are not sampled", done.stderr)
            self.assertIn("this GPU and its driver offer no host traps", done.stderr)
            self.assertIn("kernels: 2 submitted, 2 recorded, 0 lost", done.stderr)
            return
        done = self.trace("--keep-going")
        self.assertIn("this runtime has no PC sampling; ROCm 6.4 and later have", done.stderr)
        self.assertEqual(self.ask("SELECT count(*) FROM rtl_pc_sample"), [(0,)])
        self.assertGreater(self.ask("SELECT count(*) FROM rocpd_op")[0][0], 12)
        self.assertIn("no samples of program counters", self.run_command([RTL, "hot", self.database]).stdout)

    def test_a_tool_gets_not_available(self):
        if SAMPLES:
            self.skipTest("it is")
        done = self.run_command([BUILD / "bin" / "vgpu", "run", "--gfx", "90a", "--pc-sampling", "--", self.program,
                                 "1"],
                                HSA_TOOLS_LIB=str(BUILD / "lib" / "librocprofiler-sdk.so.1"),
                                ROCP_TOOL_LIBRARIES=str(BUILD / "lib" / "libpc_sampling.so"), **SAMPLING)
        self.assertIn("PC sampling is not available: this HSA runtime has no hsa_ven_amd_pc_sampling", done.stderr)
        self.assertIn("pc_sampling: gfx90a: the service is not available", done.stderr)


if __name__ == "__main__":
    main()
