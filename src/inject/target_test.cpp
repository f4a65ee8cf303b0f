// SPDX-License-Identifier: MIT
#include "inject/target.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "inject/loaded_libraries.h"
#include "tests/support/temp_dir.h"

namespace rtl::inject {
namespace {

class TargetTest : public testing::Test {
 protected:
  void Start(void (*run)(int go)) {
    int go[2], ready[2];
    ASSERT_EQ(pipe(go), 0);
    ASSERT_EQ(pipe(ready), 0);
    child_ = fork();
    if (child_ == 0) {
      (void)close(go[1]);
      (void)!write(ready[1], "", 1);
      run(go[0]);
      _exit(1);
    }
    (void)close(go[0]);
    (void)close(ready[1]);
    go_ = go[1];
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    (void)close(ready[0]);
  }
  void Go() { (void)!write(go_, "", 1); }
  void TearDown() override {
    if (child_ == 0) return;
    (void)close(go_);
    (void)kill(child_, SIGKILL);
    (void)waitpid(child_, nullptr, 0);
  }

  pid_t child_ = 0;
  int go_ = -1;
};

void Await(int go) {
  char byte;
  (void)!read(go, &byte, 1);
}

void BecomeSleep(int go) {
  Await(go);
  (void)execlp("sleep", "sleep", "1000", nullptr);
}

TEST_F(TargetTest, KnowsThatTheProcessHasBecomeAnotherProgram) {
  Start(&BecomeSleep);
  Target target;
  EXPECT_FALSE(target.Open(static_cast<uint32_t>(child_)).ok());  // it uses no GPU
  EXPECT_TRUE(target.IsSameProgram());
  EXPECT_FALSE(target.HasEnded());
  Go();
  while (target.IsSameProgram()) usleep(1000);
  EXPECT_FALSE(target.HasEnded());
  ASSERT_EQ(kill(child_, SIGKILL), 0);
  while (!target.HasEnded()) usleep(1000);
}

TEST_F(TargetTest, AProcessThatWasNeverThereHasNotEnded) {
  Target target;
  EXPECT_FALSE(target.Open(uint32_t{1} << 30).ok());
  EXPECT_FALSE(target.HasEnded());
}

void Wait(int go) {
  for (;;) Await(go);
}

const LoadedLibrary* Find(const std::vector<LoadedLibrary>& libraries, std::string_view name) {
  for (const LoadedLibrary& library : libraries) {
    if (library.name().starts_with(name)) return &library;
  }
  return nullptr;
}

TEST_F(TargetTest, AThreadThatWaitsForInputIsNotInTheLoader) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's allocator is in this program";
#endif
  std::vector<LoadedLibrary> libraries;
  std::vector<Range> stacks;
  ASSERT_TRUE(ReadLibraries(static_cast<uint32_t>(getpid()), &libraries, &stacks).ok());
  const LoadedLibrary* const loader = Find(libraries, "ld-linux");
  const LoadedLibrary* const any = Find(libraries, "libm.so");
  ASSERT_TRUE(loader != nullptr && any != nullptr);
  // An address behind the instruction of a call. The child's stack is as this one.
  constexpr std::string_view kCall("\xe8", 1);
  constexpr uint64_t kCallBytes = 5;
  volatile uint64_t left_by_a_call = loader->FindBytes(kCall) + kCallBytes;
  const uint64_t in_the_loader = left_by_a_call;
  const test::TempDir folder;
  const std::string runtime = folder.path() + "/libhsa-runtime64.so.1";
  std::filesystem::copy_file(any->path(), runtime);
  void* const handle = dlopen(runtime.c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  const auto stack = reinterpret_cast<uint64_t>(&left_by_a_call);
  int pipe_ends[2];  // the child has them, too
  ASSERT_EQ(pipe(pipe_ends), 0);
  const int file = open(runtime.c_str(), O_RDONLY | O_CLOEXEC);
  Start(&Wait);
  Target target;
  const Status opened = target.Open(static_cast<uint32_t>(child_));
  ASSERT_TRUE(opened.ok()) << opened.message();
  const auto code = reinterpret_cast<uint64_t>(&Await);
  EXPECT_FALSE(target.MayHoldLocks(code, stack, SYS_poll, 0));
  EXPECT_TRUE(target.MayHoldLocks(code, stack, SYS_futex, 0));
  EXPECT_TRUE(target.MayHoldLocks(code, stack, -1, 0));
  EXPECT_TRUE(target.MayHoldLocks(in_the_loader, stack, -1, 0));
  EXPECT_FALSE(target.MayHoldLocks(code, stack, SYS_read, static_cast<uint64_t>(pipe_ends[0])));
  EXPECT_TRUE(target.MayHoldLocks(code, stack, SYS_read, static_cast<uint64_t>(file)));
  for (const int each : {pipe_ends[0], pipe_ends[1], file}) (void)close(each);
  (void)dlclose(handle);
}

void* Stay(void*) {
  for (;;) pause();
}

void EndTheFirstThread(int) {
  pthread_t other;
  (void)pthread_create(&other, nullptr, &Stay, nullptr);
  syscall(SYS_exit, 0);  // pthread_exit would unwind into the test
}

TEST_F(TargetTest, SaysThatTheFirstThreadHasEnded) {
  Start(&EndTheFirstThread);
  std::string said;
  do {
    Target target;
    const Status opened = target.Open(static_cast<uint32_t>(child_));
    said = opened.message();
    ASSERT_EQ(said.find("it has ended"), std::string::npos);
  } while (said.find("its first thread has ended") == std::string::npos);
}

}  // namespace
}  // namespace rtl::inject
