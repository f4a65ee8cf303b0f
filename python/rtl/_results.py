# SPDX-License-Identifier: MIT
"""The verbs of `rtl` as functions. They ask the command, so that its numbers are theirs."""
import html
import json
import os
from typing import Any, Dict, List, Optional, Sequence, Union

from . import _command
from ._trace import Trace, needed

Source = Union[Trace, str, "os.PathLike[str]"]  # a trace that is open, or its file
_SELECTION = {"kernel": "--kernel", "during": "--range", "start": "--from", "stop": "--to", "rank": "--rank",
              "gpu": "--gpu"}


def _selection(wishes):
    words = []
    for wish, value in wishes.items():
        if value is None:
            continue
        words.append(f"{_SELECTION[wish]}={value}" + ("ns" if wish in ("start", "stop") else ""))  # may begin with "-"
    return words


def _path(trace):
    path = trace.path_for_command() if isinstance(trace, Trace) else os.fspath(trace)
    return os.path.join(os.curdir, path) if path.startswith("-") else path  # it would be an option


def _ask_command(traces, *words):
    """What the command prints about these, in which a database that was made for a trace has the trace's name."""
    made = {each.database: each.name for each in traces if isinstance(each, Trace) and each.path_for_command() == each.database}
    return _command.run(*words, shown=made)


class Result:
    """The answer of a verb: `data` is its JSON, `tables` its tables as lists of dictionaries, `table` the main one,
    `text` what the command prints. Times are nanoseconds."""

    main = ""

    def __init__(self, data: Dict[str, Any], text: str, title: str) -> None:
        self.data, self.text, self._title = data, text, title

    @property
    def tables(self) -> Dict[str, List[Dict[str, Any]]]:
        """{name: rows}."""
        return {name: rows for name, rows in self.data.items()
                if isinstance(rows, list) and all(isinstance(row, dict) for row in rows)}

    @property
    def table(self) -> List[Dict[str, Any]]:
        """The rows of the main table."""
        return self.tables.get(self.main, [])

    def to_pandas(self) -> Any:
        """The main table as a pandas.DataFrame."""
        return needed("pandas", "to_pandas").DataFrame(self.table)

    def __repr__(self) -> str:
        return self.text

    def verdict_html(self) -> str:
        """What the command prints before its tables."""
        verdict = self.text.split("\n\n", maxsplit=1)[0]
        return (f'<h4>{html.escape(self._title)}</h4><pre style="white-space:pre-wrap;word-break:normal">'
                f"{html.escape(verdict)}</pre>")

    def _repr_html_(self) -> str:
        return self.verdict_html() + rows_html(self.table)


def _shown(name, value):
    """Nanoseconds in the unit that fits; other values as they are."""
    if not name.endswith("_ns") or isinstance(value, bool) or not isinstance(value, (int, float)):
        return "" if value is None else str(value)
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(value) >= size:
            return f"{value / size:.2f} {unit}"
    return f"{value:.0f} ns"


def rows_html(rows, most=20):
    """The first rows as a table of HTML."""
    if not rows:
        return "<p>no rows</p>"
    # A moment of the host's clock says nothing to a reader.
    names = [name for name in rows[0] if name != "sql" and not name.endswith("_at_ns")
             and not isinstance(rows[0][name], (dict, list))]
    head = "".join(f"<th>{html.escape(name.removesuffix('_ns').replace('_', ' '))}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(_shown(name, row.get(name)))}</td>" for name in names) + "</tr>"
                   for row in rows[:most])
    more = f"<p>{len(rows) - most} more rows</p>" if len(rows) > most else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


class Summary(Result):
    """Time by kernel, GPU, copy, call and range: `tables` has them."""

    main = "kernels"


class Analysis(Result):
    """Why GPUs were idle: `causes` has a row for each GPU and cause; `gaps` the number, the sum and the longest."""

    main = "causes"

    @property
    def tables(self) -> Dict[str, List[Dict[str, Any]]]:
        causes = [{"gpu": gpu["gpu"], **{name: value for name, value in cause.items() if name != "sql"}}
                  for gpu in self.data.get("gpus", []) for cause in gpu.get("causes", [])]
        return {**super().tables, "causes": causes}


class Difference(Result):
    """What got slower, faster, new or gone."""

    main = "differences"


class Report:
    """The page of `rtl report`: `html` is its text, which needs no network."""

    def __init__(self, page: str) -> None:
        self.html = page

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        return f"<report of {len(self.html)} characters; save() writes it to a file>"

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html, quote=True)}" width="100%" height="640" '
                'style="border:0" sandbox="allow-scripts"></iframe>')


def _ask(kind, verb, traces, words, title):
    data = json.loads(_ask_command(traces, verb, "--json", *words))
    return kind(data, _ask_command(traces, verb, *words), title)


def summary(trace: Source, *, kernel: Optional[str] = None, during: Optional[str] = None, start: Optional[int] = None,
            stop: Optional[int] = None, rank: Optional[int] = None, gpu: Optional[int] = None) -> Summary:
    """`rtl summary`: time by kernel, GPU, copy, call and range, in ns. `kernel` is a regular expression."""
    wishes = {"kernel": kernel, "during": during, "start": start, "stop": stop, "rank": rank, "gpu": gpu}
    return _ask(Summary, "summary", [trace], [*_selection(wishes), _path(trace)], f"Summary of {_title(trace)}")


def analyze(trace: Source, *, kernel: Optional[str] = None, during: Optional[str] = None, start: Optional[int] = None,
            stop: Optional[int] = None, rank: Optional[int] = None, gpu: Optional[int] = None) -> Analysis:
    """`rtl analyze`: why each GPU was idle, and the findings, in ns."""
    wishes = {"kernel": kernel, "during": during, "start": start, "stop": stop, "rank": rank, "gpu": gpu}
    return _ask(Analysis, "analyze", [trace], [*_selection(wishes), _path(trace)], f"Why GPUs were idle in {_title(trace)}")


def diff(before: Union[Source, Sequence[Source]], after: Union[Source, Sequence[Source]]) -> Difference:
    """`rtl diff`: what changed from one trace, or a list of them, to another."""
    earlier, later = (list(each) if isinstance(each, (list, tuple)) else [each] for each in (before, after))
    return _ask(Difference, "diff", [*earlier, *later], [*map(_path, earlier), "--with", *map(_path, later)],
                "Differences")


def report(trace: Source, *, during: Optional[str] = None, rank: Optional[int] = None) -> Report:
    """`rtl report`: a page with the verdict, a timeline that can be moved, and tables; no network."""
    return Report(_ask_command([trace], "report", *_selection({"during": during, "rank": rank}), _path(trace), "-o",
                               "-"))


def _title(trace):
    return trace.name if isinstance(trace, Trace) else os.fspath(trace)
