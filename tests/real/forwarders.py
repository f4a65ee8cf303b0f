# SPDX-License-Identifier: MIT
"""Libraries that wheels of AMD's own ROCm are linked with and Debian has by other names: small ones that pass each
function on to Debian's."""

import pathlib
import re
import subprocess
import tempfile

# AMD's name: Debian's library.
FORWARDED = {
    "librocm_sysdeps_drm.so.2": "libdrm.so.2",
    "librocm_sysdeps_drm_amdgpu.so.1": "libdrm_amdgpu.so.1",
    "librocm_sysdeps_numa.so.1": "libnuma.so.1",
    "librocm_sysdeps_z.so.1": "libz.so.1",
    "librocm_sysdeps_zstd.so.1": "libzstd.so.1",
    "libamd_smi.so.26": "libamd_smi.so.27",
    "librocm_smi64.so.1": "librocm_smi64.so.7",
}


def readelf(*words):
    return subprocess.run(["readelf", "-W", *words], capture_output=True, text=True, check=True).stdout


def needs(library):
    """{library of FORWARDED: {(function, its version or "")}} of an ELF file."""
    wanted = set(re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", library))) & FORWARDED.keys()
    if not wanted:
        return {}
    versions, current = {}, ""
    for line in readelf("-V", library).splitlines():
        found = re.search(r"File: (\S+)", line)
        current = found[1] if found else current
        for name in re.findall(r"Name: (\S+)", line):
            versions[name] = current
    result = {name: set() for name in wanted}
    for name, version in re.findall(r"UND (\w+)(?:@(\S+))?", readelf("--dyn-syms", library)):
        if versions.get(version) in wanted:
            result[versions[version]].add((name, version))
        elif not version:
            for library_name, prefix in (("libamd_smi.so.26", "amdsmi_"), ("librocm_smi64.so.1", "rsmi_")):
                if library_name in wanted and name.startswith(prefix):
                    result[library_name].add((name, ""))
    return result


def make(folder, wheels):
    """Writes into `folder` what the libraries below `wheels` need."""
    wanted = {}
    for library in pathlib.Path(wheels).rglob("*.so*"):
        if library.is_file() and not library.is_symlink() and library.open("rb").read(4) == b"\x7fELF":
            for name, functions in needs(library).items():
                wanted.setdefault(name, set()).update(functions)
    folder.mkdir(parents=True)
    for name, functions in wanted.items():
        compile_forwarder(folder / name, FORWARDED[name], functions)


def compile_forwarder(path, target, functions):
    functions = sorted(functions)
    code = ['#include <dlfcn.h>', f'__attribute__((used, visibility("hidden"))) void* to[{len(functions) + 1}];',
            "static int missing(void) { return 2; }  // AMDSMI_STATUS_NOT_SUPPORTED",
            "__attribute__((constructor)) static void find(void) {",
            f'  void* library = dlopen("{target}", RTLD_NOW);']
    for i, (name, _) in enumerate(functions):
        code.append(f'  if (!(to[{i}] = library ? dlsym(library, "{name}") : 0)) to[{i}] = (void*)missing;')
    code.append("}")
    for i, (name, _) in enumerate(functions):
        code.append(f'__asm__(".globl {name}\\n.type {name},@function\\n{name}: jmp *to+{8 * i}(%rip)\\n");')
    script = ""
    for version in sorted({version for _, version in functions if version}):
        names = "".join(f" {name};" for name, of in functions if of == version)
        script += f"{version} {{ global:{names} }};\n"
    with tempfile.TemporaryDirectory() as work:
        source, map_file = pathlib.Path(work) / "forward.c", pathlib.Path(work) / "versions"
        source.write_text("\n".join(code) + "\n", encoding="utf-8")
        map_file.write_text(script, encoding="utf-8")
        options = [f"-Wl,--version-script={map_file}"] if script else []
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", f"-Wl,-soname,{path.name}", *options, "-o", path, source],
                       check=True)
