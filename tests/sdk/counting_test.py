#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hardware counters of kernels, as a tool on librocprofiler-sdk.so.1 gets them.

    RTL_BUILD=build/release counting_test.py [--runtime NAME]

Each wave of tests/programs/hsa_counted.cpp runs 10 vector and 5 scalar moves, and the end, which is scalar
and is not counted; the kernels have 4, 8, … 48 waves.
"""

import json
import re
import unittest

from sdk_support import BUILD, RUNTIME, ToolTest, ask, main, tool

WAVES = range(4, 52, 4)
COUNTERS = "SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU"


def line_of(waves):
    return f"grid {64 * waves} SQ_WAVES {waves} in 4 SQ_INSTS_VALU {10 * waves} in 4 SQ_INSTS_SALU {5 * waves} in 4"


@unittest.skipUnless(RUNTIME in ("7.2", "7.14"), "libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
class Counting(ToolTest):
    def counted(self, program="hsa_counted", counters=COUNTERS, describe=0, **variables):
        """The lines of the kernels, without their numbers, and the numbers."""
        path = self.folder / "counters.txt"
        out, said = self.with_tools(tool("counter_collection"), self.program(program),
                                    COUNTER_COLLECTION_FILE=str(path),
                                    COUNTER_COLLECTION_COUNTERS=counters, **variables)
        self.assertEqual(said, [])
        self.assertEqual(out, "ok 12 kernels ended\n")
        lines = path.read_text().splitlines()
        self.assertEqual(lines.pop(), "dropped 0")
        if describe:
            return lines[:describe], []
        kernels = [line.split(" ", 2) for line in lines]
        return sorted((kernel[2] for kernel in kernels), key=lambda line: int(line.split()[1])), [
            int(kernel[1]) for kernel in kernels]

    def test_a_callback_has_the_exact_counts(self):
        lines, numbers = self.counted()
        self.assertEqual(lines, [line_of(waves) for waves in WAVES])
        self.assertEqual(sorted(numbers), list(range(1, 13)))

    def test_a_buffer_has_the_exact_counts(self):
        lines, numbers = self.counted(COUNTER_COLLECTION_MODE="buffer")
        self.assertEqual(lines, [line_of(waves) for waves in WAVES])
        self.assertEqual(sorted(numbers), list(range(1, 13)))

    def test_computed_counters_have_the_exact_values(self):
        lines, _ = self.counted(counters="VALUInsts,CU_NUM,Twice",
                                COUNTER_COLLECTION_OWN="Twice=2*reduce(SQ_INSTS_SALU,sum)+SQ_INSTS_SALU*0")
        self.assertEqual(lines, [f"grid {64 * waves} VALUInsts 10 in 1 CU_NUM 60 in 1 Twice {40 * waves} in 4"
                                 for waves in WAVES])

    def test_a_counter_has_its_dimensions(self):
        lines, _ = self.counted(counters="SQ_WAVES,VALUInsts,TCC_HIT", COUNTER_COLLECTION_DESCRIBE="1", describe=3)
        self.assertEqual(lines, [
            "counter SQ_WAVES = SQ: Waves that were started; DIMENSION_SHADER_ENGINE[4] DIMENSION_INSTANCE[1] = 4",
            "counter VALUInsts = reduce(SQ_INSTS_VALU,sum)/reduce(SQ_WAVES,sum): Vector instructions, for each wave; "
            "DIMENSION_INSTANCE[1] = 1",
            "counter TCC_HIT = TCC: Requests that the second level cache answered; DIMENSION_INSTANCE[16] = 16"])

    def test_tools_built_with_rocm_7_0_get_its_layout_beside_others(self):
        path = self.folder / "counters.txt"
        _, said = self.with_tools(f"{tool('sdk_rocm70_tool')}:{tool('counter_collection')}",
                                  self.program("hsa_counted"), COUNTER_COLLECTION_FILE=str(path),
                                  COUNTER_COLLECTION_COUNTERS="TCC_HIT", COUNTER_COLLECTION_DESCRIBE="1")
        self.assertEqual(said, ["rocm70: TCC_HIT of TCC: DIMENSION_INSTANCE[16]; 16 instances: " +
                                " ".join(str(n) for n in range(16)) + "; nothing is written behind it"])
        self.assertEqual(path.read_text().splitlines()[0],
                         "counter TCC_HIT = TCC: Requests that the second level cache answered; "
                         "DIMENSION_INSTANCE[16] = 16")

    def test_expressions_know_the_fields_of_the_agent(self):
        listed, _ = self.run_command([BUILD / "bin" / "vgpu", "run", "--", BUILD / "bin" / "rocprofv3-avail", "list",
                                      "--agent"])
        fields = dict(re.findall(r"^(\w+) +:\t(\d+)$", listed, re.M))
        names = sorted({"wave_front_size", "simd_count", "simd_per_cu", "cu_count", "num_shader_banks",
                        "max_waves_per_simd", "max_waves_per_cu", "array_count", "cu_per_simd_array",
                        "simd_arrays_per_engine", "num_xcc"})
        self.assertEqual([name for name in names if name not in fields], [])
        definitions = self.folder / "more.yaml"
        definitions.write_text("".join(f"Own_{name}:\n  architectures:\n    gfx906:\n      expression: {name}\n"
                                       for name in names))
        lines, _ = self.counted(counters=",".join(f"Own_{name}" for name in names),
                                COUNTER_COLLECTION_DEFINITIONS=str(definitions))
        each = " ".join(f"Own_{name} {fields[name]} in 1" for name in names)
        self.assertEqual(lines, [f"grid {64 * waves} {each}" for waves in WAVES])

    def test_a_tool_defines_counters_of_its_own(self):
        definitions = self.folder / "more.yaml"
        definitions.write_text("Triple:\n  architectures:\n    gfx906/gfx90a:\n"
                               "      expression: 3*reduce(SQ_WAVES,sum)\n  description: three\n")
        lines, _ = self.counted(counters="Triple", COUNTER_COLLECTION_DEFINITIONS=str(definitions))
        self.assertEqual(lines, [f"grid {64 * waves} Triple {3 * waves} in 1" for waves in WAVES])

    def test_an_invalid_expression_is_named(self):
        path = self.folder / "counters.txt"
        _, said = self.with_tools(tool("counter_collection"), self.program("hsa_counted"),
                                  COUNTER_COLLECTION_FILE=str(path), COUNTER_COLLECTION_OWN="Odd=SQ_WAVES+TCC_HIT")
        self.assertIn("rtl: the counter cannot be made: Odd: one operand has the dimensions "
                      "DIMENSION_SHADER_ENGINE, the other DIMENSION_INSTANCE: reduce one", said)
        self.assertIn("counter_collection: own counter: the expression of the counter could not be parsed", said)

    def with_trace(self, traced, counted, *options):
        """A trace and a tool count at once: what each has got, and what was said."""
        path, database = self.folder / "counters.txt", self.folder / "trace.db"
        out, said = self.with_tools(tool("counter_collection"),
                                    [BUILD / "bin" / "rtl", "trace", "--no-summary", "--pmc", traced, *options, "-o",
                                     database, "--", *self.program("hsa_counted")],
                                    COUNTER_COLLECTION_FILE=str(path), COUNTER_COLLECTION_COUNTERS=counted)
        self.assertEqual(out, "ok 12 kernels ended\n")
        lines = path.read_text().splitlines()
        self.assertEqual(lines.pop(), "dropped 0")
        values = ask(database, "SELECT o.gridX, c.name, c.value FROM rtl_counter c JOIN rocpd_op o ON "
                                      "o.sequenceId = c.dispatch AND o.kernel_id != 0")
        return (sorted((line.split(" ", 2)[2] for line in lines), key=lambda line: int(line.split()[1])),
                sorted(values), said)

    def test_a_trace_and_a_tool_count_at_once(self):
        lines, values, said = self.with_trace("SQ_INSTS_SALU,VALUInsts", COUNTERS)
        self.assertEqual(lines, [line_of(waves) for waves in WAVES])
        self.assertEqual(values, [(64 * waves, name, value) for waves in WAVES
                                  for name, value in (("SQ_INSTS_SALU", 5 * waves), ("VALUInsts", 10))])
        self.assertTrue(any("counted_kernels: 12 submitted, 12 recorded, 0 lost" in line for line in said), said)

    def test_a_tool_has_its_values_where_those_of_a_trace_do_not_fit(self):
        lines, values, said = self.with_trace("SQ_INSTS_SMEM,SQ_INSTS_LDS,SQ_INSTS_FLAT,SQ_INSTS_VMEM_RD,"
                                              "SQ_INSTS_VMEM_WR,SQ_ACTIVE_INST_VALU", COUNTERS)
        self.assertEqual(lines, [line_of(waves) for waves in WAVES])
        self.assertEqual(values, [])
        self.assertEqual(sum("do not fit into one run" in line for line in said), 1, said)
        self.assertTrue(any("12 lost (kNotCountable: 12)" in line for line in said), said)

    def test_each_query_has_its_status(self):
        path = self.folder / "statuses.txt"
        _, said = self.with_tools(tool("sdk_counter_statuses_tool"), self.program("hsa_counted"), VGPU_NUM_GPUS="2",
                                  COUNTER_STATUSES_FILE=str(path))
        self.assertEqual(said, [])
        lines = path.read_text().splitlines()
        counters = [line.split() for line in lines if line.startswith("counter ")]
        listed, _ = self.run_command([BUILD / "bin" / "rtl", "counters", "list", "--gpu", "gfx906", "--json"])
        self.assertEqual(sorted(name for _, name, *_ in counters), sorted(row["name"] for row in json.loads(listed)))
        for _, name, instances, extents, _ in counters:
            self.assertEqual(instances, extents, name)
        statuses = [line.replace("ROCPROFILER_STATUS_", "") for line in lines if not line.startswith("counter ")]
        self.assertEqual(statuses, [
            "counters of the processor: ERROR_AGENT_ARCH_NOT_SUPPORTED",
            "counters: SUCCESS",
            "one counter: SUCCESS",
            "one more: SUCCESS",
            "the base is kept",
            "used again: SUCCESS",
            "nine of one block: ERROR_EXCEEDS_HW_LIMIT",
            "and the handle is untouched",
            "no such counter: ERROR_COUNTER_NOT_FOUND",
            "of another kind of GPU: ERROR_METRIC_NOT_VALID_FOR_AGENT",
            "of the processor: ERROR_AGENT_ARCH_NOT_SUPPORTED",
            "extended for another GPU: ERROR_AGENT_MISMATCH",
            "extends nothing: ERROR_PROFILE_COUNTER_NOT_FOUND",
            "destroyed: SUCCESS",
            "destroyed again: ERROR_PROFILE_COUNTER_NOT_FOUND",
            "a service: SUCCESS",
            "twice: ERROR_SERVICE_ALREADY_CONFIGURED",
            "another context's: SUCCESS",
            "start: SUCCESS",
            "start the other: ERROR_CONTEXT_CONFLICT",
            "of a device: SUCCESS",
            "asynchronous with room for values: ERROR_INVALID_ARGUMENT",
            "sampled before it was started: ERROR_CONTEXT_NOT_STARTED"])

    def device_counts(self, program="hsa_counted", expected="ok 12 kernels ended", **variables):
        path = self.folder / "devices.txt"
        out, said = self.with_tools(tool("device_counting"), self.program(program), DEVICE_COUNTING_FILE=str(path),
                                    **variables)
        self.assertEqual((out.splitlines()[0], said), (expected, []))
        return path.read_text().splitlines()

    def test_a_device_counts_all_that_runs_on_it(self):
        waves = sum(WAVES)
        line = f"agent 1 SQ_WAVES {waves} in 4 SQ_INSTS_VALU {10 * waves} in 4 VALUInsts 10 in 1"
        counters = "SQ_WAVES,SQ_INSTS_VALU,VALUInsts"
        self.assertEqual(self.device_counts(DEVICE_COUNTING_COUNTERS=counters), [line])
        self.assertEqual(self.device_counts(DEVICE_COUNTING_COUNTERS=counters, DEVICE_COUNTING_MODE="async"), [line])

    def test_a_runtime_that_is_never_shut_down_ends_without_counts(self):
        # At exit AMD's library is destroyed before the runtime.
        self.assertEqual(self.device_counts("vector_add", "ok a copy to the device and back keeps every bit"), [])

    def test_samples_continue_counting(self):
        lines = self.device_counts(DEVICE_COUNTING_COUNTERS="SQ_WAVES", DEVICE_COUNTING_STEPS="1")
        self.assertEqual(lines, [f"agent 1 SQ_WAVES {sum(WAVES)} in 4"] * 2)

    def test_only_chosen_kernels_are_counted(self):
        lines, numbers = self.counted(COUNTER_COLLECTION_EVERY="3")
        self.assertEqual(len(lines), 4)
        self.assertEqual(sorted(numbers), [1, 4, 7, 10])
        self.assertLessEqual(set(lines), {line_of(waves) for waves in WAVES})

    def test_a_missing_library_is_named(self):
        path = self.folder / "counters.txt"
        _, said = self.with_tools(tool("counter_collection"), self.program("hsa_counted"),
                                  COUNTER_COLLECTION_FILE=str(path), RTL_AQLPROFILE="/nowhere/libaqlprofile.so")
        self.assertTrue(any("counters are not available: /nowhere/libaqlprofile.so cannot be opened" in line
                            for line in said), said)
        self.assertEqual(path.read_text(), "dropped 0\n")

    def test_counters_that_do_not_fit_together_are_refused(self):
        many = "SQ_LDS_BANK_CONFLICT,SQ_WAVES," + ",".join(
            f"SQ_INSTS_{kind}" for kind in ("VALU", "VMEM_WR", "VMEM_RD", "SALU", "SMEM", "FLAT", "LDS", "GDS"))
        path = self.folder / "counters.txt"
        _, said = self.with_tools(tool("counter_collection"), self.program("hsa_counted"),
                                  COUNTER_COLLECTION_FILE=str(path), COUNTER_COLLECTION_COUNTERS=many)
        self.assertEqual(len(said), 1)
        self.assertIn("counter_collection: configuration: ", said[0])
        self.assertEqual(path.read_text(), "dropped 0\n")


if __name__ == "__main__":
    main()
