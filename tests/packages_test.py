#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The packages, installed and used in a root file system that contains only Debian's base and an HSA runtime.

    RTL_BUILD=build/release packages_test.py
"""

import os
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from frame import BUILD, ROOT, main, make_folder, run, skip  # noqa: E402

PACKAGE = ROOT / "scripts" / "package"
USER = ROOT / "tests" / "wheel_user.py"
DEBS = ["rocm-trace-lite", "rocm-trace-lite-sdk", "rocm-trace-lite-vgpu"]
# Debian's packages in the root: dependencies of the packages, and programs that the test runs.
NEEDED = ["libfmt9", "libsqlite3-0", "libstdc++6", "libzstd1", "zlib1g", "libhsa-runtime64-1", "python3-venv"]
# From the build, for the root: programs that users would bring.
BROUGHT = ["bin/programs/hsa_storm", "bin/marker_program", "lib/libkernel_trace.so"]


def mirror():
    """The mirror of this machine's packages, and the suite; None: apt does not name one."""
    lines = run("apt-get", "indextargets", "--no-release-info", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
                "Created-By: Packages").stdout.split("\n")
    return next((line.split()[:2] for line in lines if line.endswith(" bookworm main")), None)


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = make_folder(cls)
        cls.root = cls.folder / "root"
        made = cls.folder / "made"
        for kind in ("deb", "wheel"):
            run(PACKAGE, kind, made, BUILD=BUILD)
        for path in (*(BUILD / name for name in BROUGHT), USER):
            shutil.copy(path, made)
        uri, suite = mirror()
        done = run("mmdebstrap", "--variant=apt", f"--include={','.join(NEEDED)}",
                   "--aptopt=APT::Install-Recommends \"false\"", f"--customize-hook=copy-in {made} /",
                   suite, cls.root, f"deb {uri} {suite} main", code=None)
        if done.returncode != 0:
            reason = [line for line in done.stderr.split("\n") if line.startswith(("E: ", "Err:"))]
            skip(f"no root file system can be made here: {(reason or ['mmdebstrap failed'])[0]}\n{done.stderr[-2000:]}")
        run("chroot", cls.root, "sh", "-c", "dpkg --install /made/*.deb")

    def inside(self, command, expected=0):
        mounts = "".join(f"mount --rbind /{name} {self.root}/{name} && " for name in ("proc", "dev", "sys"))
        enter = f'exec chroot {self.root} env -i PATH=/usr/bin:/bin sh -c "$1"'
        return run("unshare", "--mount", "sh", "-c", mounts + enter, "sh", f"cd /tmp && {command}", code=expected)

    def test_rpms_have_the_files_of_the_debs(self):
        if shutil.which("rpmbuild") is None:
            self.skipTest("rpmbuild is not installed (scripts/setup test)")
        run(PACKAGE, "rpm", self.folder / "rpm", BUILD=BUILD)
        for name in DEBS:
            file, = (self.folder / "rpm").glob(f"{name}-[0-9]*.x86_64.rpm")
            deb, = (self.folder / "made").glob(f"{name}_*.deb")
            listed = run("dpkg-deb", "--contents", deb).stdout.split("\n")
            files = {line.split(" -> ")[0].split()[-1].removeprefix(".") for line in listed if line and line[0] != "d"}
            packed = run("rpm", "--query", "--package", "--list", "--noartifact", file).stdout.split("\n")
            self.assertLessEqual(files, set(packed))
            self.assertIn(f"/usr/share/doc/{name}/copyright", files)
        needs = run("rpm", "--query", "--package", "--requires", *(self.folder / "rpm").glob("*-sdk-*.rpm")).stdout
        self.assertIn("rocm-trace-lite = ", needs)

        root = self.folder / "rpm_root"
        root.mkdir()
        change = ["rpm", "--root", root, "--nodeps", "--noscripts"]
        run(*change, "--install", *(self.folder / "rpm").glob("*.rpm"))
        out = run(root / "usr/bin/rtl", "trace", "--vgpu", "--no-summary", "-o", self.folder / "r.db", "--",
                  self.folder / "made/hsa_storm", "20", "1").stderr
        self.assertIn("rtl: kernels: 20 submitted, 20 recorded, 0 lost\n", out)
        run(*change, "--erase", *DEBS)
        self.assertEqual([path for path in root.glob("usr/**/*") if path.is_file()], [])

    def test_programs_run_from_where_they_were_installed(self):
        out = self.inside("rtl trace --vgpu --no-summary -o t.db -- /made/hsa_storm 20 1").stderr
        self.assertIn("rtl: kernels: 20 submitted, 20 recorded, 0 lost\n", out)
        self.assertIn("library: /usr/lib/libvgpu.so", self.inside("vgpu info").stdout)
        self.inside("vgpu run rocprofv3 --kernel-trace -f csv -d out -o run -- /made/hsa_storm 20 1")
        self.assertEqual(self.inside("cat out/run_kernel_trace.csv").stdout.count("\n"), 21)
        self.assertEqual(self.inside("python3 /usr/bin/rocprofv3-avail --help").stdout,
                         self.inside("rocprofv3-avail --help").stdout)

    def test_markers_are_found_without_a_launcher(self):
        self.inside("/made/marker_program")
        self.inside("rtl trace --no-summary -o m.db -- /made/marker_program")
        self.assertIn("markers: ", self.inside("rtl info m.db").stdout)

    def test_a_tool_runs_on_the_installed_library(self):
        self.inside("HSA_TOOLS_LIB=librocprofiler-sdk.so.1 ROCP_TOOL_LIBRARIES=/made/libkernel_trace.so "
                    "KERNEL_TRACE_FILE=k.txt vgpu run /made/hsa_storm 20 1")
        self.assertEqual(self.inside("cat k.txt").stdout.count("\nkernel "), 20)
        # AMD's rocprofiler-register asks the loader for this name.
        self.inside('python3 -c "import ctypes; ctypes.CDLL(\'librocprofiler-sdk.so\')"')

    def test_the_wheel_has_programs_of_its_own(self):
        self.inside("python3 -m venv /venv && /venv/bin/pip install --no-index /made/*.whl")
        out = self.inside("/venv/bin/rtl trace --vgpu --no-summary -o w.db -- /made/hsa_storm 20 1").stderr
        self.assertIn("rtl: kernels: 20 submitted, 20 recorded, 0 lost\n", out)
        self.assertIn("library: /venv/lib/", self.inside("/venv/bin/vgpu info").stdout)
        self.assertIn("rocprofv3 ", self.inside("/venv/bin/rocprofv3 --version").stdout)
        self.assertIn("rocprofv3-avail ", self.inside("/venv/bin/rocprofv3-avail --help").stdout)
        self.assertEqual(self.inside("/venv/bin/vgpu run sh -c 'exit 7'", expected=7).stdout, "")
        said = self.inside("/venv/bin/python /made/wheel_user.py w.db").stdout
        self.assertIn("20 kernels read by Python 3.11", said)
        marks = "import roctx; print(roctx.available); roctx.mark('here')"
        command = f'/venv/bin/rtl trace --no-summary -o r.db -- /venv/bin/python -c "{marks}"'
        self.assertEqual(self.inside(command).stdout,
                         "True\n")
        self.assertIn("markers: 1 submitted, 1 recorded, 0 lost", self.inside("/venv/bin/rtl info r.db").stdout)

    def test_the_systems_python_has_the_module(self):
        program = ("import roctx; from roctx.context_decorators import RoctxRange; "
                   "print(roctx.__file__, roctx.available);"
                   " RoctxRange('around')(roctx.mark)('here')")
        out = self.inside(f'rtl trace --no-summary -o p.db -- python3 -c "{program}"').stdout
        self.assertEqual(out, "/usr/lib/python3/dist-packages/roctx/__init__.py True\n")
        self.assertIn("markers: 2 submitted, 2 recorded, 0 lost", self.inside("rtl info p.db").stdout)

    def test_nothing_stays_when_they_are_removed(self):
        copy = make_folder(self) / "root"
        run("cp", "-a", "--reflink=auto", self.root, copy)
        listed = run("chroot", copy, "dpkg", "-L", *DEBS).stdout.split("\n")
        ours = [line for line in listed if line.startswith("/usr/lib/lib")]
        self.assertIn("/usr/lib/librtl_engine.so", ours)
        run("chroot", copy, "dpkg", "--purge", *DEBS)
        self.assertEqual([path for path in ours if (copy / path[1:]).exists()], [])


if __name__ == "__main__":
    if shutil.which("mmdebstrap") is None or mirror() is None or os.getuid() != 0:
        skip("needs root, mmdebstrap, and the mirror of Debian 12 in apt's sources")
    main(BUILD / BROUGHT[0])
