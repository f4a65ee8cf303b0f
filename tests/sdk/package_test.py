#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The package rocprofiler-sdk: it is installed and found, and the samples are built with it and run.

    RTL_BUILD=build/release package_test.py
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, PROGRAMS, ROOT, VGPU, Case, main, run  # noqa: E402

SAMPLES = ROOT / "samples"
STORM = PROGRAMS / "hsa_storm"

CONSUMER = """
cmake_minimum_required(VERSION 3.20)
project(consumer CXX)
find_package(rocprofiler-sdk 1.0 REQUIRED COMPONENTS headers shared-library)
find_package(rocprofiler-sdk-roctx REQUIRED)
rocprofiler_sdk_get_gfx_architectures(architectures ECHO)
rocprofiler_sdk_pc_sampling_disabled(disabled ECHO)
find_package(libdw)
include(rocprofiler-sdk-custom-compilation)
find_package(rocprofiler-sdk COMPONENTS nothing QUIET)
message(STATUS "libdw ${libdw_FOUND} ${CMAKE_VERSION}")
add_executable(consumer consumer.cpp)
target_compile_features(consumer PRIVATE cxx_std_17)
target_compile_definitions(consumer PRIVATE ROCPROFILER_SDK_SMALL_HIP_HEADERS)
target_link_libraries(consumer PRIVATE rocprofiler-sdk::rocprofiler-sdk)
rocprofiler_sdk_custom_compilation(TARGET consumer COMPILER ${CMAKE_CURRENT_SOURCE_DIR}/other)
add_custom_command(TARGET consumer POST_BUILD COMMAND ${CMAKE_COMMAND} -E echo
  lies in $<TARGET_FILE_DIR:rocprofiler-sdk::rocprofiler-sdk-shared-library>
  and $<TARGET_FILE_DIR:rocprofiler-sdk-roctx::rocprofiler-sdk-roctx-shared-library>)
find_package(Python3 REQUIRED)
file(WRITE ${CMAKE_BINARY_DIR}/places "${Python3_EXECUTABLE}
${rocprofiler-sdk_LIB_DIR}/python${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}/site-packages
")
foreach(one rocprofv3 rocprofv3-avail convert-counters-collection-format)
  get_target_property(place rocprofiler-sdk::${one} IMPORTED_LOCATION)
  file(APPEND ${CMAKE_BINARY_DIR}/places "${place}\n")
endforeach()
"""
CONSUMER_CODE = """
#include <rocprofiler-sdk/cxx/name_info.hpp>
#include <cstdio>
#if __has_include(<amd_comgr/amd_comgr.h>)
#include <amd_comgr/amd_comgr.h>
#define HAS_COMGR
#elif __has_include(<amd_comgr.h>)
#include <amd_comgr.h>
#define HAS_COMGR
#endif
int main() {
#ifdef HAS_COMGR
  size_t major = 0, minor = 0;
  amd_comgr_get_version(&major, &minor);  // as cxx/codeobj does
  if (major == 0) return 1;
#endif
  for (const auto* kind : rocprofiler::sdk::get_callback_tracing_names().items())
    std::printf("%s %zu\\n", kind->name.data(), kind->operations.size());
}
"""


class Package(Case):
    def install(self, prefix):
        for component in ("rtl", "sdk"):
            run("cmake", "--install", BUILD, "--component", component, "--prefix", prefix)

    def test_samples_are_built_with_the_installed_package_and_run(self):
        prefix, build, lines = self.folder / "prefix", self.folder / "build", self.folder / "lines.txt"
        self.install(prefix)
        library = next(prefix.rglob("librocprofiler-sdk.so.1"))
        self.assertEqual(sorted(path.name for path in (prefix / "bin").iterdir()),
                         ["rocprofv3", "rocprofv3-avail", "rtl"])
        run("cmake", "-S", SAMPLES, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
        run("cmake", "--build", build)
        run(VGPU, "run", "--", STORM, 20, 1, HSA_TOOLS_LIB=library, ROCP_TOOL_LIBRARIES=build / "libapi_trace.so",
            API_TRACE_FILE=lines)
        self.assertEqual(lines.read_text().count("\nkernel "), 20)
        self.assertIn(" hsa_queue_create(", lines.read_text())
        markers = self.folder / "markers.txt"
        run(build / "marked_program", ROCP_TOOL_LIBRARIES=build / "libmarker_trace.so", MARKER_TRACE_FILE=markers)
        self.assertEqual(markers.read_text().count("\nrecord "), 16)
        said = run(VGPU, "run", "--", STORM, 20, 1, HSA_TOOLS_LIB=library,
                   ROCP_TOOL_LIBRARIES=build / "libintercept_table.so").stderr
        self.assertEqual(said, "intercept_table: tables 1, queues 1 and 1\n")

    def test_components_and_functions_of_the_package(self):
        prefix, build = self.folder / "prefix", self.folder / "build"
        self.install(prefix)
        for name in "lib/librocprofiler-sdk-rocattach.so.1", "include/rocprofiler-sdk-rocattach/rocattach.h":
            self.assertTrue((prefix / name).exists(), name)
        (self.folder / "CMakeLists.txt").write_text(CONSUMER)
        (self.folder / "consumer.cpp").write_text(CONSUMER_CODE)
        (self.folder / "other").write_text('#!/bin/sh\necho "other compiler: $*"\nexec c++ "$@"\n')
        (self.folder / "other").chmod(0o755)
        told = run("cmake", "-S", self.folder, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}").stdout
        self.assertIn("System architectures: ", told)
        self.assertIn("PC sampling is ", told)
        told = run("cmake", "--build", build).stdout
        self.assertIn("other compiler: ", told)
        self.assertIn(f"lies in {prefix}/lib", told)
        python, packages, *programs = (build / "places").read_text().split()
        self.assertIn("avail", run(programs[1], "--help").stdout)
        self.assertIn("avail", run(python, programs[1], "--help").stdout)
        self.assertIn("--retain-agent-prefix", run(python, programs[2], "--help").stdout)
        run(python, "-c", "import roctx; roctx.mark('x')", PYTHONPATH=packages)
        names = run(build / "consumer").stdout
        self.assertIn("RCCL_API 37\n", names)
        self.assertIn("KERNEL_DISPATCH 3\n", names)


if __name__ == "__main__":
    main(STORM)
