#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Questions of rtl fleet about generated jobs of growing size (tests/fleet/fleet_job.cpp: ranks that shard a model,
with planted faults): seconds and the peak of memory of each, as medians and ranges of rounds in which the sizes take
turns, and how they grow.

    benchmarks/fleet.py [--ranks 8,32,128] [--steps N] [--layers N] [--linked N] [--rounds N] [--threads N]
                        [--engine ENGINE | --session MASTER] [--hta | --only-hta] [--folder DIR]

--linked N: files of the largest job are linked under new ranks until there are N. Their rows are those of the ranks
before, so answers by rank are not those of a job of N ranks, but all rows are read.
--session MASTER: one SparkSession, as in a notebook, gets all questions (rtl.fleet).
--hta: HolisticTraceAnalysis (PyPI) computes the overlap of the smallest job from traces of the same kernels, beside
rtl's, and both are compared. --only-hta: that alone.
RTL_BUILD: the build with bin/rtl and bin/fleet_job; default build/release.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import rtl  # noqa: E402

BUILD = pathlib.Path(os.environ.get("RTL_BUILD", "build/release")).resolve()
RTL = BUILD / "bin" / "rtl"
os.environ["PATH"] = f"{RTL.parent}:{os.environ['PATH']}"
QUESTIONS = (("totals", "events"), ("slowest", "events"), ("kernels", "events"), ("outliers", "summaries"),
             ("compare", "summaries"), ("slice", "events"), ("align", "events"), ("overlap", "summaries"),
             ("kernels", "summaries"), ("slowest", "summaries"), ("verdict", None))


def generate(folder, ranks, options):
    subprocess.run([BUILD / "bin" / "fleet_job", folder, "--ranks", str(ranks), "--steps", str(options.steps),
                    "--layers", str(options.layers)], check=True, stdout=subprocess.DEVNULL)


def link(source, target, ranks, wanted):
    for table in source.iterdir():
        (target / table.name).mkdir(parents=True)
        for file in table.glob("rank-*.parquet"):
            rank = int(file.name[5:10])
            for number in range(rank, wanted, ranks):
                if table.name != "processes":  # lists files by name
                    os.link(file, target / table.name / f"rank-{number:05}{file.name[10:]}")


def run(command):
    """Seconds, and the largest memory of the command and the programs that it started, in MB."""
    began = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    complaint = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command}: {complaint.decode()}")
    return time.perf_counter() - began, used.ru_maxrss / 1024


def begin_session(master):
    from pyspark.sql import SparkSession
    began = time.perf_counter()
    session = SparkSession.builder.master(master).appName("fleet").config("spark.ui.enabled", "false").config(
        "spark.ui.showConsoleProgress", "false").getOrCreate()
    session.range(1).collect()
    print(f"the session began within {time.perf_counter() - began:.1f} s")
    return session


def ask_session(question, source, job, options):
    """Seconds. The memory is the cluster's."""
    values = {"step": options.steps // 2, "last": 100000} if question == "slice" else {}
    began = time.perf_counter()
    rtl.fleet(question, *[job] * (2 if question == "compare" else 1), engine=options.spark, source=source, **values)
    return time.perf_counter() - began, 0


def ask(question, source, job, options):
    if options.session:
        return ask_session(question, source, job, options)
    arguments = [RTL, "fleet", question, job, *([job] if question == "compare" else []), "--threads", options.threads]
    if source:
        arguments += ["--from", source]
    if question == "slice":
        arguments += ["--step", options.steps // 2, "--set", "last=100000"]
    if options.engine:
        arguments += ["--engine", options.engine]
    return run(arguments)


def text(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def overlap_of_hta(job, folder):
    """Chrome traces of the kernels, HTA's answer (percent of communication that overlaps computation) and ours. HTA
    moves starts and ends that are no integers inwards to whole units, so it gets the same kernels twice: in
    microseconds, as PyTorch writes them, and in nanoseconds, where nothing is moved. A share has no unit."""
    import duckdb
    from hta.trace_analysis import TraceAnalysis
    database = duckdb.connect()
    kernels = f"read_parquet('{job}/kernels/*.parquet')"
    ranks = [row[0] for row in database.execute(f"select distinct rank from {kernels} order by rank").fetchall()]
    began = time.perf_counter()
    rows = rtl.fleet("overlap", job).table
    seconds = time.perf_counter() - began
    ours = {row["rank"]: 100 * (1 - row["exposed"] / row["communicating"]) for row in rows}
    print(f"overlap of {len(ranks)} ranks: rtl fleet overlap {seconds:.2f} s")
    for unit, ns in (("us", 1000), ("ns", 1)):
        (folder / unit).mkdir()
        for rank in ranks:
            rows = database.execute(f"select name, queue, start, duration, correlation from {kernels} "
                                    f"where rank = {rank} order by start").fetchall()
            events = [{"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": queue,
                       "ts": (start - rows[0][2]) / ns if ns > 1 else start - rows[0][2],
                       "dur": duration / ns if ns > 1 else duration,
                       "args": {"stream": queue, "correlation": correlation, "device": 0}}
                      for name, queue, start, duration, correlation in rows]
            trace = {"distributedInfo": {"rank": rank}, "traceEvents": events}
            (folder / unit / f"rank-{rank}.json").write_text(json.dumps(trace))
        began = time.perf_counter()
        analysis = TraceAnalysis(trace_dir=str(folder / unit))
        loaded = time.perf_counter()
        theirs = analysis.get_comm_comp_overlap(visualize=False)
        ended = time.perf_counter()
        worst = max(abs(row["comp_comm_overlap_pctg"] - ours[row["rank"]]) for _, row in theirs.iterrows())
        print(f"HTA, {unit}: reads {loaded - began:.1f} s, overlap {ended - loaded:.1f} s; largest difference from rtl "
              f"{worst:.4f} of 100 (HTA prints two decimals)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", default="8,32,128")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--layers", type=int, default=24)
    parser.add_argument("--linked", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", default="2")
    parser.add_argument("--engine", default="")
    parser.add_argument("--session", metavar="MASTER", default="")
    parser.add_argument("--hta", action="store_true")
    parser.add_argument("--only-hta", action="store_true")
    parser.add_argument("--folder")
    options = parser.parse_args()
    options.spark = begin_session(options.session) if options.session else None
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="fleet-") as temporary:
        folder = pathlib.Path(temporary)
        sizes = [int(word) for word in options.ranks.split(",")]
        jobs = {}
        for ranks in sizes:
            jobs[ranks] = folder / str(ranks)
            generate(jobs[ranks], ranks, options)
        if options.linked:
            jobs[options.linked] = folder / "linked"
            link(jobs[sizes[-1]], jobs[options.linked], sizes[-1], options.linked)
        one = subprocess.run([BUILD / "bin" / "fleet_job", folder / "one", "--ranks", "1", "--steps", "1", "--layers",
                              str(options.layers)], check=True, capture_output=True, text=True)
        of_rank = json.loads(one.stdout)["kernels_of_rank"] * options.steps
        size = sum(file.stat().st_size for file in (jobs[sizes[0]] / "kernels").iterdir()) / sizes[0] / of_rank
        print(f"{of_rank:,} kernels a rank, {size:.2f} bytes each; load {os.getloadavg()[0]:.1f}; "
              f"{options.rounds} rounds, {options.threads} threads; median (range)\n")
        if options.hta or options.only_hta:
            overlap_of_hta(jobs[sizes[0]], pathlib.Path(tempfile.mkdtemp(dir=folder)))
        if options.only_hta:
            return
        print("| question | from |" + "".join(f" {ranks} ranks, s | MB |" for ranks in jobs))
        print("|---|---|" + "---|---|" * len(jobs))
        for question, source in QUESTIONS:
            measured = {ranks: [] for ranks in jobs}
            for _ in range(options.rounds):
                for ranks, job in jobs.items():
                    measured[ranks].append(ask(question, source, job, options))
            print(f"| {question} | {source or ''} |" + "".join(
                f" {text([one[0] for one in rounds])} | {max(one[1] for one in rounds):.0f} |"
                for rounds in measured.values()), flush=True)
        shutil.rmtree(folder / "one", ignore_errors=True)


if __name__ == "__main__":
    main()
