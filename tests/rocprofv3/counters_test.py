#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rocprofv3 counts hardware events and samples program counters on the virtual GPU.

    RTL_BUILD=build/release counters_test.py [--runtime NAME]
"""

import json
import re
import shutil
import unittest

from case import Case, rows_of, run
import frame
from frame import BUILD, IN_RUNTIME, ROOT, RTL, RUNTIME, VGPU, ask, main

COUNTS = RUNTIME in ("7.2", "7.14")  # 7.14 uses the library of 7.2
HALF_WAVES = "HalfWaves:\n  architectures:\n    gfx906: {expression: 'reduce(SQ_WAVES,sum)/8'}\n"


class Counters(Case):
    def test_counters_of_kernels(self):
        if not COUNTS:
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        folder = self.make_folder()
        run("--vgpu", "--pmc", "SQ_WAVES", "SQ_INSTS_VALU", "SQ_IFETCH", "-f", "csv", "json", "rocpd",
            "-d", folder, "-o", "run", program=[self.program("hsa_counted")], VGPU_GFX="90a")
        self.assertFalse((folder / "run_kernel_trace.csv").exists())
        rows = rows_of(folder / "run_counter_collection.csv")
        self.assertEqual(list(rows[0]), [
            "Correlation_Id", "Dispatch_Id", "Agent_Id", "Queue_Id", "Process_Id", "Thread_Id", "Grid_Size",
            "Kernel_Id",
            "Kernel_Name", "Workgroup_Size", "LDS_Block_Size", "Scratch_Size", "VGPR_Count", "Accum_VGPR_Count",
            "SGPR_Count", "Counter_Name", "Counter_Value", "Start_Timestamp", "End_Timestamp"])
        values = sorted((int(row["Grid_Size"]), row["Counter_Name"], row["Counter_Value"]) for row in rows)
        expected = [(64 * waves, name, value) for waves in range(4, 52, 4) for name, value in (
            ("SQ_IFETCH", "not modelled"), ("SQ_INSTS_VALU", str(10 * waves)), ("SQ_WAVES", str(waves)))]
        self.assertEqual(values, expected)
        modelled = [row for row in expected if row[2] != "not modelled"]

        tool = json.loads((folder / "run_results.json").read_text())["rocprofiler-sdk-tool"][0]
        names = {counter["id"]["handle"]: counter["name"] for counter in tool["counters"]}
        self.assertEqual(sorted(names.values()), ["SQ_IFETCH", "SQ_INSTS_VALU", "SQ_WAVES"])
        # A record for each shader engine, with its place in the counter's dimensions.
        engine, instance = 3, 7
        self.assertEqual({tuple(counter["dimension_ids"]) for counter in tool["counters"]}, {(engine, instance)})
        self.assertEqual(tool["strings"]["counters"]["dimension_ids"], [
            {"id": engine, "instance_size": 8, "name": "DIMENSION_SHADER_ENGINE"},
            {"id": instance, "instance_size": 1, "name": "DIMENSION_INSTANCE"}])
        sums = {}
        for kernel in tool["callback_records"]["counter_collection"]:
            positions = {}
            for record in kernel["records"]:
                key = kernel["dispatch_data"]["dispatch_info"]["grid_size"]["x"], names[record["counter_id"]["handle"]]
                sums[key] = sums.get(key, 0) + record["value"]
                positions.setdefault(key, []).append(record["position"])
            self.assertEqual({tuple(map(tuple, sorted(each))) for each in positions.values()},
                             {tuple((i, 0) for i in range(8))})
        self.assertEqual(sorted((*key, f"{value:g}") for key, value in sums.items()), modelled)
        found = ask(folder / "run_results.db", "SELECT grid_size, counter_name, value FROM counters_collection")
        self.assertEqual(sorted((grid, name, f"{value:g}") for grid, name, value in found), modelled)

    def test_samples_of_program_counters(self):
        sampling = ("--pc-sampling-method", "host_trap", "--pc-sampling-unit", "time", "--pc-sampling-interval", "100")
        self.refused(*sampling, code=1, text="PC sampling needs --pc-sampling-beta-enabled")
        self.refused("--pc-sampling-beta-enabled", "--pc-sampling-method", "stochastic", "--pc-sampling-unit", "cycles",
                     "--pc-sampling-interval", "1048576", code=1,
                     text="--pc-sampling-method stochastic is not supported")
        folder = self.make_folder()
        done = run("--vgpu", "--pc-sampling-beta-enabled", *sampling, "-f", "csv", "-d", folder, "-o", "run",
                   program=[self.program("slow_rows"), "2"], code=None)
        path = folder / "run_pc_sampling_host_trap.csv"
        samples = RUNTIME in ("6.4", "7.2", "7.14")
        self.assertEqual(done.returncode, 0 if samples else 1, done.stderr)
        if not samples:
            self.assertFalse(path.exists())
            self.assertIn("this runtime has no PC sampling", done.stderr)
            return
        rows = rows_of(path)
        self.assertGreater(len(rows), 100)
        slow = [row for row in rows if row["Instruction"].startswith("v_fmac_f32")]
        self.assertIn("slow_rows.hip:", slow[0]["Instruction_Comment"])
        self.assertIn(" -> ", slow[0]["Instruction_Comment"])  # the call that it was inlined by

    @unittest.skipIf(COUNTS, "counters are read there")
    def test_where_counters_cannot_be_read_a_line_says_why(self):
        why = ("counting needs ROCm 6.0 or later" if RUNTIME is None else
               "libhsa-amd-aqlprofile64.so.1 cannot be opened")
        folder = self.make_folder()
        (folder / "more.yaml").write_text(HALF_WAVES)
        for options in (("--pmc", "SQ_WAVES"), ("--pmc", "HalfWaves", "-E", folder / "more.yaml"),
                        ("--pmc", "SQ_WAVES", "--kernel-include-regex", "Count", "--kernel-iteration-range", "[1]")):
            with self.subTest(options):
                where = ("-f", "csv", "-d", folder / "o", "-o", "run")
                refused = run("--vgpu", *options, *where, program=["touch", folder / "started"], code=1)
                self.assertRegex(refused.stderr, rf"\Arocprofv3: kernels are not counted: {why}.*; the program was "
                                                 r"not started \(--keep-going starts it\)\n\Z")
                self.assertFalse((folder / "started").exists())
                self.assertFalse((folder / "o").exists())
                done = run("--vgpu", "--keep-going", *options, *where, program=[self.program("hsa_counted")])
                self.assertRegex(done.stderr, rf"^rocprofv3: kernels are not counted in process \d+: {why}")
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertEqual(sorted(path.name for path in (folder / "o").iterdir()),
                                 ["run_agent_info.csv", "run_coverage.csv"])
                shutil.rmtree(folder / "o")
        checked = self.avail("pmc-check", "SQ_WAVES", code=None)
        self.assertEqual((checked.returncode, checked.stdout), (1, ""))
        self.assertRegex(checked.stderr, "^rocprofv3-avail: libhsa-amd-aqlprofile64.so.1 cannot be opened: .*\n$")

    @unittest.skipUnless(COUNTS, "counters are not read here")
    def test_a_counter_that_no_gpu_has_is_refused_before_the_program(self):
        folder = self.make_folder()
        jobs = [{"pmc": ["SQ_WAVES"]}, {"pmc": ["SQ_WAVES", "SQ_INSTS_VALU_MFMA_F16"]}]
        (folder / "jobs.json").write_text(json.dumps({"jobs": jobs}))
        (folder / "jobs.yaml").write_text("jobs:\n  - pmc: [SQ_WAVES]\n  - pmc: [SQ_INSTS_VALU_MFMA_F16]\n")
        (folder / "jobs.txt").write_text("pmc: SQ_WAVES\npmc: SQ_INSTS_VALU_MFMA_F16\n")
        lacks = "gfx906 has no counter SQ_INSTS_VALU_MFMA_F16"
        for options, why in ((("--pmc", "SQ_WAVES,SQ_INSTS_VALU_MFMA_F16"), lacks),
                             (("--pmc", "SQ_WAVES", "--pmc", "SQ_INSTS_VALU_MFMA_F16"), lacks),
                             *((("-i", folder / f"jobs.{kind}"), lacks) for kind in ("json", "yaml", "txt")),
                             (("--pmc", "NOBLOCK:1"), "NOBLOCK:1: gfx906 has no counters of block NOBLOCK")):
            with self.subTest(options):
                refused = run("--vgpu", *options, "-d", folder / "o", program=["touch", folder / "started"], code=None)
                self.assertEqual((refused.returncode, refused.stderr), (
                    1, f"rocprofv3: {why}; the program was not started (--keep-going starts it)\n"))
                self.assertFalse((folder / "started").exists() or (folder / "o").exists())
        for words, line in (("SQ_WAVES,SQ_INSTS_VALU_MFMA_F16", lacks),
                            ("SQ_WAVES,NO_SUCH", "rocprofv3: NO_SUCH is neither a known counter (rtl counters list) "
                                                 "nor BLOCK:EVENT (SQ:4); it is left out\n")):
            done = run("--vgpu", "--keep-going", "--pmc", words, "-f", "csv", "-d", folder / "o", "-o", "run",
                       program=[self.program("hsa_counted")])
            self.assertIn(line, done.stderr)
            rows = rows_of(folder / "o" / "run_counter_collection.csv")
            self.assertEqual([row["Counter_Name"] for row in rows], ["SQ_WAVES"] * 12)

    def test_counters_of_a_file_are_computed(self):
        if not COUNTS:
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        folder = self.make_folder()
        (folder / "more.yaml").write_text(HALF_WAVES)
        run("--vgpu", "--pmc", "HalfWaves", "VALUInsts", "-E", folder / "more.yaml", "-f", "csv", "-d", folder,
            "-o", "run",
            program=[self.program("hsa_counted")])
        values = sorted((int(row["Grid_Size"]), row["Counter_Name"], row["Counter_Value"])
                        for row in rows_of(folder / "run_counter_collection.csv"))
        self.assertEqual(values, [(64 * waves, name, value) for waves in range(4, 52, 4) for name, value in (
            ("HalfWaves", f"{waves / 8:g}"), ("VALUInsts", "10"))])
        self.refused("--pmc", "HalfWaves", "-E", "/nowhere.yaml", code=1,
                     text="--extra-counters: /nowhere.yaml cannot be read")

    def test_kernels_that_are_counted_can_be_chosen(self):
        if not COUNTS:
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        folder = self.make_folder()
        (folder / "in.yaml").write_text("jobs:\n- pmc: [SQ_WAVES]\n  kernel_include_regex: 'Count\\(|Empty'\n"
                                        "  kernel_exclude_regex: Empty\n  kernel_iteration_range: ['[2-3]', '[5]']\n"
                                        "  kernel_trace: true\n  output_format: [csv]\n")
        run("--vgpu", "-i", folder / "in.yaml", "-d", folder, "-o",
            "run", program=[self.program("kernel_flood"), "40"])
        files = {path.name: path for path in folder.rglob("*.csv")}
        kernels = rows_of(files["run_kernel_trace.csv"])
        counted = rows_of(files["run_counter_collection.csv"])
        self.assertEqual({row["Kernel_Name"] for row in counted}, {"Count(int*)"})
        launches = [row["Dispatch_Id"] for row in sorted(kernels, key=lambda row: int(row["Dispatch_Id"]))
                    if row["Kernel_Name"] == "Count(int*)"]
        self.assertEqual(len(launches), 10)
        self.assertEqual([row["Dispatch_Id"] for row in counted], [launches[1], launches[2], launches[4]])

        nothing = self.make_folder()
        done = run("--vgpu", "--pmc", "SQ_WAVES", "--kernel-include-regex", "no such kernel", "-f", "csv",
                   "-d", nothing, "-o", "run", program=[self.program("kernel_flood"), "40"])
        self.assertIn(f"rocprofv3: nothing was counted: of {len(kernels)} kernels, none passed "
                      "--kernel-include-regex, ", done.stderr)

        # Launches are counted for each name; the trace of kernels has all of them.
        each = self.make_folder()
        run("--vgpu", "--pmc", "SQ_WAVES", "--kernel-iteration-range", "[1-2]", "--kernel-trace", "-f", "csv",
            "-d", each, "-o", "run", program=[self.program("kernel_flood"), "40"])
        traced, expected = {}, []
        for row in sorted(rows_of(each / "run_kernel_trace.csv"), key=lambda row: int(row["Dispatch_Id"])):
            traced[row["Kernel_Name"]] = traced.get(row["Kernel_Name"], 0) + 1
            if traced[row["Kernel_Name"]] <= 2:
                expected.append((row["Kernel_Name"], row["Dispatch_Id"]))
        self.assertEqual(sum(traced.values()), len(kernels))
        self.assertGreater(len(traced), 1)
        self.assertEqual(sorted((row["Kernel_Name"], row["Dispatch_Id"])
                                for row in rows_of(each / "run_counter_collection.csv")), sorted(expected))

    def test_lines_of_counters_are_runs(self):
        if not COUNTS:
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        folder = self.make_folder()
        (folder / "in.txt").write_text("pmc: SQ_WAVES\npmc: SQ_INSTS_VALU # the second run\n")
        run("--vgpu", "-i", folder / "in.txt", "-f", "csv", "-d", folder / "o", "-o", "run",
            program=[self.program("hsa_counted")])
        for number, counter, each in ((1, "SQ_WAVES", 1), (2, "SQ_INSTS_VALU", 10)):
            rows = rows_of(folder / "o" / f"pmc_{number}" / "run_counter_collection.csv")
            self.assertEqual({row["Counter_Name"] for row in rows}, {counter})
            self.assertEqual(sorted((int(row["Grid_Size"]), int(row["Counter_Value"])) for row in rows),
                             [(64 * waves, each * waves) for waves in range(4, 52, 4)])
        kinds = [f"SQ_INSTS_{kind}" for kind in ("VALU", "VMEM_WR", "VMEM_RD", "SALU", "SMEM", "FLAT", "LDS", "GDS")]
        program = [self.program("hsa_counted")]
        options = ("-f", "csv", "-d", folder / "many", "-o", "run")
        self.refused("--vgpu", "--pmc", "SQ_WAVES", *kinds, *options, code=1, program=program,
                     text="--pmc: gfx906 cannot count all of these in one run, but in 2: --pmc SQ_WAVES SQ_INSTS_VALU")
        self.assertFalse((folder / "many").exists())
        run("--vgpu", "--pmc", "SQ_WAVES", *kinds[:-1], "--pmc", kinds[-1], *options, program=program)
        many = folder / "many"
        counted = [{row["Counter_Name"] for row in rows_of(many / f"pass_{number}" / "run_counter_collection.csv")}
                   for number in (1, 2)]
        self.assertEqual(counted, [{"SQ_WAVES", *kinds[:-1]}, {kinds[-1]}])

    def test_groups_of_counters_take_turns(self):
        if not COUNTS:
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        folder = self.make_folder()
        (folder / "in.yaml").write_text("jobs:\n- pmc_groups: [[SQ_WAVES, SQ_INSTS_VALU], [SQ_INSTS_SALU]]\n"
                                        "  pmc_group_interval: 3\n  kernel_trace: true\n  output_format: [csv]\n")
        run("--vgpu", "-i", folder / "in.yaml", "-d", folder, "-o", "run", program=[self.program("hsa_counted")])
        files = {path.name: path for path in folder.rglob("*.csv")}
        submitted = [int(row["Dispatch_Id"]) for row in rows_of(files["run_kernel_trace.csv"])]  # in this order
        self.assertEqual(len(submitted), 12)
        counted = {}
        for row in rows_of(files["run_counter_collection.csv"]):
            waves = int(row["Grid_Size"]) // 64
            each = {"SQ_WAVES": 1, "SQ_INSTS_VALU": 10, "SQ_INSTS_SALU": 5}[row["Counter_Name"]]
            self.assertEqual(int(row["Counter_Value"]), each * waves)
            counted.setdefault(int(row["Dispatch_Id"]), set()).add(row["Counter_Name"])
        self.assertEqual([sorted(counted[dispatch]) for dispatch in submitted],
                         (3 * [["SQ_INSTS_VALU", "SQ_WAVES"]] + 3 * [["SQ_INSTS_SALU"]]) * 2)

        kinds = ", ".join(f"SQ_INSTS_{kind}" for kind in ("VALU", "VMEM_WR", "VMEM_RD", "SALU", "SMEM", "FLAT", "LDS",
                                                          "GDS"))
        (folder / "many.yaml").write_text(f"jobs:\n- pmc_groups: [[TCC_HIT], [SQ_WAVES, {kinds}]]\n")
        self.refused("--vgpu", "-i", folder / "many.yaml", code=1, program=[self.program("hsa_counted")],
                     text="pmc_groups, group 2: gfx906 cannot count all of these in one run, but in 2: --pmc SQ_WAVES")

    def test_counters_of_several_runs_are_joined(self):
        """The file that CMake projects know as rocprofiler-sdk::convert-counters-collection-format."""
        convert = ROOT / "scripts/convert-counters-collection-format.py"
        folder = self.make_folder()
        line = ('"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id",'
                '"Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","SGPR_Count",'
                '"Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"\n')
        for number, rows in ((1, ((10, "A", 1), (10, "B", 2), (9, "A", 3))), (2, ((10, "C", 4.5), (10, "A", 7)))):
            (folder / f"pmc_{number}").mkdir()
            (folder / f"pmc_{number}" / "x_counter_collection.csv").write_text(line + "".join(
                f'1,{dispatch},"Agent 1",1,5,5,64,1,"k(int, int)",64,0,0,8,16,"{name}",{value},1,2\n'
                for dispatch, name, value in rows))
        keys = "Dispatch_Id,Agent_Id,Grid_Size,Kernel_Name,LDS_Block_Size,Queue_Id,SGPR_Count,Scratch_Size,VGPR_Count"
        for more, agent in (((), "1"), (("--retain-agent-prefix",), "Agent 1")):
            self.assertEqual(frame.run(convert, "-i", folder, "-o", folder / "new" / "all.csv", *more).stderr, "")
            self.assertEqual((folder / "new" / "all.csv").read_text(), f'{keys},Workgroup_Size,A,B,C\n'
                             f'9,{agent},64,"k(int, int)",0,1,16,0,8,64,3,,\n'
                             f'10,{agent},64,"k(int, int)",0,1,16,0,8,64,1,2,4.5\n')
        (folder / "other.csv").write_text("a,b\n1,2\n")
        for place, text in (("nowhere", "nowhere: no such file or folder"), ("new", "there is no pmc_N/"),
                            ("other.csv", "other.csv: there is no column Dispatch_Id")):
            done = frame.run(convert, "-i", folder / place, "-o", folder / "y.csv", code=1)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(text, done.stderr)

    def test_input_files_can_ask_what_is_available(self):
        folder = self.make_folder()
        (folder / "in.yaml").write_text("jobs:\n- list_avail: true\n")
        done = self.avail("-i", folder / "in.yaml", program="rocprofv3")
        self.assertEqual(done.stdout, self.avail("--list-avail", program="rocprofv3").stdout)

    @unittest.skipUnless(COUNTS, "counters are not read here")
    def test_a_trace_refuses_what_cannot_be_counted_before_the_program(self):
        """rtl trace and rocprofv3 ask the same GPUs; rtl's own option goes on."""
        folder = self.make_folder()
        many = ",".join(f"SQ:{event}" for event in range(1, 12))
        for options, variables, why in (
                (["--pmc", many], {}, r"kernels are not counted: gfx906 cannot count all of these at once, but in 2 runs "
                                      r"\(rtl counters check says which\)"),
                (["--pmc", "SQ_WAVES"], {"ROCR_VISIBLE_DEVICES": "5"},
                 r"kernels are not counted: the HSA runtime shows no GPU \(ROCR_VISIBLE_DEVICES may hide it\)"),
                (["--pmc", "SQ:1024"], {}, None)):
            with self.subTest(options):
                done = frame.run(*IN_RUNTIME, RTL, "trace", "--vgpu", *options, "-o", folder / "t.db", "--", "touch",
                                 folder / "started", code=1 if why else 2, **variables)
                self.assertRegex(done.stderr, rf"\Artl: {why}; the program was not started \(--keep-going starts it\)\n\Z"
                                 if why else r"\Artl: --pmc: SQ:1024: neither the name of a counter nor BLOCK:EVENT .*\n\Z")
                self.assertEqual(list(folder.iterdir()), [])

    def test_counters_of_one_gpu_alone(self):
        if not COUNTS:
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        for words, wanted in (("SQ_WAVES SQ_INSTS_VALU:device=1", {("GPU 0", "SQ_WAVES"), ("GPU 1", "SQ_WAVES"),
                                                                   ("GPU 1", "SQ_INSTS_VALU")}),
                              ("SQ:4:device=0 SQ_WAVES:device=16384", {("GPU 0", "SQ_4")}),
                              ("SQ_WAVES:device=7", None)):
            folder = self.make_folder()
            done = run("--vgpu", "--pmc", *words.split(), "-A", "type-relative", "-f", "csv", "-d", folder, "-o", "run",
                       program=[self.program("two_gpus")], VGPU_NUM_GPUS="2")
            if wanted is None:
                self.assertIn("nothing was counted: of ", done.stderr)
                self.assertIn("none ran on a GPU that :device= names", done.stderr)
            else:
                rows = rows_of(folder / "run_counter_collection.csv")
                self.assertEqual({(row["Agent_Id"], row["Counter_Name"]) for row in rows}, wanted)
        self.refused("--pmc", "SQ_WAVES:device=x", code=1, program=["true"],
                     text="SQ_WAVES:device=x: a GPU is chosen by its number from 0, as in :device=0")

    def avail(self, *arguments, program="rocprofv3-avail", code=0):
        return frame.run(*IN_RUNTIME, VGPU, "run", "--gpus", "2", "--", BUILD / "bin" / program, *arguments, code=code)

    def test_avail_lists_what_can_be_collected(self):
        if not COUNTS:
            self.skipTest("libhsa-amd-aqlprofile64.so.1 is packaged with ROCm 7.2 alone")
        listed = self.avail("list")
        self.assertEqual(re.findall(r"^(GPU|Name) +:\t(.*)$", listed.stdout, re.M),
                         [("GPU", "0"), ("Name", "gfx906"), ("GPU", "1"), ("Name", "gfx906")])
        self.assertEqual(listed.stdout.split().count("SQ_WAVES"), 2)
        self.assertEqual(self.avail("list", "--agent", "no", "--pmc").stdout, listed.stdout)
        agents = self.avail("list", "--agent").stdout
        for line in (r"GPU:[01]", r"simd_count +:\t240", r"cu_count +:\t60", r"model_name +:\tvega20",
                     r"name +:\tgfx906"):
            self.assertEqual(len(re.findall(f"^{line}$", agents, re.M)), 2, line)
        self.assertNotIn("SQ_WAVES", agents)
        both = self.avail("info", "-d", "1").stdout
        self.assertEqual(re.findall("^(?:GPU:.*|logical_node_type_id.*)", both, re.M),
                         ["GPU:1", f"{'logical_node_type_id':30}:\t1"])
        self.assertEqual(both.split().count("SQ_WAVES"), 1)
        info = self.avail("-d", "1", "info", "--pmc", "SQ_WAVES", "VALUInsts").stdout
        self.assertTrue(info.startswith("GPU:1\nName:gfx906\n"), info)
        self.assertEqual(re.findall(r"^(\S+) +:\t(.*)$", info, re.M), [
            ("Counter_Name", "SQ_WAVES"), ("Description", "Waves that were started"),
            ("Block", "SQ"), ("Event", "4"), ("Counter_Name", "VALUInsts"),
            ("Description", "Vector instructions, for each wave"),
            ("Expression", "reduce(SQ_INSTS_VALU,sum)/reduce(SQ_WAVES,sum)")])
        fits = self.avail("pmc-check", "SQ_WAVES", "TCC_HIT:device=1", code=None)
        self.assertEqual((fits.returncode, fits.stdout.splitlines()), (0, [
            "Following input counters can be collected together on GPU:0\tSQ_WAVES",
            "Following input counters can be collected together on GPU:1\tSQ_WAVES\tTCC_HIT"]))
        kinds = [f"SQ_INSTS_{kind}" for kind in ("VALU", "VMEM_WR", "VMEM_RD", "SALU", "SMEM", "FLAT", "LDS", "GDS")]
        many = self.avail("-d", "0", "pmc-check", "SQ_WAVES", *kinds, code=None)
        self.assertEqual((many.returncode, many.stdout.splitlines()[0]), (1, "On GPU:0 these counters take 2 runs:"))
        self.assertIn("Counter_Name                  :\tTCC_HIT_sum", self.avail("-L", program="rocprofv3").stdout)
        for arguments, code, text in (([], 2, "list, info or pmc-check is missing"),
                                      (["-d", "7", "list"], 1, "no GPU 7"),
                                      (["info", "--pmc", "NOPE"], 1, "GPU 0 (gfx906) has no counter NOPE"),
                                      (["info", "SQ_WAVES"], 2, "counters follow --pmc, not SQ_WAVES")):
            wrong = self.avail(*arguments, code=code)
            self.assertIn(f"rocprofv3-avail: {text}", wrong.stderr)


if __name__ == "__main__":
    main()
