#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How large the page of `rtl report` is, how long it takes to make and to open in a headless Chromium, and how long a
frame takes while it zooms. Rounds are interleaved; medians and ranges; no threshold.

    benchmarks/report_page.py [--rounds 7] [--build build/release] [--kernels 1000000]

opened   from the navigation to the first complete picture, by the page's own clock
frame    one step of zooming in, over all rows, from the whole trace to a millionth of it
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "scenario"))
import browser  # noqa: E402

READY = """new Promise((done) => {
    const look = () => {
        const opened = document.documentElement?.dataset.opened;
        opened ? done(Number(opened)) : setTimeout(look, 5);
    };
    look();
})"""
FRAMES = """(async () => {
    const frames = [];
    for (let n = 0; n < 28; ++n) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'w', bubbles: true}));
        const begin = performance.now();
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        frames.push(performance.now() - begin);
    }
    return frames;
})()"""


def show(values, unit):
    return f"{statistics.median(values):,.1f} {unit} [{min(values):,.1f} .. {max(values):,.1f}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--kernels", type=int, default=1_000_000)
    options = parser.parse_args()
    programs = options.build.resolve() / "bin"
    with tempfile.TemporaryDirectory() as folder:
        arms = {}
        for name in ("kernels", "kernels and calls"):
            trace = pathlib.Path(folder) / f"{name[-5:]}.db"
            subprocess.run(
                [programs / "big_trace", trace, str(options.kernels), *(["calls"] if "calls" in name else [])],
                check=True,
            )
            arms[name] = {"trace": trace, "page": trace.with_suffix(".html"), "made": [], "opened": [], "frame": []}
        for _ in range(options.rounds):
            for arm in arms.values():
                begin = time.monotonic()
                subprocess.run([programs / "rtl", "report", arm["trace"], "-o", arm["page"]], check=True)
                arm["made"].append(time.monotonic() - begin)
                with browser.Browser() as page:
                    page.call("Page.navigate", url=arm["page"].as_uri())
                    arm["opened"].append(page.evaluate(READY) / 1000)
                    arm["frame"] += page.evaluate(FRAMES)
        print(f"{options.rounds} rounds of {options.kernels:,} kernels")
        for name, arm in arms.items():
            print(
                f"{name}: page {arm['page'].stat().st_size / 1e6:.1f} MB, made in {show(arm['made'], 's')}, opened in "
                f"{show(arm['opened'], 's')}, frame {show(arm['frame'], 'ms')}"
            )


if __name__ == "__main__":
    main()
