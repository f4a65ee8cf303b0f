#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl report of a traced program, opened in a real browser: its contents, and its reactions to clicks and keys.

    RTL_BUILD=build/release report_test.py [--runtime NAME] [--pictures DIR]
"""

import json
import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import browser  # noqa: E402
from frame import (BUILD, PROGRAMS, RUNTIME, Case, calls_of, main, make_folder, option, rtl, run, skip,  # noqa: E402
                   trace)

PICTURES = option("--pictures")  # a folder for screenshots
IDLE_CAUSES = PROGRAMS / "idle_causes"
HIP = ("--mode", "hip")
once = unittest.skipIf(RUNTIME, "one runtime shows what the page does")


def setUpModule():
    PageTest.browser = browser.Browser()
    unittest.addModuleCleanup(PageTest.browser.close)


class PageTest(Case):
    """Each test opens the page of its class anew, in a browser that all share. `make(folder)` makes a file of events,
    and `options` are those of rtl report."""

    browser = None
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.folder = make_folder(cls)
        cls.database = cls.make(cls.folder)
        cls.page = cls.database.with_suffix(".html")
        made = rtl("report", cls.database, *cls.options, folder=cls.folder)
        assert (made.stdout, made.stderr) == ("", ""), made

    def setUp(self):
        self.browser.renew()
        self.open(self.page)

    def tearDown(self):
        self.assertEqual(self.browser.complaints, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith("file:///")], [])

    def open(self, page):
        self.browser.call("Page.navigate", url=page.as_uri())
        self.browser.evaluate(
            """new Promise((done) => {
            const look = () => document.documentElement?.dataset.opened ? done() : setTimeout(look, 10);
            look();
        })"""
        )

    def text(self, selector):
        return self.browser.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")

    def view(self):
        return self.browser.evaluate("[Number(byId('view').dataset.from), Number(byId('view').dataset.to)]")

    def press(self, identity):
        box = self.browser.evaluate(
            f"(() => {{ const box = byId('{identity}').getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        self.browser.click(*box)

    def lanes(self):
        """The position of the rows beside their names, and their width."""
        script = "(() => { const box = byId('lanes').getBoundingClientRect(); return [box.x, box.y, box.width]; })()"
        x, y, width = self.browser.evaluate(script)
        return x + 190, y, width - 190

    def picture(self, name):
        if PICTURES:
            self.browser.screenshot(pathlib.Path(PICTURES) / f"{name}.png")

    def pixels(self):
        """The number of different colours of the rows."""
        return self.browser.evaluate(
            """(() => {
            const lanes = byId('lanes');
            const copy = Object.assign(document.createElement('canvas'), {width: lanes.width, height: lanes.height});
            const context = copy.getContext('2d', {willReadFrequently: true});
            context.drawImage(lanes, 0, 0);
            const picture = context.getImageData(0, 0, copy.width, copy.height);
            return new Set(new Uint32Array(picture.data.buffer)).size;
        })()"""
        )


    def count_pixels(self, colour):
        """The number of pixels of the rows with this colour, an expression in any notation."""
        return self.browser.evaluate(
            f"""((colour) => {{
            const lanes = byId('lanes');
            const copy = Object.assign(document.createElement('canvas'), {{width: lanes.width, height: lanes.height}});
            const context = copy.getContext('2d', {{willReadFrequently: true}});
            context.fillStyle = colour;
            context.fillRect(0, 0, 1, 1);
            const wanted = new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0];
            context.clearRect(0, 0, 1, 1);
            context.drawImage(lanes, 0, 0);
            const picture = context.getImageData(0, 0, copy.width, copy.height);
            return new Uint32Array(picture.data.buffer).filter((each) => each === wanted).length;
        }})({colour})"""
        )


class Page(PageTest):
    """One trace and one page for all tests; each opens it anew."""

    @staticmethod
    def make(folder):
        trace(folder / "t.db", IDLE_CAUSES, "sleep", options=("--events", "kernels,copies,markers,hip,memory"))
        return folder / "t.db"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.gpu = json.loads(rtl("analyze", cls.database, "--json").stdout)["gpus"][0]

    def test_the_verdict_is_that_of_analyze(self):
        verdict = self.text("#verdict")
        worst = self.gpu["causes"][0]
        self.assertEqual(worst["cause"], "host code")
        self.assertIn(f"{100 * worst['idle_ns'] / self.gpu['elapsed_ns']:.1f} %", verdict)
        self.assertIn("host code", verdict)
        self.assertRegex(verdict, rf"in {self.gpu['gaps']} gaps?\.")
        self.assertIn("passed since the program began", verdict)
        self.assertGreater(self.pixels(), 4)
        self.picture("opened")

    def test_the_tables_are_those_of_the_trace(self):
        calls = calls_of(self.database)
        self.browser.evaluate("[...document.querySelectorAll('#calls .more button')].forEach((each) => each.click())")
        rows = self.browser.evaluate(
            "[...document.querySelectorAll('#calls tbody tr')].map((row) => [0, 1].map((n) => row.cells[n].innerText))"
        )
        self.assertEqual({name: int(count.replace(",", "")) for name, count in rows}, calls)

    def test_the_timeline_has_every_kernel_as_the_trace_has_it(self):
        kernels = self.ask(
            "SELECT o.start, o.end, s.string FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id "
            "JOIN rocpd_string t ON t.id = o.opType_id WHERE t.string = 'KernelExecution' ORDER BY o.start")
        drawn = self.browser.evaluate(
            """(({rows, shapes, begin}) => rows.filter((row) => row.role === 'gpu')
                .flatMap((row) => [...row.start].map((start, i) => [start, row.end[i], shapes[row.what[i]]]))
                .filter(([, , shape]) => shape.grid[0] > 0)
                .map(([start, end, shape]) => [start + begin, end + begin, shape.name])
                .sort((a, b) => a[0] - b[0]))(rtlReport.model)"""
        )
        self.assertGreater(len(kernels), 5)
        self.assertEqual(drawn, [list(kernel) for kernel in kernels])

    def test_every_kernel_has_an_arrow_from_its_call(self):
        calls = self.ask(
            "SELECT o.start, a.start, s.string FROM rocpd_op o JOIN rocpd_api_ops l ON l.op_id = o.id "
            "JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_string s ON s.id = a.apiName_id ORDER BY o.start")
        drawn = self.browser.evaluate(
            """(({rows, shapes, begin}, links) => rows.filter((row) => row.role === 'gpu')
                .flatMap((row) => [...row.start].map((start, i) => [start, links.origin(row, i)]))
                .filter(([, from]) => from !== null)
                .map(([start, {row, i}]) => [start + begin, row.start[i] + begin, shapes[row.what[i]].name])
                .sort((a, b) => a[0] - b[0]))(rtlReport.model, rtlReport.timeline.links)"""
        )
        self.assertGreater(len(calls), 5)
        self.assertEqual(drawn, [list(call) for call in calls])

    @once
    def test_arrows_are_drawn_and_followed(self):
        accent = "rtlReport.timeline.palette.accent"
        self.browser.evaluate("filterFor('hipLaunchKernel')")
        self.browser.key("]")
        self.browser.key("f")
        self.assertRegex(self.text("#details"), r"to .*Step")
        self.browser.key("l")
        details = self.text("#details")
        self.assertRegex(details, r"Step\(int\*, int\)[^$]*from hipLaunchKernel, which took [\d.]+ [um]?s")
        self.browser.evaluate(
            """(({selected: {row, i}, ...timeline}, show) => {
                const {submit} = Links.times(row, i), margin = row.end[i] - submit;
                show(submit - margin, row.end[i] + margin);
            })(rtlReport.timeline, (from, to) => rtlReport.timeline.show(from, to))"""
        )
        self.browser.frame()
        self.picture("arrow")
        with_arrow = self.count_pixels(accent)
        self.browser.evaluate("rtlReport.timeline.arrows = []; rtlReport.timeline.draw()")
        self.assertGreater(with_arrow, self.count_pixels(accent) + 20, "the arrow, beside the frame of the selection")
        self.browser.evaluate("rtlReport.timeline.select(rtlReport.timeline.selected)")
        self.press("follow")
        self.assertIn("hipLaunchKernel", self.text("#details"))

    @once
    def test_the_pointer_on_a_kernel_shows_its_arrow(self):
        self.browser.evaluate("filterFor('Step')")
        self.browser.key("]")
        self.browser.key("f")
        x, y = self.browser.evaluate(
            """(({selected: {row, i}, canvas, items, ...timeline}, view) => {
                const item = items.find((each) => each.row === row), box = canvas.getBoundingClientRect();
                const time = (row.start[i] + row.end[i]) / 2;
                return [box.x + view.left + ((time - view.from) / (view.to - view.from)) * view.width,
                        box.y + item.y - byId('scroller').scrollTop + item.height / 2];
            })(rtlReport.timeline, rtlReport.timeline.place())"""
        )
        self.browser.evaluate("rtlReport.timeline.select(null)")
        self.assertEqual(self.browser.evaluate("rtlReport.timeline.hoverArrows.length"), 0)
        self.browser.mouse("Moved", x, y)
        self.browser.frame()
        self.assertEqual(self.browser.evaluate("rtlReport.timeline.hoverArrows.length"), 1)
        self.browser.mouse("Moved", x, 5)
        self.browser.frame()
        self.assertEqual(self.browser.evaluate("rtlReport.timeline.hoverArrows.length"), 0)

    @once
    def test_a_column_sorts_both_ways(self):
        names = "[...document.querySelectorAll('#calls tbody tr')].map((row) => row.cells[0].innerText)"
        head = "document.querySelectorAll('#calls thead button')[0]"
        self.browser.evaluate("[...document.querySelectorAll('#calls .more button')].forEach((each) => each.click())")
        before = self.browser.evaluate(names)
        self.browser.evaluate(head + ".click()")
        self.assertEqual(self.browser.evaluate(names), sorted(before))
        self.assertEqual(
            self.browser.evaluate("document.querySelector('#calls th').getAttribute('aria-sort')"), "ascending"
        )
        self.browser.evaluate(head + ".click()")
        self.assertEqual(self.browser.evaluate(names), sorted(before, reverse=True))

    @once
    def test_keys_and_buttons_move_the_view(self):
        whole = self.view()
        self.assertEqual(whole[0], 0)
        self.browser.key("w")
        closer = self.view()
        self.assertLess(closer[1] - closer[0], 0.7 * whole[1])
        self.browser.key("d")
        self.assertGreater(self.view()[0], closer[0])
        self.browser.key("ArrowLeft")
        self.assertAlmostEqual(self.view()[0], closer[0], delta=1)
        self.press("zoom-in")
        self.assertLess(self.view()[1] - self.view()[0], 0.6 * (closer[1] - closer[0]))
        self.browser.key("0")
        self.assertEqual(self.view(), whole)
        self.press("help-button")
        self.assertEqual(self.browser.evaluate("byId('help').hidden"), False)

    @once
    def test_the_wheel_zooms_at_the_pointer_and_drags_move(self):
        whole = self.view()
        x, y, width = self.lanes()
        x, y = x + width - 100, y + 10
        self.browser.mouse("Wheel", x, y, deltaX=0, deltaY=-300, modifiers=2)
        self.browser.frame()
        near = self.view()
        self.assertLess(near[1] - near[0], 0.5 * whole[1])
        self.assertGreater(near[0], 0.4 * whole[1], "the time under the pointer stays there")
        self.browser.mouse("Pressed", x, y, button="left", clickCount=1)
        self.browser.mouse("Moved", x + 50, y, button="left", buttons=1)
        self.browser.mouse("Released", x + 50, y, button="left", clickCount=1)
        self.browser.frame()
        self.assertLess(self.view()[0], near[0])

    @once
    def test_the_filter_finds_slices_and_rows(self):
        self.browser.key("/")
        self.assertEqual(self.browser.evaluate("document.activeElement.id"), "filter")
        self.browser.call("Input.insertText", text="hipMemset")
        self.browser.frame()
        names = self.browser.evaluate(
            "[...document.querySelectorAll('#calls tbody tr')].map((row) => row.cells[0].innerText)"
        )
        self.assertTrue(names and all("hipMemset" in name for name in names), names)
        self.browser.key("Enter")
        self.assertRegex(self.text("#details"), r"^hipMemset\w*\s+HIP call")
        self.picture("filtered")
        self.browser.key("Escape")
        self.assertEqual(self.browser.evaluate("byId('filter').value"), "")
        self.assertIn("Click a slice", self.text("#details"))

    @once
    def test_the_longest_gap_is_shown_and_a_click_explains_it(self):
        self.browser.evaluate("document.querySelector('.finding button').click()")
        self.browser.evaluate("window.scrollTo({top: byId('timeline').offsetTop - 70, behavior: 'instant'})")
        self.browser.frame()
        worst = self.gpu["causes"][0]
        begin, end = self.view()
        self.assertAlmostEqual(end - begin, 2 * worst["longest_ns"], delta=0.05 * worst["longest_ns"])
        self.assertIn("idle: host code", self.text("#details"))
        self.browser.key("Escape")
        box = self.lanes()
        self.browser.click(box[0] + box[2] / 2, box[1] + 12)
        self.assertIn("idle: host code", self.text("#details"))
        self.picture("gap")

    @once
    def test_slices_are_stepped_through_and_zoomed_to(self):
        self.browser.evaluate("filterFor('hipLaunchKernel')")
        seen = []
        for _ in range(3):
            self.browser.key("]")
            self.assertIn("hipLaunchKernel", self.text("#details"))
            seen.append(self.text("#details"))
        self.assertEqual(len(set(seen)), 3)
        self.browser.key("[")
        self.assertEqual(self.text("#details"), seen[1])
        whole = self.view()
        self.browser.key("f")
        self.assertLess(self.view()[1] - self.view()[0], whole[1] - whole[0])

    @once
    def test_processes_close_and_all_rows_have_room(self):
        room = "[byId('scroller').scrollHeight, byId('scroller').clientHeight]"
        content, height = self.browser.evaluate(room)
        self.assertLessEqual(content, height + 1, "few rows need no scrolling")
        process = "document.querySelector('.label.process button')"
        self.browser.evaluate(process + ".click()")
        self.browser.frame()
        self.assertEqual(self.browser.evaluate(process + ".getAttribute('aria-expanded')"), "false")
        self.assertLess(self.browser.evaluate(room)[1], height)

    @once
    def test_a_part_is_dragged_out_with_shift(self):
        whole = self.view()
        x, y, width = self.lanes()
        self.browser.mouse("Pressed", x + width / 4, y + 30, button="left", clickCount=1, modifiers=8)
        self.browser.mouse("Moved", x + width / 2, y + 30, button="left", buttons=1, modifiers=8)
        self.browser.mouse("Released", x + width / 2, y + 30, button="left", clickCount=1, modifiers=8)
        self.browser.frame()
        begin, end = self.view()
        self.assertAlmostEqual(begin, whole[1] / 4, delta=0.01 * whole[1])
        self.assertAlmostEqual(end, whole[1] / 2, delta=0.01 * whole[1])

    @once
    def test_both_themes_and_narrow_windows(self):
        colour = "getComputedStyle(document.body).backgroundColor"
        light = self.browser.evaluate(colour)
        self.press("theme")
        self.assertEqual(self.browser.evaluate(colour), light)
        self.press("theme")
        self.browser.frame()
        self.assertNotEqual(self.browser.evaluate(colour), light)
        self.assertEqual(self.text("#theme"), "Theme: dark")
        self.assertGreater(self.pixels(), 4)
        self.picture("dark")
        for width in (1280, 400):
            self.browser.size(width, 900)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
            self.picture(f"width-{width}")

    @once
    def test_controls_have_names(self):
        nameless = self.browser.evaluate(
            """[...document.querySelectorAll('button, input, a, [role=img], [role=application], [role=region]')]
            .filter((each) => !['aria-label', 'aria-labelledby'].some((name) => each.getAttribute(name)))
            .filter((each) => !each.textContent.trim() && !each.labels?.length)
            .map((each) => each.outerHTML)"""
        )
        self.assertEqual(nameless, [])

    def test_completeness_and_charts(self):
        completeness = self.text("#completeness")
        self.assertRegex(completeness, r"kernels\s+\d+\s+\d+\s+0\s+0")
        for bars in ("launch", "queue", "run"):
            self.assertRegex(self.text(f"#latency-{bars}"), r"\d kernels?, median")
        self.assertRegex(self.text("#memory"), r"at most \d")


@unittest.skipUnless((BUILD / "bin" / "big_trace").exists(), "this build has no benchmarks")
@once
class ManyKernels(PageTest):
    """More kernels than a page shows one by one."""

    KERNELS = 2_400_000

    @classmethod
    def make(cls, folder):
        run(BUILD / "bin" / "big_trace", folder / "t.db", cls.KERNELS)
        return folder / "t.db"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database.unlink()

    def test_merged_slices_are_counted_and_drawn_in_every_view(self):
        self.assertLess(self.page.stat().st_size, 20 << 20)
        self.assertIn("are drawn as one block", self.text("#merged"))
        counted = self.browser.evaluate(
            """rtlReport.model.rows.filter((row) => row.role === 'gpu')
                .reduce((all, row) => { for (let i = 0; i < row.length; ++i) all += row.countOf(i); return all; }, 0)"""
        )
        self.assertEqual(counted, self.KERNELS)
        self.assertTrue(self.browser.evaluate("rtlReport.model.rows.some((row) => row.groups !== null)"))
        for step in range(24):
            self.assertGreater(self.pixels(), 8, f"step {step}")
            self.browser.key("w")
        self.picture("many")


class WithFindings(PageTest):
    """A program whose copies could have run beside its kernels; its calls are not recorded."""

    @staticmethod
    def make(folder):
        trace(folder / "t.db", IDLE_CAUSES, "serial", options=("--events", "kernels,copies,markers"))
        return folder / "t.db"

    def test_the_findings_are_those_of_analyze(self):
        (found,) = json.loads(rtl("analyze", self.database, "--json").stdout)["findings"]
        verdict = self.text("#verdict")
        self.assertEqual(found["finding"], "serial copies")
        self.assertIn(f"serial copies, {found['count']} copies", verdict)
        self.assertIn(f"{100 * found['cost_ns'] / found['during_ns']:.1f} %", verdict)
        self.browser.evaluate(
            "[...document.querySelectorAll('.finding')].find((each) => each.innerText.includes('serial copies'))"
            ".querySelector('button').click()"
        )
        self.browser.frame()
        self.assertTrue(self.text("#details").startswith("CopyHostToDevice"))
        self.picture("findings")

    def test_arrows_begin_at_submissions_where_there_are_no_calls(self):
        """A submission stands for those within 20 us of it."""
        late = self.browser.evaluate(
            """(({rows}, links) => rows.filter((row) => row.role === 'gpu')
                .flatMap((row) => [...row.start].map((start, i) => [row, i, links.origin(row, i)]))
                .map(([row, i, from]) => {
                    if (from === null) return 'no arrow';
                    const {submit} = Links.times(row, i);
                    const isIn = from.row.start[from.i] <= submit && submit <= from.row.end[from.i];
                    return isIn && from.row.role === 'submissions' ? '' : `${submit} outside of its submission`;
                }))(rtlReport.model, rtlReport.timeline.links)"""
        )
        self.assertGreater(len(late), 20)
        self.assertEqual(set(late), {""})


class Guide(Case):
    """docs/guide/slow-program.md: the cause that it finds, and that the change removes it."""

    def loading(self, name, *arguments):
        database = self.folder / f"{name}.db"
        trace(database, self.program("slow_steps"), *arguments, options=HIP)
        (gpu,) = json.loads(rtl("analyze", database, "--json").stdout)["gpus"]
        causes = {(each["cause"], each["where"]): each["idle_ns"] for each in gpu["causes"]}
        return causes.get(("host code", "load batch"), 0)

    def test_loading_keeps_the_gpu_idle_until_it_happens_ahead(self):
        slow = self.loading("before")
        self.assertGreater(slow, 100_000_000, "nineteen times 10 ms")
        # The loading thread of a busy machine may be late: the best of three.
        self.assertLess(min(self.loading(f"after{turn}", "--ahead") for turn in range(3)), slow)


@once
class Selected(PageTest):
    """A page of a part of the trace."""

    options = ("--kernel", "Step")

    @staticmethod
    def make(folder):
        trace(folder / "t.db", IDLE_CAUSES, "synchronize", options=HIP)
        return folder / "t.db"

    def test_the_page_names_the_selection_and_has_nothing_else(self):
        self.assertIn("Only kernels that match Step", self.text("#verdict"))
        self.assertNotIn("since the program began", self.text("#verdict"), "the start was not selected")
        names = self.browser.evaluate("rtlReport.model.kernels.map((row) => row[0])")
        self.assertEqual(len(names), 1, names)
        self.assertIn("Step", names[0])
        begin, end = self.view()
        self.assertGreater(begin, 0, "the view begins where the GPU does")
        self.assertLess(begin, end)
        refused = rtl("report", self.database, "--kernel", "nothing_of_this_name", code=1)
        self.assertEqual(refused.stderr.count("\n"), 1)


@once
class LongNames(PageTest):
    """A kernel with a very long name."""

    name = "first" + 99_990 * "x" + "last!"

    @classmethod
    def make(cls, folder):
        trace(folder / "t.db", PROGRAMS / "vector_add", options=HIP)
        with sqlite3.connect(folder / "t.db") as database:
            database.execute("UPDATE rocpd_string SET string = ? WHERE id = "
                             "(SELECT description_id FROM rocpd_op WHERE kernel_id != 0 LIMIT 1)",
                             (cls.name,))
        return folder / "t.db"

    def test_the_page_cuts_them_and_has_them_whole_in_titles(self):
        button = ("[...document.querySelectorAll('#kernels td.name button')]"
                  ".find(button => button.textContent.startsWith('first'))")
        shown, title = self.browser.evaluate(f"[{button}.textContent, {button}.title]")
        self.assertEqual(title, self.name)
        self.assertRegex(shown, r"^firstx+ …\(100,000 characters\)… x+last!$")
        self.assertLess(len(shown), 400)
        self.browser.evaluate(f"{button}.click()")
        self.browser.frame()
        self.assertLess(len(self.text("#details")), 2000)

    def test_text_output_says_the_length(self):
        for verb in (["summary"], ["analyze"], ["info"]):
            done = rtl(*verb, self.database)
            self.assertLess(max(map(len, done.stdout.splitlines())), 1300, verb)
        self.assertIn("...(100000 characters)...", rtl("summary", self.database).stdout)
        self.assertIn(self.name, rtl("summary", "--csv", self.database).stdout)


@once
class Arguments(Case):
    def test_a_file_that_is_no_trace_is_one_line_and_leaves_nothing(self):
        done = rtl("report", "/nowhere/t.db", "-o", self.folder / "p.html", code=1)
        self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1))
        self.assertFalse(list(self.folder.iterdir()))

    def test_a_name_that_is_no_page_is_refused(self):
        for name in ("x.json", "x.csv", "x.db"):
            done = rtl("report", "t.db", "-o", name, code=2)
            self.assertRegex(done.stderr, r"^rtl: .*\(try: rtl report --help\)\n$")


@once
class Operators(PageTest):
    """A trace of torch.profiler: lanes of its operators, and the flame graph."""

    options = ("-o", "torch.html")

    @staticmethod
    def make(folder):
        source = folder / "torch.json"

        def event(category, name, start, duration, tid=7, **arguments):
            return {"ph": "X", "cat": category, "name": name, "pid": 4, "tid": tid, "ts": start, "dur": duration,
                    "args": arguments}
        source.write_text(json.dumps({"traceEvents": [
            event("python_function", "train.py(7): <step>", 0, 100),
            event("python_function", "nn.Module: Linear_0", 10, 60),
            event("cpu_op", "aten::mm", 20, 20, **{"Input Dims": [[2, 3]], "Input type": ["float"]}),
            event("cpu_op", "aten::zero_", 300, 5, tid=9),
            event("cuda_runtime", "hipLaunchKernel", 25, 5, correlation=1),
            event("cuda_runtime", "hipLaunchKernel", 60, 5, correlation=2),
            event("kernel", "Cijk_gemm", 40, 30, tid=1, device=0, stream=0, correlation=1),
            event("kernel", "at::add", 80, 5, tid=1, device=0, stream=0, correlation=2),
            event("kernel", "at::add", 90, 2, tid=1, device=0, stream=0, correlation=77)]}))
        return source

    def rows(self):
        return self.browser.evaluate(
            "rtlReport.model.rows.filter((row) => row.role === 'operators').map((row) => [row.title,"
            " [...row.what].map((what) => rtlReport.model.shapes[what].name + rtlReport.model.shapes[what].inputs)])"
        )

    def test_operators_have_lanes_by_depth(self):
        self.picture("operators")
        self.assertEqual(self.rows(), [
            ["thread 7, operators", ["train.py(7): <step>"]],
            ["", ["nn.Module: Linear_0"]],
            ["", ["aten::mm[[2, 3]] [\"float\"]"]],
            ["thread 9, operators", ["aten::zero_"]],
        ])

    def choose(self, *keys):
        self.browser.evaluate("byId('flame-scroller').focus()")
        for key in keys:
            self.browser.key(key)
        return self.text("#flame-details")

    def test_the_flame_graph_has_python_modules_operators_and_kernels(self):
        found = self.text("#flame-details")
        self.assertIn("37.00 us on the GPU, 100.0 %", found)
        self.assertIn("3 kernels", found)
        found = self.choose("ArrowDown")
        self.assertIn("train.py(7): <step>", found)
        for fact in ("Python function", "35.00 us on the GPU, 94.6 %", "0 ns of its own", "2 kernels"):
            self.assertIn(fact, found)
        self.assertIn("(no call in the trace)", self.choose("ArrowRight"))
        found = self.choose("ArrowLeft", "ArrowDown")
        self.assertIn("module", found)
        self.assertIn("5.00 us", self.choose("ArrowDown", "ArrowRight"), "at::add of the module")
        self.assertIn("Whole graph", self.choose("ArrowUp", "Enter"))
        self.assertEqual(self.browser.evaluate("document.activeElement.id"), "flame-scroller")

    def test_a_filter_sums_what_matches(self):
        self.browser.evaluate("filterFor('aten::mm')")
        self.assertIn("Matches have 30.00 us, 81.1 % of the GPU time.", self.text("#flame"))


@once
class NoOperators(PageTest):
    options = ("-o", "torch.html")

    @staticmethod
    def make(folder):
        source = folder / "torch.json"
        source.write_text(json.dumps([{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 2, "pid": 1, "tid": 1,
                                       "args": {"device": 0, "stream": 0}}]))
        return source

    def test_there_is_no_flame_graph(self):
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#flame').length"), 0)
        self.assertNotIn("operator", self.text("nav"))


if __name__ == "__main__":
    if browser.find() is None:
        skip("there is no Chromium")
    main(IDLE_CAUSES)
