# SPDX-License-Identifier: MIT
"""Reads the files of one process in each format of rocprofv3: every event with its name, its times and its id.

A reader takes the folder and the beginning of the files' names, and returns {kind: [(name, start, end, id)]}, in
order. The kinds are those of JSON and OTF2. Scratch memory has no id in CSV, so that its id is 0 in all of them.
"""

import csv
import json
import re
import sqlite3
import subprocess

import pftrace

# The file of CSV and its column with the name.
IN_CSV = {"kernel_dispatch": ("kernel_trace", "Kernel_Name"), "hip_api": ("hip_api_trace", "Function"),
          "hsa_api": ("hsa_api_trace", "Function"), "marker_api": ("marker_api_trace", "Function"),
          "memory_copy": ("memory_copy_trace", "Direction"), "rccl_api": ("rccl_api_trace", "Function"),
          "memory_allocation": ("memory_allocation_trace", "Operation"),
          "scratch_memory": ("scratch_memory_trace", "Operation")}
KINDS = tuple(IN_CSV)
# The view of rocpd, the category there, and the columns.
CALL = "name, start, end, stack_id"
IN_ROCPD = {"kernel_dispatch": ("kernels", "KERNEL_DISPATCH",
                                "CASE coalesce(region, '') WHEN '' THEN name ELSE region END, start, end, stack_id"),
            "hip_api": ("regions", "HIP_%", CALL),
            "hsa_api": ("regions", "HSA_%", CALL), "rccl_api": ("regions", "RCCL_%", CALL),
            "marker_api": ("regions_and_samples", "MARKER_%",
                           "json_extract(extdata, '$.message'), start, end, stack_id"),
            "memory_copy": ("memory_copies", "MEMORY_COPY", CALL),
            "memory_allocation": ("memory_allocations", "MEMORY_ALLOCATION",
                                  "'MEMORY_ALLOCATION_' || CASE level WHEN 'VIRTUAL' THEN 'VMEM_' ELSE '' END ||"
                                  " CASE type WHEN 'ALLOC' THEN 'ALLOCATE' ELSE type END, start, end, stack_id"),
            "scratch_memory": ("scratch_memory", "SCRATCH_MEMORY", "'SCRATCH_MEMORY_' || operation, start, end, 0")}
# The timeline's names of memory events.
OF_MEMORY = {("memory_allocation", word): f"MEMORY_ALLOCATION_{word.upper()}"
             for word in ("allocate", "free", "vmem_allocate", "vmem_free")}
OF_MEMORY |= {("scratch_memory", word): f"SCRATCH_MEMORY_{name}" for word, name in (
    ("scratch_allocate", "ALLOC"), ("scratch_free", "FREE"), ("scratch_reclaim", "ASYNC_RECLAIM"))}


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def in_order(kinds):
    return {kind: sorted(kinds.get(kind, ())) for kind in KINDS}


def in_csv(folder, name):
    """A file without rows does not exist."""
    kinds = {}
    for kind, (file, column) in IN_CSV.items():
        path = folder / f"{name}_{file}.csv"
        kinds[kind] = [(row[column], int(row["Start_Timestamp"]), int(row["End_Timestamp"]),
                        int(row.get("Correlation_Id", 0))) for row in (rows_of(path) if path.exists() else ())]
    return in_order(kinds)


def in_json(folder, name):
    (tool,) = json.loads((folder / f"{name}_results.json").read_text())["rocprofiler-sdk-tool"]
    strings = tool["strings"]["buffer_records"]
    messages = {entry["key"]: entry["value"] for entry in tool["strings"]["marker_api"]}
    renamed = {entry["key"]: entry["value"] for entry in tool["strings"]["correlation_id"]["external"]}

    def name_of(kind, record):
        if record["correlation_id"]["external"] in renamed:  # by --kernel-rename
            return renamed[record["correlation_id"]["external"]]
        if kind == "kernel_dispatch":
            return tool["kernel_symbols"][record["dispatch_info"]["kernel_id"]]["formatted_kernel_name"]
        if kind == "marker_api":
            return messages[record["correlation_id"]["internal"]]
        return strings[record["kind"]]["operations"][record["operation"]]

    return in_order({kind: [(name_of(kind, record), record["start_timestamp"], record["end_timestamp"],
                             0 if kind == "scratch_memory" else record["correlation_id"]["internal"])
                            for record in tool["buffer_records"][kind]] for kind in KINDS})


def in_pftrace(folder, start):
    slices, _ = pftrace.read(folder / f"{start}_results.pftrace")
    kinds = {}
    for kind, text, values in slices:
        if kind not in KINDS:
            continue
        number = 0 if kind == "scratch_memory" else values["corr_id"]
        # A slice has the short name of its kernel, or the trace's word for a memory event.
        name = values["kernel_name"] if kind == "kernel_dispatch" else OF_MEMORY.get((kind, text), text)
        kinds.setdefault(kind, []).append((name, values["begin_ns"], values["end_ns"], number))
    return in_order(kinds)


def in_otf2(folder, name):
    printed = subprocess.run(["otf2-print", folder / f"{name}_results.otf2"], capture_output=True, text=True,
                             timeout=100)
    assert (printed.returncode, printed.stderr) == (0, ""), printed.stderr
    event = re.compile(r'^(ENTER|LEAVE) +(\d+) +(\d+)  Region: "(.*)" <\d+>$')
    ids = re.compile(r'"category" <0>; STRING; "(\w+)" <\d+>\), \("correlation_id" <1>; UINT64; (\d+)\)')
    kinds, open_spans, last = {}, {}, None
    for line in printed.stdout.splitlines():
        if found := event.match(line):
            stack = open_spans.setdefault(found[2], [])
            if found[1] == "ENTER":
                last = {"name": found[4], "start": int(found[3])}
                stack.append(last)
                continue
            span = stack.pop()
            assert span["name"] == found[4], (span, line)
            kind = {"marker_api_mark": "marker_api"}.get(span["category"], span["category"])
            number = 0 if kind == "scratch_memory" else span["id"]
            kinds.setdefault(kind, []).append((span["name"], span["start"], int(found[3]), number))
        elif found := ids.search(line):
            last |= {"category": found[1], "id": int(found[2])}
    assert not any(open_spans.values()), "a region without its end"
    return in_order(kinds)


def in_rocpd(folder, name):
    with sqlite3.connect(f"file:{folder / f'{name}_results.db'}?mode=ro", uri=True) as database:
        return in_order({kind: database.execute(f"SELECT {columns} FROM {view} WHERE category LIKE ?",
                                                (category,)).fetchall()
                         for kind, (view, category, columns) in IN_ROCPD.items()})


READERS = {"csv": in_csv, "json": in_json, "pftrace": in_pftrace, "otf2": in_otf2, "rocpd": in_rocpd}
EVERY = tuple(READERS)


def all_formats(folder, name):
    return {format: read(folder, name) for format, read in READERS.items()}
