#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HSA calls, allocations, scratch memory and initializations of runtimes in a trace, against independent sources: a
tool that counts calls in the runtime's tables, the program's own list of its memory, the layout of the GPU.

    RTL_BUILD=build/release event_kinds_test.py [--runtime NAME]
"""

import array
import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import frame  # noqa: E402
from frame import BUILD, IN_RUNTIME, PROGRAMS, ROOT, RTL, RUNTIME, Case, check_sums, facts_of, main, run  # noqa: E402

SPEC = ROOT / "spec" / "api" / "hsa"
# The indices at which tests/programs/hsa_call_counter.cpp counts the functions of each table.
PLACES = {"core_": 0, "amd_ext_": 128, "finalizer_ext_": 384, "image_ext_": 400}
# The GPU has 60 units, each with room for 32 waves that use scratch memory, of 64 lanes.
LANES = 60 * 32 * 64
ALLOCATIONS = {"allocate": "allocate", "free": "free", "vmem": "vmem_allocate", "vmem_free": "vmem_free"}
IN_THREADS, PIECE = 100, 65536  # of hsa_allocations


def functions():
    """Index among the counts -> the name of the function."""
    names = {}
    for line in (SPEC / f"{ {None: '5.2', '7.14': '7.2'}.get(RUNTIME, RUNTIME)}.txt").read_text().splitlines():
        words = line.split()
        if words[:1] == ["table"]:
            first = PLACES.get(words[1])
        elif words[:1] == ["slot"] and first is not None:
            names[first + (int(words[2].removeprefix("@")) - 16) // 8] = words[1]
    return names


class Traced(Case):
    def run_command(self, command, code=0, **variables):
        return run(*IN_RUNTIME, *command, code=code, **variables)

    def trace(self, events, name, *arguments, options=()):
        done = frame.trace(self.database, self.program(name), *arguments, options=("--events", events, *options))
        self.assertNotIn("do not add up", done.stderr)
        self.check_counts()
        return done

    def check_counts(self):
        """submitted == recorded + losses of every kind, and kinds that were not chosen were not counted."""
        tags = facts_of(self.database)
        check_sums(tags)
        return tags

    def recorded(self):
        return {tag.removeprefix("recorded."): int(value) for tag, value in self.check_counts().items()
                if tag.startswith("recorded.") and value != "0"}

    def counted(self, name, *arguments, **variables):
        """Runs the program under the tracer, with the counting tool before it.

        Returns function -> calls in the trace, and function -> counted calls."""
        counts = self.folder / "counts"
        counter = PROGRAMS / "libhsa_call_counter.so"
        self.run_command([BUILD / "bin" / "vgpu", "run", "--", self.program(name), *arguments],
                         RTL_OUTPUT=str(self.database),
                         RTL_EVENTS="hsa", HSA_TOOLS_LIB=f"{BUILD / 'lib' / 'librtl.so'} {counter}",
                         HSA_CALL_COUNTS=str(counts), **variables)
        self.check_counts()
        numbers = array.array("Q", counts.read_bytes())
        names = functions()
        self.assertEqual([place for place, number in enumerate(numbers) if number and place not in names], [])
        seen = {names[place]: number for place, number in enumerate(numbers) if number}
        return dict(self.ask("SELECT name, count(*) FROM hsa_call GROUP BY name")), seen

    def test_every_hsa_call_of_a_program_is_in_the_trace(self):
        for program, arguments in (("hsa_allocations", ()), ("hsa_copy_ways", ()), ("hsa_storm", ("200", "2"))):
            with self.subTest(program):
                if not (PROGRAMS / program).exists():
                    continue
                self.database.unlink(missing_ok=True)
                (self.folder / "counts").unlink(missing_ok=True)
                traced, counted = self.counted(program, *arguments)
                self.assertEqual(traced, counted)
                self.assertIn("hsa_shut_down", traced)
                self.assertEqual(self.recorded(), {"hsa_calls": sum(counted.values())})

    def test_hsa_calls_of_hip_are_in_the_trace(self):
        traced, counted = self.counted("vector_add")
        # At exit HIP still cleans up after the tracer has stopped.
        self.assertEqual({name: (number, counted.get(name)) for name, number in traced.items()
                          if number > counted.get(name, 0)}, {})
        for name in ("hsa_queue_create", "hsa_amd_memory_pool_allocate", "hsa_executable_freeze", "hsa_iterate_agents"):
            self.assertEqual(traced.get(name), counted[name], name)

    def test_arguments_and_results_are_those_of_the_program(self):
        done = self.trace("hsa,memory", "hsa_allocations")
        said = [line.split() for line in done.stdout.splitlines()]
        pools = self.ask("SELECT args, result FROM hsa_call WHERE name IN ('hsa_amd_memory_pool_allocate',"
                         " 'hsa_memory_allocate') AND tid ="
                         " (SELECT tid FROM hsa_call ORDER BY start LIMIT 1) ORDER BY start")
        given = [re.search(r"size=(\d+),(?: flags=0,)? ptr=0x\w+(?: -> 0x(\w+))?$", args).groups() for args, _ in pools]
        expected = [(size, address.removeprefix("0x")) for what, _, size, address in said if what == "allocate"]
        self.assertEqual([(size, address or "(nil)") for size, address in given], expected)
        self.assertEqual([result >= 0x1000 for _, result in pools], [address == "(nil)" for _, address in expected])
        overlapping = self.ask("SELECT count(*) FROM memory_allocation m WHERE NOT EXISTS (SELECT 1 FROM hsa_call c"
                               " WHERE"
                               " c.tid = m.tid AND c.start = m.start AND c.end = m.end AND c.result = m.status)")
        self.assertEqual(overlapping, [(0,)])

    def test_each_allocation_and_free_of_the_program_is_recorded(self):
        done = self.trace("memory", "hsa_allocations")
        said = [line.split() for line in done.stdout.splitlines()]
        rows = self.ask("SELECT tid, name, gpuId, agent, bytes, address FROM memory_allocation ORDER BY start")
        main_thread = rows[0][0]
        whose = {None: "cpu", 0: "gpu"}
        got = [(name, whose[gpu] if agent else "none", size, address)
               for tid, name, gpu, agent, size, address in rows if tid == main_thread]
        expected = [(ALLOCATIONS[what], owner, int(size), int(address.replace("(nil)", "0x0"), 16))
                    for what, owner, size, address in said]
        self.assertEqual(got, expected)
        others = collections.Counter(row[1:2] + row[4:5] for row in rows if row[0] != main_thread)
        self.assertEqual(others, {("allocate", PIECE): IN_THREADS, ("free", 0): IN_THREADS})
        self.assertEqual(self.recorded(), {"allocations": len(rows)})

    def test_memory_belongs_to_the_call_of_hip_that_allocates_it(self):
        self.trace("hip,memory", "vector_add")
        names = dict(self.ask("SELECT n.string, count(*) FROM memory_allocation m"
                              " JOIN rocpd_api a ON a.process_id = m.process_id AND"
                              " a.correlation_id = m.correlation_id JOIN rocpd_string n ON n.id = a.apiName_id"
                              " WHERE m.gpuId = 0 AND m.start >= a.start AND m.end <= a.end GROUP BY 1"))
        self.assertGreaterEqual(names.get("hipMalloc", 0), 1, names)

    def test_scratch_memory_is_what_each_queue_got(self):
        done = self.trace("scratch,kernels", "big_stacks")
        rows = self.ask("SELECT name, queueId, gpuId, bytes, start, end FROM scratch_memory ORDER BY start")
        if RUNTIME is None:
            self.assertEqual(rows, [])
            self.assertIn("only runtimes from ROCm 6.1 on report it", done.stderr)
            return
        frees = [row for row in rows if row[0] == "scratch_free"]
        allocations = [row for row in rows if row[0] == "scratch_allocate"]
        self.assertEqual(len(frees) + len(allocations), len(rows))
        queues = list(dict.fromkeys(row[1] for row in allocations))
        # For the larger one, and when HIP destroys the queues at the end. Earlier runtimes report none.
        each = 2 if RUNTIME in ("7.2", "7.14") else 0
        self.assertEqual(sorted(row[1] for row in frees), sorted(queues * each))
        self.assertEqual([row[1] for row in allocations], [queues[0], queues[0], queues[1], queues[1]])
        self.assertNotIn(None, queues)
        self.assertEqual({row[2] for row in rows}, {0})
        sizes = [row[3] for row in allocations]
        self.assertEqual(sizes[:2], sizes[2:])
        for size, least in zip(sizes, (64 * 4, 192 * 4)):
            self.assertGreaterEqual(size, LANES * least)
            self.assertLess(size, LANES * (least + 64))

    def test_initialised_runtimes_are_recorded(self):
        self.trace("init,markers", "hsa_markers")
        rows = self.ask("SELECT name, version, instance, start, end FROM runtime_init")
        self.assertEqual(sorted(row[0] for row in rows), ["HSA", "ROCTx"])
        for _, version, instance, start, end in rows:
            self.assertGreaterEqual(version, 10000)
            self.assertEqual((instance, start), (0, end))
        self.database.unlink()
        self.trace("init", "vector_add")
        major = {"6.4": 6, "7.2": 7, "7.14": 7}.get(RUNTIME, 5)  # 6.1 has no HIP of its own here
        rows = dict(self.ask("SELECT name, version FROM runtime_init"))
        self.assertEqual((sorted(rows), rows["HIP"] // 10000), (["HIP", "HSA"], major))

    def test_only_chosen_events_are_recorded(self):
        chosen = {"kernels": {"kernels"}, "copies": {"copies"}, "hip": {"hip_calls"},
                  "hip-compiler": {"hip_compiler_calls"},
                  "kernels,hip-compiler,hip": {"kernels", "hip_calls", "hip_compiler_calls"}}
        for words, kinds in chosen.items():
            with self.subTest(words):
                self.database.unlink(missing_ok=True)
                self.trace(words, "vector_add")
                recorded = self.recorded()
                # HIP may copy by asynchronous copies or by kernels.
                self.assertLessEqual(set(recorded), kinds)
                self.assertGreaterEqual(set(recorded) | {"copies"}, kinds)

    def test_calls_of_the_compiler_are_a_kind_of_their_own(self):
        self.trace("hip,hip-compiler", "vector_add")
        rows = frame.calls_of(self.database)
        compiler = sum(number for name, number in rows.items() if name.startswith("__hip"))
        recorded = self.recorded()
        self.assertEqual((recorded["hip_compiler_calls"], recorded["hip_calls"]),
                         (compiler, sum(rows.values()) - compiler))
        self.assertGreaterEqual(rows["__hipPushCallConfiguration"], 1)
        self.assertEqual(rows["__hipPushCallConfiguration"], rows["hipLaunchKernel"])

    def test_an_unknown_kind_is_refused(self):
        command = [RTL, "trace", "--events", "kernels,hsb", "true"]
        done = self.run_command(command, code=2)
        self.assertIn('"hsb" is not a kind of event (kernels, markers, hip, copies, barriers, hsa, memory, scratch, '
                      'init,'
                      ' hip-compiler, counters, rccl, pc-samples)',
                      done.stderr)
        self.assertFalse(self.database.exists())


if __name__ == "__main__":
    main()
