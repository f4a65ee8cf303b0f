# SPDX-License-Identifier: MIT
"""compile_commands.json of a build that compiles several files as one (RTL_UNITY): a command for each of them."""
import json
import pathlib
import re

INCLUDED = re.compile(r'^#include "([^"]+)"$', re.M)


def entries(build):
    """The entries of the file, each with a command; those of units are replaced by those of their files."""
    found = []
    for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
        command = entry.get("command") or " ".join(entry["arguments"])
        unit = pathlib.Path(entry["directory"], entry["file"])
        if not re.fullmatch(r"unity_\d+_cxx\.cxx", unit.name):
            found.append(entry | {"command": command})
            continue
        for file in INCLUDED.findall(unit.read_text()):
            found.append({"directory": entry["directory"], "file": file,
                          "command": command.replace(entry["file"], file)})
    return found
