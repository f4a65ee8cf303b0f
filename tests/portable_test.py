#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The packages of `scripts/package portable` on older and newer systems. In root file systems of Debian 11, 12, 13 and
sid the wheel is installed by the root's own pip, traces the example with AMD's own runtime on the virtual GPU, and
leaves nothing behind. In one of them ROCm lies where containers have it, and the user has little: no root, no home to
write to. The packages of Debian and RPM are installed on Debian 11: its C library is older than that of Ubuntu 22.04;
rpm checks their needs against those of RHEL 8.

    portable_test.py PACKAGES [CASES...]    PACKAGES: the folder that scripts/package wrote
                                            CASES: suites, containers, debs, rpms; default: all
"""

import functools
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
import frame  # noqa: E402
from frame import ROOT, root_of, skip  # noqa: E402

GLIBC = ROOT / "build" / "portable" / "glibc"
SUITES = ["bullseye", "bookworm", "trixie", "sid"]
LAYOUTS = "trixie"  # the suite in which layouts and users are tried
# AMD's own runtime, and the libraries that it opens without asking the linker for them.
LIBRARIES = ["libamdhip64.so.7", "libhsa-runtime64.so.1", "libamd_comgr.so.3", "librocprofiler-register.so.0"]
OF_THE_SYSTEM = ("libc.", "libm.", "libdl.", "libpthread.", "librt.", "ld-linux", "libgcc_s", "libstdc++")
NAMES = "rocm-trace-lite rocm-trace-lite-vgpu rocm-trace-lite-sdk"
# What RHEL 8 has: no newer version of a library may be needed.
RHEL_GLIBC = ["2.2.5", "2.2.6", "2.3", "2.3.2", "2.3.3", "2.3.4", *(f"2.{minor}" for minor in range(4, 29))]
RHEL_LIBRARIES = ["libz.so.1()(64bit)", "libz.so.1(ZLIB_1.2.0)(64bit)", "libtinfo.so.6()(64bit)",
                  "libtinfo.so.6(NCURSES6_TINFO_5.0.19991023)(64bit)", "rtld(GNU_HASH)", "/bin/sh", "/usr/bin/env"]
PIP = "PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore python3 -m pip"
ALWAYS = ["python3", "python3-pip", "libstdc++6", "musl"]  # packages of the root
KERNELS = "rtl: kernels: 96 submitted, 96 recorded, 0 lost"  # of the example
# Loads one or more libamdhip64, and counts the devices with each.
PYTHON = """import ctypes, sys
for path in sys.argv[1:]:
    count = ctypes.c_int()
    assert ctypes.CDLL(path).hipGetDeviceCount(ctypes.byref(count)) == 0 and count.value == 1, path
    hip = ctypes.CDLL(path)
    data = ctypes.c_void_p()
    assert hip.hipMalloc(ctypes.byref(data), ctypes.c_size_t(4096)) == 0
    assert hip.hipMemset(data, 0, ctypes.c_size_t(4096)) == 0 and hip.hipDeviceSynchronize() == 0
"""


run = functools.partial(frame.run, seconds=3000)


def copy_amd_libraries(folder):
    """AMD's libraries, as scripts/runtime has them in the root of 7.14, under the names by which they are looked up."""
    source = root_of("7.14") / "usr/lib/x86_64-linux-gnu"
    folder.mkdir(parents=True)
    waiting = list(LIBRARIES)
    while waiting:
        name = waiting.pop()
        path = source / name
        if (folder / name).exists() or not path.exists():
            continue
        real = path.resolve()
        if not (folder / real.name).exists():
            shutil.copy(real, folder / real.name)
        if name != real.name:
            (folder / name).symlink_to(real.name)
        needed = re.findall(r"NEEDED.*\[(.+)\]", run("readelf", "-d", real).stdout)
        waiting += [each for each in needed if not each.startswith(OF_THE_SYSTEM)]


def build_example(file, amd):
    """The example for the C library and C++ library of Debian 11."""
    part = file.with_suffix(".o")
    run("hipcc", "--offload-arch=gfx906", "-O2", f"-I{ROOT}/include", "-c", ROOT / "examples/stream_gemm.hip", "-o",
        part)
    run("g++", part, f"-B{GLIBC}/", f"-L{GLIBC}", f"-Wl,-rpath-link,{GLIBC},--allow-shlib-undefined",
        ROOT / "build/portable/lib/libroctx64.so.4", amd / "libamdhip64.so.7", "-o", file)
    hashed = re.search(r"NEEDED.*\[(libamdhip64.+)\]", run("readelf", "-d", file).stdout)[1]
    run("patchelf", "--replace-needed", hashed, "libamdhip64.so.7", file)


def build_system_package(folder):
    """A package that has, for rpm, what RHEL 8 has: rpm itself then checks what ours need."""
    provided = RHEL_LIBRARIES + ["libc.so.6()(64bit)", "ld-linux-x86-64.so.2()(64bit)"]
    for library in ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"):
        provided += [f"{library}()(64bit)", *(f"{library}(GLIBC_{version})(64bit)" for version in RHEL_GLIBC)]
    spec = folder / "system.spec"
    spec.write_text("Name: system\nVersion: 1\nRelease: 1\nSummary: stands in for RHEL 8\nLicense: MIT\n"
                    + "".join(f"Provides: {each}\n" for each in provided) + "%description\nNo file.\n%files\n",
                    encoding="ascii")
    run("rpmbuild", "-bb", "--define", f"_topdir {folder}/rpmbuild", "--define", f"_rpmdir {folder}", "--define",
        "_build_name_fmt system.rpm", "--define", "_binary_payload w9.gzdio", spec)


class Root:
    """A root file system of one suite, with the wheel in /given, AMD's libraries in /given/amd and the example."""

    def __init__(self, suite, folder, given, packages=()):
        self.path, self.given = pathlib.Path(tempfile.mkdtemp(prefix=f"{suite}-", dir=folder)), given
        targets = run("apt-get", "indextargets", "--no-release-info", "--format",
                      "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages").stdout
        mirror = next(line.split()[0] for line in targets.split("\n") if line.endswith(" main"))
        run("mmdebstrap", "--variant=apt", "--aptopt=APT::Install-Recommends \"false\"",
            "--aptopt=Acquire::Check-Valid-Until \"false\"", f"--include={','.join([*ALWAYS, *packages])}", suite,
            self.path, f"deb {mirror} {suite} main")
        (self.path / "given").mkdir()

    def run(self, command, code=0, libraries="/given/amd", before="", user=None):
        """`before`: what is done in the mount namespace, with the root as the current folder."""
        mounts = [f"mount --rbind /{name} {self.path}/{name}" for name in ("proc", "dev", "sys")]
        mounts += [f"mount --bind {self.given} {self.path}/given", f"cd {self.path}", before or "true"]
        keep = f"--userspec={user}:{user}" if user else ""
        path = f"LD_LIBRARY_PATH={libraries}" if libraries else ""
        home = f"/home/{user}" if user else "/tmp"
        search = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
        enter = f'exec chroot {keep} . env -i HOME={home} {search} {path} sh -c "$1"'
        return run("unshare", "--mount", "sh", "-ec", "\n".join(mounts + [enter]), "sh", f"cd /tmp && {command}",
                   code=code)

    def files(self):
        return sorted(str(path.relative_to(self.path)) for path in self.path.rglob("*")
                      if not str(path.relative_to(self.path)).startswith(("proc", "dev", "sys", "tmp", "var", "root"))
                      and "__pycache__" not in str(path))


class Case(unittest.TestCase):
    """Cases in one root, which is removed at their end."""
    suite = None
    packages = ()
    install = f"{PIP} install --no-index /given/*.whl"
    uninstall = f"{PIP} uninstall -y rocm_trace_lite"

    @classmethod
    def setUpClass(cls):
        cls.root = Root(cls.suite, FOLDER, GIVEN, cls.packages)
        cls.addClassCleanup(shutil.rmtree, cls.root.path, ignore_errors=True)
        cls.before = cls.root.files()
        cls.root.run(cls.install)

    def inside(self, command, code=0, **more):
        done = self.root.run(command, code, **more)
        return done.stdout + done.stderr

    def trace(self, program, code=0, **more):
        said = self.inside(f"rtl trace --vgpu --no-summary --force -o $HOME/t.db -- {program}", code, **more)
        self.assertIn(KERNELS, said)
        return said


class System:
    """What every system can do with what was installed."""
    shared = set()  # folders that stay, because other packages have files there

    def test_1_it_says_what_it_was_built_for(self):
        self.assertIn("with glibc 2.28 or newer", self.inside("rtl --version"))
        self.assertRegex(self.inside("vgpu --version"), r"vgpu \d")

    def test_2_it_traces_the_example(self):
        self.assertIn("ready to trace", self.inside("rtl doctor --vgpu"))
        said = self.inside("rtl trace --vgpu --no-summary -o t.db -- /given/stream_gemm")
        self.assertIn(KERNELS, said)
        self.assertIn("results correct", said)
        self.assertIn("gemm_tiled", self.inside("rtl summary t.db"))
        self.assertIn("kernels: 96 submitted, 96 recorded, 0 lost", self.inside("rtl info t.db"))
        for format in ("pftrace", "chrome", "rocpd", "csv", "otf2"):
            self.inside(f"rtl convert --to {format} -o out.{format} t.db && ls out.{format}*")
        self.inside("rtl report t.db -o page.html && grep -q gemm_tiled page.html")
        self.assertIn("idle by cause", self.inside("rtl analyze t.db"))
        said = self.inside("vgpu run -- python3 /given/wheel_user.py t.db libamdhip64.so.7")
        self.assertIn(f"96 kernels read by Python {self.python}", said)

    def test_3_it_traces_in_mode_hip(self):
        said = self.inside("rtl trace --vgpu --mode hip --no-summary -o h.db -- /given/stream_gemm")
        self.assertRegex(said, r"rtl: kernels: (\d+) submitted, \1 recorded, 0 lost")

    def test_4_rocprofv3_traces(self):
        self.inside("vgpu run -- rocprofv3 --kernel-trace -f csv -d out -o run -- /given/stream_gemm")
        self.assertIn("gemm_tiled", self.inside("cat out/run_kernel_trace.csv"))

    def test_5_the_translator_of_the_virtual_gpu_runs(self):
        self.assertIn("results correct", self.inside("vgpu run --jit on -- /given/stream_gemm"))

    def test_6_selftest_finds_all_right(self):
        said = self.inside("rtl selftest --vgpu=2 -o s.txt --minutes 30 --limit 200")
        self.assertRegex(said, r"\n24 right, 0 wrong, 1 not here")
        self.assertRegex(said, r"\nnot here  counters .*libhsa-amd-aqlprofile64")  # AMD's package of its own
        self.assertNotIn("this build has no kernels for", said)

    def test_7_a_program_of_musl_runs_and_a_line_says_why_it_is_not_traced(self):
        for more in ("--mode hip", "--vgpu", "--vgpu --mode hip"):
            with self.subTest(more=more):
                said = self.inside(f"rtl trace {more} --no-summary --force -o m.db -- /given/musl")
                self.assertIn("it runs\n", said)
                self.assertRegex(said, r"rtl: \S+ is a program for musl")

    def test_9_it_leaves_nothing_behind(self):
        self.inside(self.uninstall)
        self.assertEqual(sorted(set(self.root.files()) - set(self.before) - self.shared), [])


class Bullseye(System, Case):
    suite = "bullseye"
    python = "3.9"


class Bookworm(System, Case):
    suite = "bookworm"
    python = "3.11"


class Trixie(System, Case):
    suite = "trixie"
    python = "3.13"


class Sid(System, Case):
    suite = "sid"
    python = "3."  # the newest of the day


class OfTheSystem(System):
    """A package manager's packages."""
    suite = "bullseye"
    python = "3.9"

    def test_8_licence_and_changes_are_in_each_package(self):
        for name in NAMES.split():
            said = self.inside(f"cd /usr/share/doc/{name} && head -n 1 copyright && cat CHANGELOG.md")
            self.assertIn("MIT License", said)
            self.assertIn("## 0.1.0", said)

    def test_8_a_program_finds_the_libraries_without_rtl(self):
        """As one that is linked with libroctx64.so.4 does."""
        self.inside("python3 -c 'import ctypes; ctypes.CDLL(\"libroctx64.so.4\"); "
                    "ctypes.CDLL(\"librocprofiler-sdk.so.1\")'")
        self.inside("rtl trace --vgpu --force -o a.db -- python3 -c 'import roctx; roctx.mark(\"here\")'")
        self.assertIn("markers: 1 submitted, 1 recorded, 0 lost", self.inside("rtl info a.db"))


class Debs(OfTheSystem, Case):
    install = "dpkg --install /given/*.deb"
    uninstall = f"dpkg --purge {NAMES}"


class Rpms(OfTheSystem, Case):
    packages = ("rpm",)
    install = "rpm --force-debian --install /given/system.rpm /given/rocm*.rpm"
    uninstall = f"rpm --force-debian --erase {NAMES}"
    shared = {"usr/lib/cmake", "usr/share/fish", "usr/share/zsh"}

    def test_8_the_loader_looks_where_the_libraries_are(self):
        """On RHEL and SLES it does not look for libraries of 64 bits in /usr/lib."""
        self.assertEqual(self.inside("cat /etc/ld.so.conf.d/rocm-trace-lite.conf"), "/usr/lib\n")


class Containers(Case):
    """Where containers have ROCm, and users that may do little."""
    suite = LAYOUTS

    def given(self, folder, rpath=None, name="program"):
        """Copies AMD's libraries into the folder of the root, and a program that finds them at `rpath`."""
        target = self.root.path / folder.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copytree(GIVEN / "amd", target, symlinks=True)
        if rpath:
            self.program(name, rpath)

    def program(self, name, rpath):
        shutil.copy(GIVEN / "stream_gemm", self.root.path / "opt" / name)
        run("patchelf", "--set-rpath", rpath, self.root.path / "opt" / name)

    def name_as_amd_does(self, folder):
        """The libraries of the Python package have other names inside, which the loader's cache goes by."""
        for name in ("libamdhip64.so.7", "libhsa-runtime64.so.1"):
            run("patchelf", "--set-soname", name, (folder / name).resolve())

    def tearDown(self):
        for path in (self.root.path / "opt").iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        (self.root.path / "etc/ld.so.conf.d/rocm.conf").unlink(missing_ok=True)
        self.inside("ldconfig")

    def test_rocm_in_opt_rocm(self):
        self.given("/opt/rocm/lib", "/opt/rocm/lib")
        self.trace("/opt/program", libraries=None)

    def test_rocm_with_a_version_and_links_known_to_the_loader(self):
        self.given("/opt/rocm-7.2.4/lib")
        self.name_as_amd_does(self.root.path / "opt/rocm-7.2.4/lib")
        (self.root.path / "etc/alternatives/rocm").symlink_to("/opt/rocm-7.2.4")
        self.addCleanup((self.root.path / "etc/alternatives/rocm").unlink)
        (self.root.path / "opt/rocm").symlink_to("/etc/alternatives/rocm")
        (self.root.path / "etc/ld.so.conf.d/rocm.conf").write_text("/opt/rocm/lib\n", encoding="ascii")
        self.inside("ldconfig")
        shutil.copy(GIVEN / "stream_gemm", self.root.path / "opt/program")
        self.trace("/opt/program", libraries=None)
        self.assertIn("ready to trace", self.inside("rtl doctor --vgpu", libraries=None))

    def test_rocm_in_the_folder_of_a_wheel(self):
        for folder in ("torch/lib", "_rocm_sdk_core/lib"):
            packages = f"/opt/venv/lib/python3.13/site-packages/{folder}"
            with self.subTest(folder=folder):
                self.given(packages, f"$ORIGIN/{packages.removeprefix('/opt/')}")
                self.trace("/opt/program", libraries=None)
                (self.root.path / "opt/load.py").write_text(PYTHON, encoding="utf-8")
                said = self.inside("rtl trace --vgpu --no-summary --force -o t.db -- "
                                   f"python3 /opt/load.py {packages}/libamdhip64.so.7", libraries=None)
                self.assertIn("rtl: kernels: 1 submitted, 1 recorded, 0 lost", said)

    def test_two_at_once_in_two_programs(self):
        self.given("/opt/rocm/lib", "/opt/rocm/lib", "one")
        self.given("/opt/venv/torch/lib", "$ORIGIN/venv/torch/lib", "two")
        said = self.inside("rtl trace --vgpu --no-summary --force -o t.db -- sh -c '/opt/one && /opt/two'",
                           libraries=None)
        self.assertIn("rtl: kernels: 192 submitted, 192 recorded, 0 lost", said)

    def test_two_at_once_in_one_program(self):
        self.given("/opt/rocm/lib")
        self.given("/opt/venv/torch/lib")
        (self.root.path / "opt/load.py").write_text(PYTHON, encoding="utf-8")
        files = "/opt/venv/torch/lib/libamdhip64.so.7 /opt/rocm/lib/libamdhip64.so.7"
        self.inside(f"vgpu run -- python3 /opt/load.py {files}", libraries=None)
        said = self.inside(f"rtl trace --vgpu --no-summary --force -o t.db -- python3 /opt/load.py {files}",
                           libraries=None)
        self.assertIn("rtl: kernels: 2 submitted, 2 recorded, 0 lost", said)

    def test_a_user_without_root(self):
        self.trace("/given/stream_gemm", user=1000, before="mkdir -p home/1000 && chown 1000:1000 home/1000")

    def test_a_home_that_is_read_only(self):
        before = "mkdir -p home/1000 && mount -t tmpfs -o ro none home/1000"
        said = self.inside("rtl trace --vgpu --no-summary --force -o /tmp/ro.db -- /given/stream_gemm", user=1000,
                           before=before)
        self.assertIn(KERNELS, said)
        said = self.inside("cd $HOME && rtl trace --vgpu --no-summary -o t.db -- /given/stream_gemm", code=1, user=1000,
                           before=before)
        self.assertIn("Read-only file system", said)
        self.assertNotIn("results correct", said)

    def test_a_tmp_from_which_nothing_may_run(self):
        before = "mount -t tmpfs -o noexec none tmp"
        self.trace("/given/stream_gemm", before=before)
        self.assertIn("results correct", self.inside("vgpu run --jit on -- /given/stream_gemm", before=before))

    def test_no_shared_memory_folder(self):
        self.trace("/given/stream_gemm",
                   before="umount -R dev; mount -t tmpfs none dev; ln -s /proc/self/fd dev/fd; "
                          "for each in null zero random urandom; do touch dev/$each; "
                          "mount --bind /dev/$each dev/$each; done")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for tool in ("mmdebstrap", "patchelf", "musl-gcc", "rpmbuild"):
        if shutil.which(tool) is None or os.getuid() != 0:
            skip(f"needs root and the program {tool} (scripts/setup test)")
    chosen = sys.argv[2:] or [*SUITES, "containers", "debs", "rpms"]  # or e.g. containers.test_a_user_without_root
    with tempfile.TemporaryDirectory(prefix="portable-") as work:
        FOLDER = pathlib.Path(work)
        GIVEN = FOLDER / "given"
        copy_amd_libraries(GIVEN / "amd")
        build_example(GIVEN / "stream_gemm", GIVEN / "amd")
        (GIVEN / "musl.c").write_text('#include <stdio.h>\nint main(void) { return puts("it runs") < 0; }\n',
                                      encoding="ascii")
        run("musl-gcc", GIVEN / "musl.c", "-o", GIVEN / "musl")
        shutil.copy(ROOT / "tests" / "wheel_user.py", GIVEN)
        build_system_package(GIVEN)
        for package in pathlib.Path(sys.argv[1]).glob("rocm[_-]trace[_-]lite*"):
            shutil.copy(package, GIVEN)
        names = [each[0].upper() + each[1:] for each in chosen]
        unittest.main(argv=[sys.argv[0], "-v", *names])
