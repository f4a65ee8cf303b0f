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
}

TEST(HipLibrary, RejectsNamesThatAreNotHip) {
  for (const char* path : {"", "/usr/lib/libamdhip64_tools.so.5", "/x/libamdhip64.so.5/libc.so.6",
                           "libhsa-runtime64.so.1", "libamdhip64.sofa"}) {
    EXPECT_FALSE(Parse(path).hip) << path;
  }
}

TEST(HipLibrary, FindsNothingInAProcessWithoutIt) {
  HipLibrary library;
  EXPECT_FALSE(library.Find());
  EXPECT_EQ(library.Symbol("hipMalloc"), nullptr);
}

}  // namespace
}  // namespace rtl::capture
