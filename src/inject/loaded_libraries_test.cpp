// SPDX-License-Identifier: MIT
#include "inject/loaded_libraries.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

namespace rtl::inject {
namespace {

class LoadedLibrariesTest : public testing::Test {
 protected:
  void SetUp() override {
    const Status read = ReadLibraries(static_cast<uint32_t>(getpid()), &libraries_, &stacks_);
    ASSERT_TRUE(read.ok()) << read.message();
  }
  const LoadedLibrary* CLibrary() const {
    for (const LoadedLibrary& library : libraries_) {
      if (library.name().starts_with("libc.so") || library.name().starts_with("libc-2."))
        return &library;
    }
    return nullptr;
  }

  std::vector<LoadedLibrary> libraries_;
  std::vector<Range> stacks_;
};

TEST_F(LoadedLibrariesTest, FindsFunctionsAtTheirAddresses) {
  const LoadedLibrary* const c = CLibrary();
  ASSERT_NE(c, nullptr);
  for (const char* name : {"munmap", "usleep", "free"}) {
    void* const handle = dlopen(c->path().c_str(), RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(handle, nullptr);
    EXPECT_EQ(c->Find(name), reinterpret_cast<uint64_t>(dlsym(handle, name))) << name;
    (void)dlclose(handle);
  }
  EXPECT_EQ(c->Find("no_such_function"), 0u);
}

TEST_F(LoadedLibrariesTest, ARangeAroundFunctionsHasThemAndNotTheirNeighbours) {
  const LoadedLibrary* const c = CLibrary();
  ASSERT_NE(c, nullptr);
  const std::vector<Range> around = c->Around({"malloc", "free", "realloc", "calloc"});
  const auto has = [&](uint64_t address) {
    for (const Range& range : around) {
      if (range.Has(address)) return true;
    }
    return false;
  };
  for (const char* name : {"malloc", "free", "realloc", "calloc"}) EXPECT_TRUE(has(c->Find(name)));
  for (const char* name : {"munmap", "printf", "usleep"}) EXPECT_FALSE(has(c->Find(name))) << name;
}

TEST_F(LoadedLibrariesTest, FindsBytesInCodeThatMayRun) {
  const LoadedLibrary* const c = CLibrary();
  ASSERT_NE(c, nullptr);
  const uint64_t at = c->FindBytes(std::string_view("\x0f\x05", 2));
  ASSERT_NE(at, 0u);
  EXPECT_TRUE(c->HasCode(at));
  EXPECT_EQ(*reinterpret_cast<const uint16_t*>(at), 0x050f);
}

TEST_F(LoadedLibrariesTest, KnowsTheStackOfThisThread) {
  const int here = 0;
  bool found = false;
  for (const Range& range : stacks_) found |= range.Has(reinterpret_cast<uint64_t>(&here));
  EXPECT_TRUE(found);
}

TEST(LoadedLibraries, SaysThatAProcessCannotBeLookedInto) {
  std::vector<LoadedLibrary> libraries;
  std::vector<Range> stacks;
  EXPECT_FALSE(ReadLibraries(0x7fffffff, &libraries, &stacks).ok());
}

}  // namespace
}  // namespace rtl::inject
