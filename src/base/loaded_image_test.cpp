// SPDX-License-Identifier: MIT
#include "base/loaded_image.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace rtl {
namespace {

int written = 1;
const int* const address = &written;

TEST(LoadedImage, KnowsCodeAndDataOfALibrary) {
  const LoadedImage program(&written);
  ASSERT_TRUE(program.found());
  EXPECT_TRUE(program.IsData(reinterpret_cast<uintptr_t>(address)));
  EXPECT_FALSE(program.IsCode(reinterpret_cast<uintptr_t>(address)));
  const void* const libc = dlsym(RTLD_NEXT, "getpid");
  EXPECT_TRUE(LoadedImage(libc).IsCode(reinterpret_cast<uintptr_t>(libc)));
  EXPECT_FALSE(program.IsCode(reinterpret_cast<uintptr_t>(libc)));
}

TEST(LoadedImage, FindsNoLibraryAtAnAddressOfTheStack) {
  const int local = 0;
  EXPECT_FALSE(LoadedImage(&local).found());
}

}  // namespace
}  // namespace rtl
