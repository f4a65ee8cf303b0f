#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Engines and readers on a generated dataset: every question of rtl fleet gives the same bytes on DuckDB and on a Spark
cluster (a master and two workers, processes of their own, on loopback), and other readers of Parquet see the same
values. A part whose package is missing is skipped and says which.

    engines_test.py --install   makes build/engines, a virtual environment with the packages; then the tests run there
    engines_test.py --install --older   the same with the versions of OLDER, in build/engines-older
    RTL_BUILD=build/release engines_test.py
"""
import csv
import importlib.util
import io
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "support"),
                str(pathlib.Path(__file__).resolve().parents[2] / "python")]
from fleet_frame import ENVIRONMENT, LIMIT_SECONDS, RTL, fleet  # noqa: E402
from frame import BUILD, ROOT, make_folder, run  # noqa: E402
from processes import wait_until  # noqa: E402
os.environ["PATH"] = f"{RTL.parent}:{os.environ['PATH']}"
import rtl  # noqa: E402

PACKAGES = ("duckdb", "duckdb-cli", "pyarrow", "pyspark", "polars", "chdb", "pandas", "moto[server]", "boto3")
# Before columns of other encodings, of other sizes of decimals, and of other names of functions.
OLDER = ("duckdb==1.5.*", "pyspark==3.5.*", "setuptools<81", "pyarrow", "pandas<3")
RANKS, STEPS, LAYERS = 16, 8, 3
QUESTIONS = ("totals", "slowest", "kernels", "outliers", "overlap", "gaps", "steps", "collectives", "compare", "losses",
             "slice", "clocks")


def install(older):
    venv = ROOT / "build" / ("engines-older" if older else "engines")
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    subprocess.run([venv / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check",
                    *(OLDER if older else PACKAGES)], check=True)
    if shutil.which("java") is None:
        subprocess.run(["apt-get", "install", "-qqy", "default-jre-headless"], check=False)
    os.execv(venv / "bin" / "python", [str(venv / "bin" / "python"), __file__])


def need(module):
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise unittest.SkipTest(f"{module} is not installed") from error


def answer(*arguments, **variables):
    return fleet(*arguments, **variables).stdout


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class SparkCluster:
    """A master and two workers of one core each. Nothing is listened to but loopback."""

    def __init__(self, folder):
        self.folder = folder
        self.home = pathlib.Path(need("pyspark").__file__).parent
        self.processes = []
        self.port = free_port()
        self.master = f"spark://127.0.0.1:{self.port}"
        conf = folder / "conf"
        (folder / "events").mkdir()
        conf.mkdir()
        (conf / "spark-defaults.conf").write_text(
            f"spark.eventLog.enabled true\nspark.eventLog.dir file://{folder}/events\nspark.eventLog.compress false\n"
            "spark.executor.memory 1g\nspark.driver.host 127.0.0.1\nspark.driver.bindAddress 127.0.0.1\n"
            "spark.sql.shuffle.partitions 4\n")
        self.environment = {"SPARK_CONF_DIR": str(conf), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(self.home),
                            "SPARK_WORKER_DIR": str(folder / "work")}

    def start(self, name, *arguments):
        with (self.folder / f"{name}.log").open("w") as log:
            self.processes.append(subprocess.Popen(
                [self.home / "bin" / "spark-class", f"org.apache.spark.deploy.{arguments[0]}", *arguments[1:]],
                env=ENVIRONMENT | self.environment, stdout=log, stderr=subprocess.STDOUT))

    def said(self, name, text):
        return text in (self.folder / f"{name}.log").read_text()

    def __enter__(self):
        self.start("master", "master.Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port",
                   str(free_port()))
        wait_until(lambda: self.said("master", "Starting Spark master"), "the master")
        for name in ("worker1", "worker2"):
            self.start(name, "worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port",
                       str(free_port()), self.master)
        for name in ("worker1", "worker2"):
            wait_until(lambda name=name: self.said(name, "Successfully registered with master"), name)
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait(LIMIT_SECONDS)

    def tasks_by_executor(self):
        tasks = {}
        for file in (self.folder / "events").rglob("*"):
            if not file.is_file() or file.name.startswith("."):  # sums of the others
                continue
            for line in file.read_text().splitlines():
                event = json.loads(line)
                if event.get("Event") == "SparkListenerTaskEnd":
                    executor = event["Task Info"]["Executor ID"]
                    tasks[executor] = tasks.get(executor, 0) + 1
        return tasks


class Engines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = make_folder(cls)
        cls.job = cls.folder / "job"
        run(BUILD / "bin" / "fleet_job", cls.job, "--ranks", RANKS, "--steps", STEPS, "--layers", LAYERS)

    def test_spark_gives_the_same_bytes(self):
        need("duckdb")
        if shutil.which("java") is None:
            self.skipTest("java is not installed")
        with SparkCluster(self.folder) as cluster:
            for name, value in cluster.environment.items():
                os.environ[name] = value
            spark = need("pyspark.sql").SparkSession.builder.master(cluster.master).appName("engines_test").config(
                "spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").getOrCreate()
            for question in QUESTIONS:
                for source in ("events", "summaries"):
                    with self.subTest(question=question, source=source):
                        self.compare(spark, question, *[self.job] * (2 if question == "compare" else 1), source=source)
            awkward = self.folder / "a job's {folder}, 100%"
            shutil.copytree(self.job, awkward)
            for question in ("verdict", "align"):
                self.compare(spark, question, self.job)
            self.compare(spark, "steps", awkward)
            for arguments in (["steps", awkward], ["totals", self.job], ["kernels", self.job, "--from", "events"]):
                self.compare_printed(spark, cluster, arguments)
            parts = [self.folder / "first half", self.folder / "second half"]  # of one job, as hosts write them
            for part, ranks in zip(parts, (range(0, RANKS // 2), range(RANKS // 2, RANKS))):
                for file in self.job.rglob("*.parquet"):
                    if int(file.name.split("-")[1]) in ranks:
                        (part / file.parent.name).mkdir(parents=True, exist_ok=True)
                        shutil.copy(file, part / file.parent.name)
            self.compare(spark, "steps", *parts)
            self.compare_printed(spark, cluster, ["steps", *parts])
            with self.assertRaisesRegex(rtl.Error, "nowhere"):
                rtl.fleet("sql", self.job, sql="select nowhere from kernels", engine=spark)
            spark.stop()
            self.assertEqual(answer("steps", awkward, "--engine", cluster.master, **cluster.environment),
                             answer("steps", self.job))
            # As a user asks.
            for arguments in (("slowest", self.job, "--format", "csv"), ("align", self.job, "--windows")):
                on_spark = answer(*arguments, "--engine", cluster.master, **cluster.environment)
                self.assertEqual(on_spark, answer(*arguments))
            tasks = cluster.tasks_by_executor()
        self.assertEqual(len([executor for executor in tasks if executor != "driver"]), 2, tasks)

    def compare(self, spark, question, *folders, source=None):
        """In one session, as from a notebook: a program of its own takes longer to start than to answer."""
        try:
            expected = rtl.fleet(question, *folders, source=source)
        except rtl.Error as error:
            self.assertIn("cannot be answered from", str(error))
            return
        found = rtl.fleet(question, *folders, source=source, engine=spark)
        self.assertEqual((found.table, found.text), (expected.table, expected.text))
        self.assertTrue(found.table or found.text or question in ("losses", "outliers"))

    def compare_printed(self, spark, cluster, arguments):
        """The SQL that is printed for Spark."""
        printed = answer(*arguments, "--print-sql", "--engine", cluster.master)
        rows = None
        for statement in printed.split(";\n"):
            if statement.startswith("create temporary view "):
                spark.sql(statement.replace("create", "create or replace", 1))
            elif statement.strip():
                rows = spark.sql(statement)
        expected = list(csv.reader(io.StringIO(answer(*arguments, "--format", "csv"))))
        self.assertEqual(rows.columns, expected[0])
        self.assertEqual([["" if cell is None else str(cell) for cell in row] for row in rows.collect()], expected[1:])

    def test_a_master_that_is_not_there(self):
        need("pyspark")
        if shutil.which("java") is None:
            self.skipTest("java is not installed")
        for master in (f"spark://127.0.0.1:{free_port()}", "spark://no-such-host.invalid:7077", "spark://127.0.0.1"):
            done = fleet("steps", self.job, "--engine", master, code=1)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
            self.assertIn(f"Spark ({master})", done.stderr)
            self.assertIn("no master answers there", done.stderr)

    def test_duckdbs_program_and_module_say_the_same(self):
        need("duckdb")
        program = pathlib.Path(sys.executable).parent / "duckdb"
        if not program.exists():
            self.skipTest("duckdb-cli is not installed")
        only_python = self.folder / "bin"
        only_python.mkdir()
        (only_python / "python3").write_text(f"#!/bin/sh\nexec {sys.executable} \"$@\"\n")
        (only_python / "python3").chmod(0o755)
        for question in QUESTIONS:
            arguments = [question, self.job, *([self.job] if question == "compare" else []), "--format", "csv"]
            self.assertEqual(answer(*arguments, "--engine", program), answer(*arguments, PATH=only_python), question)

    def test_asks_an_object_store(self):
        for module in ("duckdb", "pyarrow", "moto", "boto3"):
            need(module)
        import boto3
        import logging
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        from moto.server import ThreadedMotoServer
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=free_port(), verbose=False)
        server.start()
        self.addCleanup(server.stop)
        address = f"http://127.0.0.1:{server._server.port}"  # pylint: disable=protected-access
        variables = {"AWS_ENDPOINT_URL": address, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
                     "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"}
        store = boto3.client("s3", endpoint_url=address, region_name="us-east-1", aws_access_key_id="test",
                             aws_secret_access_key="test")
        store.create_bucket(Bucket="jobs")
        for file in self.job.rglob("*.parquet"):
            store.upload_file(str(file), "jobs", f"a/job/{file.relative_to(self.job)}")
        for question in ("totals", "slowest", "losses", "align"):
            with self.subTest(question=question):
                self.assertEqual(answer(question, "s3://jobs/a/job/", "--format", "csv", **variables),
                                 answer(question, self.job, "--format", "csv"))
        store.put_object(Bucket="jobs", Key="a/job/kernels/rank-00003-000000.parquet", Body=b"PAR1 and no more")
        store.delete_object(Bucket="jobs", Key="a/job/processes/rank-00004-000000.parquet")
        done = fleet("totals", "s3://jobs/a/job", **variables)
        self.assertIn("rank 3: damaged: kernels/rank-00003-000000.parquet", done.stderr)
        self.assertIn("killed or still running", done.stderr)
        for folder, why in (("s3://jobs/nothing", "has no files of a dataset"), ("s3://no-such-bucket/x", "error")):
            done = fleet("totals", folder, code=1, **variables)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    SUMS = "count(*) as n, sum(duration) as total, min(start) as first, max(start + duration) as last, sum(lds) as lds"

    def expected(self):
        duckdb = need("duckdb")
        return duckdb.connect().execute(
            f"select rank, name, {self.SUMS} from read_parquet('{self.job}/kernels/*.parquet') "
            "group by rank, name order by rank, name").fetchall()

    def test_polars_reads_the_same(self):
        polars = need("polars")
        kernels = polars.scan_parquet(f"{self.job}/kernels/*.parquet")
        found = kernels.group_by("rank", "name").agg(
            polars.len(), polars.col("duration").sum(), polars.col("start").min().alias("first"),
            (polars.col("start") + polars.col("duration")).max().alias("last"),
            polars.col("lds").sum()).sort("rank", "name")
        self.assertEqual(found.collect().rows(), self.expected())

    def test_clickhouse_reads_the_same(self):
        chdb = need("chdb")
        text = chdb.query(f"select rank, name, {self.SUMS} from file('{self.job}/kernels/*.parquet', Parquet) "
                          "group by rank, name order by rank, name", "JSONCompactEachRow")
        found = [tuple(int(value) if index != 1 else value for index, value in enumerate(json.loads(line)))
                 for line in str(text).splitlines()]
        self.assertEqual(found, self.expected())

    def test_pandas_reads_the_same(self):
        pandas = need("pandas")
        need("pyarrow")
        kernels = pandas.read_parquet(self.job / "kernels", engine="pyarrow")
        kernels["last"] = kernels["start"] + kernels["duration"]
        found = kernels.groupby(["rank", "name"], observed=True).agg(
            n=("id", "size"), total=("duration", "sum"), first=("start", "min"), last=("last", "max"),
            lds=("lds", "sum"))
        self.assertEqual([(*key, *map(int, row)) for key, row in zip(found.index, found.to_numpy())], self.expected())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--install"]:
        install(sys.argv[2:] == ["--older"])
    for name in ("duckdb", "pyspark", "polars", "chdb", "pandas", "pyarrow"):
        if importlib.util.find_spec(name):
            print(name, importlib.import_module(name).__version__, flush=True)
    unittest.main(verbosity=2)
