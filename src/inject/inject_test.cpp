// SPDX-License-Identifier: MIT
#include "inject/inject.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "inject/loaded_libraries.h"
#include "tests/support/temp_dir.h"

namespace rtl::inject {
namespace {

// The mappings of a process: "7f00a000-7f00c000 rw-p".
std::set<std::string> Mappings(pid_t process) {
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  std::set<std::string> found;
  for (std::string line; std::getline(maps, line);)
    found.insert(line.substr(0, line.find(' ') + 5));
  return found;
}

// A process that waits. A library with the name of the HSA runtime is loaded in it.
class InjectTest : public ::testing::Test {
 protected:
  InjectTest() {
    const std::string runtime = folder_.File("libhsa-runtime64.so.1");
    std::filesystem::copy_file(PathOf("libm.so"), runtime);
    handle_ = dlopen(runtime.c_str(), RTLD_NOW);
    int ends[2];
    EXPECT_TRUE(handle_ != nullptr && pipe(ends) == 0);
    process_ = fork();
    char byte;
    while (process_ == 0) (void)!read(ends[0], &byte, 1);
    (void)close(ends[0]);
    never_written_ = ends[1];
  }
  ~InjectTest() override {
    (void)kill(process_, SIGKILL);
    (void)waitpid(process_, nullptr, 0);
    (void)close(never_written_);
    (void)dlclose(handle_);
  }
  static std::string PathOf(const char* name) {
    std::vector<LoadedLibrary> libraries;
    std::vector<Range> stacks;
    EXPECT_TRUE(ReadLibraries(static_cast<uint32_t>(getpid()), &libraries, &stacks).ok());
    for (const LoadedLibrary& library : libraries) {
      if (library.name().starts_with(name)) return library.path();
    }
    return "";
  }
  // Why the test's own program is not loaded there as a library.
  std::string WhyNot() {
    char self[4096] = {};
    EXPECT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    Injection injection;
    const Status status = injection.Start(static_cast<uint32_t>(process_), self, "none", {});
    return status.ok() ? "" : status.message();
  }

  test::TempDir folder_;
  void* handle_ = nullptr;
  pid_t process_ = 0;
  int never_written_ = -1;
};

TEST_F(InjectTest, AProcessThatCannotMakeAThreadKeepsNoMemoryOfOurs) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's memory is beyond any limit";
#endif
  const std::set<std::string> before = Mappings(process_);
  ASSERT_FALSE(before.empty());
  // Room for the stack and the code of the borrowed thread, and for no other stack.
  rlimit limit = {1, 1};
  std::ifstream("/proc/" + std::to_string(process_) + "/statm") >> limit.rlim_cur;
  limit.rlim_cur = limit.rlim_cur * 4096 + (1 << 20);
  limit.rlim_max = RLIM_INFINITY;
  ASSERT_EQ(prlimit(process_, RLIMIT_AS, &limit, nullptr), 0);
  const std::string why = WhyNot();
  EXPECT_NE(why.find("it cannot make a thread"), std::string::npos) << why;
  EXPECT_EQ(Mappings(process_), before);
  EXPECT_EQ(kill(process_, 0), 0) << "it goes on";
}

}  // namespace
}  // namespace rtl::inject
