# SPDX-License-Identifier: MIT
"""Questions about the traces of many ranks, asked of an engine or of a session that the program has."""
import csv
import io
import json
import os
import socket
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Optional, Union

from ._files import Error, program
from ._results import Result


class Answer(Result):
    """The answer of a question: `table` has its rows, `text` the ten lines of a verdict, `notes` what the command says
    beside it: ranks that are not complete, files that are damaged. Times are nanoseconds."""

    main = "rows"

    def __init__(self, rows: List[Dict[str, Any]], text: str, notes: List[str], title: str) -> None:
        super().__init__({"rows": rows}, text, title)
        self.notes = notes

    def __repr__(self) -> str:
        return "\n".join([*self.notes, self.text.rstrip("\n") or f"<{len(self.table)} rows>"])

    def verdict_html(self) -> str:
        return Result(self.data, "\n".join([*self.notes, self.text]).strip(), self._title).verdict_html()


class _Duckdb:
    """A connection of DuckDB. The views are those of a cursor, so the user's connection keeps its names."""
    name = "session"

    def __init__(self, connection):
        self._connection = connection.cursor()

    def rows(self, job):
        for view in job["views"]:
            files = ", ".join("'" + file.replace("'", "''") + "'" for file in view["files"])
            text = f"select * from read_parquet([{files}])" if files else view["sql"]
            self._connection.execute(f"create or replace temp view {view['name']} as {text}")
        result = self._connection.execute(job["sql"])
        yield [column[0] for column in result.description]
        while rows := result.fetchmany(10000):
            yield from rows

    def close(self):
        self._connection.close()


class _Spark:
    """A SparkSession. The views are those of a session beside it, with the same cluster."""
    name = "spark-session"

    def __init__(self, session):
        try:
            self._session = session.newSession()
        except Exception as error:
            raise Error(f"engine: this SparkSession gives no session beside it: {_line(error)}") from error

    def rows(self, job):
        for view in job["views"]:
            table = self._session.read.parquet(*view["files"]) if view["files"] else self._session.sql(view["sql"])
            table.createOrReplaceTempView(view["name"])
        result = self._session.sql(job["sql"])
        yield result.columns
        yield from result.toLocalIterator()

    def close(self):
        pass  # stopping it would stop the cluster's application


def _session(engine):
    """None: the name of an engine."""
    if engine is None or isinstance(engine, (str, os.PathLike)):
        return None
    if hasattr(engine, "newSession"):
        return _Spark(engine)
    if hasattr(engine, "cursor") and type(engine).__module__.split(".")[0].lstrip("_") == "duckdb":
        return _Duckdb(engine)
    raise Error(f"engine: a name, a SparkSession or a connection of DuckDB, not {type(engine).__name__}")


def _line(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _csv(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [str(cell).lower() if isinstance(cell, bool) else cell for cell in row] for row in rows)
    return text.getvalue()


def _serve(session, channel):
    """Answers each line until the other end is closed. The last error of the session, or None."""
    failed = None
    with channel.makefile("rb") as questions:
        for question in questions:
            try:
                kind, text = "rows", _csv(session.rows(json.loads(question)))
            except Exception as error:  # pylint: disable=broad-exception-caught
                failed, kind, text = error, "error", _line(error)
            body = text.encode()
            try:
                channel.sendall(f"{kind} {len(body)}\n".encode() + body)
            except BrokenPipeError:
                break
    return failed


def _run(options, words, session):
    """Output, the lines of stderr, exit code, and the session's own error."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        failed, pass_fds, here, there = None, (), None, None
        if session is not None:
            here, there = socket.socketpair()
            pass_fds = (there.fileno(),)
            options = [*options, f"--engine={session.name}:{there.fileno()}"]
        # This interpreter may have the module of DuckDB, and another python3 in PATH may not.
        path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
        child = subprocess.Popen([program(), "fleet", *options, "--", *words], env={**os.environ, "PATH": path},
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=said, pass_fds=pass_fds)
        try:
            if session is not None:
                there.close()
                failed = _serve(session, here)
            child.wait()
        except BaseException:
            child.kill()
            child.wait()
            raise
        finally:
            if session is not None:
                here.close()
                session.close()
        texts = []
        for file in (out, said):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    notes = [line[len("rtl: "):] if line.startswith("rtl: ") else line for line in texts[1].splitlines()]
    return texts[0], notes, child.returncode, failed


def fleet(question: str, *folders: Union[str, "os.PathLike[str]"], engine: Any = None, sql: Optional[str] = None,
          source: Optional[str] = None, output: Union[None, str, "os.PathLike[str]"] = None, **values: Any) -> Answer:
    """`rtl fleet`: a question about the traces of the ranks of a job.

        rtl.fleet("slowest", "job", limit=5).to_pandas()
        rtl.fleet("outliers", "job", engine=spark)
        rtl.fleet("sql", "job", sql="select rank, count(*) as n from kernels group by rank")
        rtl.fleet("slice", "job", step=7, output="step7.html")

    `folders`: of one dataset; for compare that of the run before and that of the run after. `engine`: a SparkSession or
    a connection of DuckDB that is open, whose own views stay as they are, or a name as of `--engine`; default: the DuckDB
    of this interpreter, else that in PATH. `source`: events or summaries. `values`: the question's parameters. `output`: a file for the
    rows or the timeline in place of the answer."""
    if sql is not None and question != "sql":
        raise Error(f"sql: the question {question} has its own")
    session = _session(engine)
    paths = [os.fspath(folder) for folder in folders]
    file = None if output is None else os.fspath(output)
    options = [f"--set={name}={value}" for name, value in values.items() if name != "windows"]
    if values.get("windows"):
        options.append("--windows")
    if source is not None:
        options.append(f"--from={source}")
    if engine is not None and session is None:
        options.append(f"--engine={os.fspath(engine)}")
    if file is not None:
        options.append(f"--output={file}")
    elif question != "verdict":
        options.append("--format=json")
    words = [question, *([sql or ""] if question == "sql" else []), *paths]
    out, notes, code, failed = _run(options, words, session)
    if code != 0:
        raise Error(notes[-1] if notes else f"rtl fleet ended with {code}") from failed
    has_rows = file is None and question != "verdict"
    title = f"{question} of {', '.join(paths)}"
    text = "" if has_rows else out or f"written to {file}"
    return Answer(json.loads(out) if has_rows else [], text, notes, title)
