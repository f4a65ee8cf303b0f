// SPDX-License-Identifier: MIT
#include "cli/base/traced_environment.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

using Variables = std::vector<std::string>;

TracedEnvironment SampleEnvironment() {
  TracedEnvironment traced;
  traced.librtl = "/opt/lib/librtl.so";
  traced.spool = "/tmp/spool";
  return traced;
}

TEST(TracedEnvironment, NamesTheToolAndTheSpoolAndKeepsTheRest) {
  const Variables made =
      MakeTraced({"HOME=/root", "HSA_TOOLS_LIB=other.so", "=odd"}, SampleEnvironment());
  EXPECT_EQ(made, (Variables{"HOME=/root", "=odd", "HSA_TOOLS_LIB=/opt/lib/librtl.so",
                             "HSA_TOOLS_ROCPROFILER_V1_TOOLS=1", "RTL_SPOOL=/tmp/spool"}));
}

TEST(TracedEnvironment, ToolsOfRocprofilerSdkRunBesideTheTrace) {
  const auto tools = [](const std::string& before) {
    return FindVariable(MakeTraced({"HSA_TOOLS_LIB=" + before}, SampleEnvironment()),
                        "HSA_TOOLS_LIB");
  };
  EXPECT_EQ(tools("/usr/lib/librocprofiler-sdk.so.1"),
            "/opt/lib/librtl.so /usr/lib/librocprofiler-sdk.so.1");
  EXPECT_EQ(tools("other.so librocprofiler-sdk.so"), "/opt/lib/librtl.so librocprofiler-sdk.so");
  EXPECT_EQ(tools("/usr/librocprofiler-sdk.so.1/other.so"), "/opt/lib/librtl.so");
  EXPECT_EQ(SortTools("a.so librocprofiler-sdk.so.1  b.so").replaced, "a.so b.so");
}

TEST(TracedEnvironment, LeavesTheModeAloneUnlessOneIsGiven) {
  EXPECT_EQ(FindVariable(MakeTraced({"RTL_MODE=lite"}, SampleEnvironment()), "RTL_MODE"), "lite");
  TracedEnvironment traced = SampleEnvironment();
  traced.mode = "standard";
  EXPECT_EQ(FindVariable(MakeTraced({"RTL_MODE=lite"}, traced), "RTL_MODE"), "standard");
}

TEST(TracedEnvironment, LetsTheAddressSanitizerComeBehindOurLibraries) {
  const auto options = [](const Variables& variables, const std::string& hip) {
    TracedEnvironment traced = SampleEnvironment();
    traced.mode = "hip";
    traced.hip = hip;
    return FindVariable(MakeTraced(variables, traced), "ASAN_OPTIONS");
  };
  EXPECT_EQ(options({}, "/opt/lib/librtl_hip.so"), "verify_asan_link_order=0");
  EXPECT_EQ(options({"ASAN_OPTIONS=color=never"}, "/opt/lib/librtl_hip.so"),
            "color=never:verify_asan_link_order=0");
  EXPECT_EQ(options({"ASAN_OPTIONS=verify_asan_link_order=1"}, "/opt/lib/librtl_hip.so"),
            "verify_asan_link_order=1");
  EXPECT_EQ(options({}, ""), std::nullopt);
}

TEST(TracedEnvironment, PreloadsNothingIntoAProgramForMusl) {
  TracedEnvironment traced = SampleEnvironment();
  traced.vgpu = "/opt/lib/libvgpu.so";
  traced.for_musl = true;
  EXPECT_EQ(FindVariable(MakeTraced({"LD_PRELOAD=own.so"}, traced), "LD_PRELOAD"), "own.so");
}

TEST(TracedEnvironment, RequestsLosslessTracingOnlyWhenSet) {
  EXPECT_EQ(FindVariable(MakeTraced({}, SampleEnvironment()), "RTL_LOSSLESS"), std::nullopt);
  TracedEnvironment traced = SampleEnvironment();
  traced.lossless = true;
  EXPECT_EQ(FindVariable(MakeTraced({"RTL_LOSSLESS=0"}, traced), "RTL_LOSSLESS"), "1");
}

TEST(TracedEnvironment, RequestsBarriersOnlyWhenSet) {
  EXPECT_EQ(FindVariable(MakeTraced({}, SampleEnvironment()), "RTL_BARRIERS"), std::nullopt);
  TracedEnvironment traced = SampleEnvironment();
  traced.barriers = true;
  EXPECT_EQ(FindVariable(MakeTraced({"RTL_BARRIERS=0"}, traced), "RTL_BARRIERS"), "1");
}

TEST(TracedEnvironment, RequestsTheChosenEvents) {
  TracedEnvironment traced = SampleEnvironment();
  const std::string registered = "ROCPROFILER_REGISTER_LIBRARY";
  EXPECT_EQ(FindVariable(MakeTraced({}, traced), "RTL_EVENTS"), std::nullopt);
  traced.events = "kernels,hsa";
  std::vector<std::string> variables = MakeTraced({"RTL_EVENTS=hip"}, traced);
  EXPECT_EQ(FindVariable(variables, "RTL_EVENTS"), "kernels,hsa");
  EXPECT_EQ(FindVariable(variables, registered), std::nullopt);
  // A choice of HIP calls enables their interception methods in every mode.
  for (const char* events : {"hip", "hip-compiler,kernels", "init"}) {
    traced.events = events;
    variables = MakeTraced({}, traced);
    EXPECT_EQ(FindVariable(variables, registered), traced.librtl) << events;
  }
  traced.events = "kernels";
  traced.mode = "hip";
  EXPECT_EQ(FindVariable(MakeTraced({}, traced), registered), std::nullopt);
}

TEST(TracedEnvironment, PreloadsTheVirtualGpuFirstAndTheEarlierLibrariesLast) {
  TracedEnvironment traced = SampleEnvironment();
  EXPECT_EQ(FindVariable(MakeTraced({}, traced), "LD_PRELOAD"), std::nullopt);
  traced.vgpu = "/opt/lib/libvgpu.so";
  traced.roctx = "/opt/lib/libroctx64.so.4";
  traced.gpus = 3;
  const Variables made = MakeTraced({"LD_PRELOAD=libjemalloc.so"}, traced);
  EXPECT_EQ(FindVariable(made, "LD_PRELOAD"),
            "/opt/lib/libvgpu.so:/opt/lib/libroctx64.so.4:libjemalloc.so");
  EXPECT_EQ(FindVariable(made, "VGPU_NUM_GPUS"), "3");
}

TEST(TracedEnvironment, PreloadsHipsFunctionsOnlyWhereTheyAreUseful) {
  TracedEnvironment traced = SampleEnvironment();
  traced.hip = "/opt/lib/librtl_hip.so";
  const auto preload = [&](const char* mode, const char* method) {
    traced.mode = mode;
    return FindVariable(MakeTraced({std::string("RTL_HIP_METHOD=") + method}, traced),
                        "LD_PRELOAD");
  };
  for (const char* method : {"", "auto", "preload"}) EXPECT_EQ(preload("hip", method), traced.hip);
  for (const char* method : {"register", "tracer", "activity", "none"}) {
    EXPECT_EQ(preload("hip", method), std::nullopt) << method;
  }
  EXPECT_EQ(preload("auto", "preload"), std::nullopt);
  traced.mode = "";
  EXPECT_EQ(FindVariable(MakeTraced({"RTL_MODE=hip"}, traced), "LD_PRELOAD"), traced.hip);
}

TEST(TracedEnvironment, PreloadsRcclsFunctionsOnlyForRcclCalls) {
  TracedEnvironment traced = SampleEnvironment();
  traced.rccl = "/opt/lib/librtl_rccl.so";
  EXPECT_EQ(FindVariable(MakeTraced({"RTL_EVENTS=kernels"}, traced), "LD_PRELOAD"), std::nullopt);
  const Variables made = MakeTraced({"RTL_EVENTS=kernels,rccl"}, traced);
  EXPECT_EQ(FindVariable(made, "LD_PRELOAD"), traced.rccl);
  EXPECT_EQ(FindVariable(made, "ROCPROFILER_REGISTER_LIBRARY"), traced.librtl);
}

TEST(TracedEnvironment, HipPassesItsTablesOnlyForHipCalls) {
  TracedEnvironment traced = SampleEnvironment();
  const auto library = [&](const char* mode, const char* method) {
    traced.mode = mode;
    return FindVariable(MakeTraced({std::string("RTL_HIP_METHOD=") + method}, traced),
                        "ROCPROFILER_REGISTER_LIBRARY");
  };
  for (const char* method : {"", "auto", "register"}) {
    EXPECT_EQ(library("hip", method), traced.librtl) << method;
  }
  for (const char* method : {"preload", "tracer", "activity", "none"}) {
    EXPECT_EQ(library("hip", method), std::nullopt) << method;
  }
  EXPECT_EQ(library("auto", "register"), std::nullopt);
  traced.mode = "hip";
  EXPECT_EQ(FindVariable(MakeTraced({"ROCPROFILER_REGISTER_LIBRARY=theirs.so"}, traced),
                         "ROCPROFILER_REGISTER_LIBRARY"),
            "theirs.so");
}

// AMD's rocprofiler-register ends the program when tools are named and it finds no library.
TEST(TracedEnvironment, NamesTheLibraryOfToolsForRuntimesThatRegister) {
  TracedEnvironment traced = SampleEnvironment();
  const std::string registered = "ROCPROFILER_REGISTER_LIBRARY", chain = "RTL_REGISTER_CHAIN";
  const std::string theirs = "HSA_TOOLS_LIB=/x/librocprofiler-sdk.so.1";
  const std::string tool = "ROCP_TOOL_LIBRARIES=tool.so";
  EXPECT_EQ(FindVariable(MakeTraced({tool}, traced), registered), std::nullopt)
      << "it is not there";
  traced.sdk = "/opt/lib/librocprofiler-sdk.so.1";
  EXPECT_EQ(FindVariable(MakeTraced({}, traced), registered), std::nullopt);
  EXPECT_EQ(FindVariable(MakeTraced({"ROCP_TOOL_LIBRARIES="}, traced), registered), std::nullopt);
  EXPECT_EQ(FindVariable(MakeTraced({tool}, traced), registered), traced.sdk);
  EXPECT_EQ(FindVariable(MakeTraced({tool, theirs}, traced), registered),
            "/x/librocprofiler-sdk.so.1");
  EXPECT_EQ(FindVariable(MakeTraced({tool, registered + "=other.so"}, traced), registered),
            "other.so");
  EXPECT_EQ(FindVariable(MakeTraced({tool, registered + "="}, traced), registered), traced.sdk);
  const std::string force = "ROCPROFILER_REGISTER_FORCE_LOAD=";
  EXPECT_EQ(FindVariable(MakeTraced({force + "1"}, traced), registered), traced.sdk);
  EXPECT_EQ(FindVariable(MakeTraced({force + "OFF"}, traced), registered), std::nullopt);
  // The trace gets the tables first.
  traced.mode = "hip";
  const Variables made = MakeTraced({tool}, traced);
  EXPECT_EQ(FindVariable(made, registered), traced.librtl);
  EXPECT_EQ(FindVariable(made, chain), traced.sdk);
  EXPECT_EQ(FindVariable(MakeTraced({tool, chain + "=other.so"}, traced), chain), "other.so");
  EXPECT_EQ(FindVariable(MakeTraced({}, traced), chain), std::nullopt);
}

TEST(RegisterProblem, NamesALibraryThatIsNotThere) {
  EXPECT_EQ(RegisterProblem({"A=1"}), "");
  EXPECT_EQ(RegisterProblem({"ROCPROFILER_REGISTER_LIBRARY="}), "");
  EXPECT_EQ(RegisterProblem({"ROCPROFILER_REGISTER_LIBRARY=/proc/self/exe"}),
            "ROCPROFILER_REGISTER_LIBRARY names /proc/self/exe, which has no function "
            "rocprofiler_set_api_table: AMD's ROCm aborts the program when it starts; unset it, or "
            "correct it");
  EXPECT_EQ(RegisterProblem({"ROCPROFILER_REGISTER_LIBRARY=librocprofiler-sdk.so"}), "");
  EXPECT_EQ(RegisterProblem({"ROCPROFILER_REGISTER_LIBRARY=/nowhere/tool.so"}),
            "ROCPROFILER_REGISTER_LIBRARY names /nowhere/tool.so, which cannot be read: AMD's ROCm "
            "aborts the "
            "program when it starts; unset it, or correct it");
}

}  // namespace
}  // namespace rtl::cli
