#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The notebooks of the guide run from their first cell to their last: that of docs/guide/notebook.md on a trace of the
program that it names, that of many-ranks.md on a generated job whose slow rank is known.
Needs nbconvert, ipykernel, pandas, matplotlib, pyarrow and duckdb: of the Python that runs the test, or, with
--install, of an environment with these and what tables_test.py can compare with.

    RTL_BUILD=build/release notebook_test.py              skipped where a package is missing
    RTL_BUILD=build/release notebook_test.py --install    with packages of 1 GB in build/notebook
    RTL_BUILD=build/release notebook_test.py --pictures   also makes those of the page
"""
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from frame import BUILD, PROGRAMS, ROOT, run, skip  # noqa: E402

GUIDE = ROOT / "docs" / "guide"
PROGRAM = PROGRAMS / "slow_steps"
PACKAGES = ("nbconvert", "ipykernel", "pandas", "matplotlib", "pyarrow", "duckdb")
OTHERS = ("polars", "mypy")  # of tables_test.py


def install():
    """The Python of an environment with the packages; it is made once."""
    folder = BUILD.parent / "notebook"
    python = folder / "bin" / "python"
    if not (folder / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES,
                        *OTHERS], check=True)
        (folder / "installed").touch()
    return str(python)


def execute(notebook, python, folder, variables, *launcher):
    """The outputs of its cells: the data by type, and what commands printed under "text"."""
    shutil.copy(GUIDE / notebook, folder)
    run(*launcher, python, "-m", "nbconvert", "--to", "notebook", "--execute", notebook, "--output", "run-" + notebook,
        folder=folder, environment=variables)
    cells = [cell for cell in json.loads((folder / ("run-" + notebook)).read_text(encoding="utf-8"))["cells"]
             if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in cells), "a cell did not run"
    return [output.get("data", {}) | {"text": "".join(output.get("text", ""))} for cell in cells
            for output in cell["outputs"]]


def check_trace(outputs):
    """The objects of rtl show themselves as pages."""
    shown = ["".join(output["text/html"]) for output in outputs if "text/html" in output]
    assert sum("Why GPUs were idle" in page for page in shown) == 2, "the trace and the cell show why GPUs were idle"
    assert sum("<iframe srcdoc=" in page for page in shown) == 2, "the trace and the report show the timeline"


def check_many_ranks(outputs, truth):
    text = "".join(output["text"] for output in outputs)
    assert f"rank {truth['slow_rank']} (node-000) held up the others in" in text, text
    assert sum("image/png" in output for output in outputs) == 2, "the heat maps, and where the time went"
    held = next("".join(output["text/plain"]) for output in outputs if "others waited" in str(output.get("text/html")))
    assert str(truth["late_rank"]) in held and str(truth["slow_rank"]) in held, held


def take_pictures(folder):
    sys.path.insert(0, str(ROOT / "tests" / "scenario"))
    import browser  # pylint: disable=import-outside-toplevel
    shutil.copy(folder / "spans.png", GUIDE / "notebook-spans.png")
    with browser.Browser(900, 1150) as page:
        page.call("Page.navigate", url=f"file://{folder}/run-notebook.html")
        shots = []
        while len(set(shots[-8:])) != 1 or len(shots) < 40:  # the report draws itself in a frame of its own
            page.frame()
            page.screenshot(GUIDE / "notebook-trace.png")
            shots.append((GUIDE / "notebook-trace.png").read_bytes())


def main():
    if not PROGRAM.exists():
        skip("the HIP program slow_steps could not be built here")
    python = install() if "--install" in sys.argv else sys.executable
    missing = [name for name in PACKAGES if python == sys.executable and importlib.util.find_spec(name) is None]
    if missing:
        skip(f"not installed: {', '.join(missing)}")
    with tempfile.TemporaryDirectory(prefix="notebook-") as name:
        folder = pathlib.Path(name)
        variables = os.environ | {"HOME": name, "PATH": f"{BUILD}/bin:{os.environ['PATH']}", "PYTHONPATH":
                                  f"{ROOT}/python", "LD_LIBRARY_PATH": f"{BUILD}/lib", "MPLBACKEND": "agg"}
        shutil.copy(PROGRAM, folder)
        run("rtl", "trace", "--vgpu", "--mode", "hip", "--no-summary", "-o", "trace.db", "--", "./slow_steps",
            folder=folder, environment=variables)
        check_trace(execute("notebook.ipynb", python, folder, variables, "vgpu", "run", "--"))
        made = run("fleet_job", "job", "--ranks", 32, "--steps", 24, "--layers", 4, folder=folder,
                   environment=variables)
        variables["PATH"] = f"{pathlib.Path(python).parent}:{variables['PATH']}"  # duckdb
        del variables["MPLBACKEND"]  # pictures are outputs of their cells
        check_many_ranks(execute("many-ranks.ipynb", python, folder, variables), json.loads(made.stdout))
        if "--pictures" in sys.argv:
            run(python, "-m", "nbconvert", "--to", "html", "run-notebook.ipynb", folder=folder, environment=variables)
            take_pictures(folder)
    print("the notebooks ran")


if __name__ == "__main__":
    main()
