// SPDX-License-Identifier: MIT
#include "capture/hip/hip_library.h"

#include <gtest/gtest.h>

namespace rtl::capture {
namespace {

struct Version {
  bool hip = false;
  uint32_t major = 0, minor = 0;
  bool operator==(const Version&) const = default;
};

Version Parse(const char* path) {
  Version version;
  version.hip = HipLibrary::ParseName(path, &version.major, &version.minor);
  return version;
}

TEST(HipLibrary, ReadsTheVersionFromTheName) {
  EXPECT_EQ(Parse("/usr/lib/x86_64-linux-gnu/libamdhip64.so.5.2.21153-0"), (Version{true, 5, 2}));
  EXPECT_EQ(Parse("libamdhip64.so.7"), (Version{true, 7, 0}));
  EXPECT_EQ(Parse("/opt/torch/lib/libamdhip64.so"), (Version{true, 0, 0}));
  EXPECT_EQ(Parse("/x/a.libs/libamdhip64-00ca863d.so.7.14.60850-0000000"), (Version{true, 7, 14}));
}

TEST(HipLibrary, RejectsNamesThatAreNotHip) {
  for (const char* path :
       {"", "/usr/lib/libamdhip64_tools.so.5", "/x/libamdhip64.so.5/libc.so.6",
        "libhsa-runtime64.so.1", "libamdhip64.sofa", "libamdhip64-tools/x.so.7"}) {
    EXPECT_FALSE(Parse(path).hip) << path;
  }
}

TEST(HipLibrary, ReadsTheVersionFromAVersionOfItsSymbols) {
  uint32_t major = 0;
  uint32_t minor = 0;
  EXPECT_TRUE(HipLibrary::ParseSymbolVersion("hip_7.14", &major, &minor));
  EXPECT_EQ((Version{true, major, minor}), (Version{true, 7, 14}));
  for (const char* name : {"hip_profiler_ext", "hip_", "GLIBC_2.36", "hip_7", "hip_7.14_x"})
    EXPECT_FALSE(HipLibrary::ParseSymbolVersion(name, &major, &minor)) << name;
}

TEST(HipLibrary, TakesTheVersionThatHipRegisteredWith) {
  HipLibrary library;
  library.TakeVersion(71400);
  EXPECT_EQ((Version{true, library.major(), library.minor()}), (Version{true, 7, 14}));
  library.TakeVersion(0);
  EXPECT_EQ((Version{true, library.major(), library.minor()}), (Version{true, 7, 14}));
}

TEST(HipLibrary, IsNotTheObjectOfAnyAddress) {
  HipLibrary library;
  EXPECT_FALSE(library.Find(&library));
  EXPECT_FALSE(library.Find(reinterpret_cast<const void*>(&HipLibrary::ParseName)));
}

TEST(HipLibrary, FindsNothingInAProcessWithoutIt) {
  HipLibrary library;
  EXPECT_FALSE(library.Find());
  EXPECT_EQ(library.Symbol("hipMalloc"), nullptr);
}

}  // namespace
}  // namespace rtl::capture
