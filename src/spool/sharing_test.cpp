// SPDX-License-Identifier: MIT
#include "spool/sharing.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "base/clock.h"
#include "spool/process_stat.h"
#include "tests/support/temp_dir.h"

namespace rtl::spool {
namespace {

class SharingTest : public testing::Test {
 protected:
  std::string Spool(const std::string& name, mode_t mode = 0700) {
    const std::string path = dir_.File(name);
    EXPECT_EQ(mkdir(path.c_str(), mode), 0);
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path;
  }
  static CollectorProcess Self() {
    ProcessStat stat;
    EXPECT_TRUE(ReadProcessStat(0, &stat));
    return {static_cast<uint32_t>(getpid()), stat.start_ticks};
  }
  static CollectorProcess Dead() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    EXPECT_EQ(waitpid(child, nullptr, 0), child);
    return {static_cast<uint32_t>(child), 1};
  }
  static void Announce(const std::string& spool, const CollectorProcess& collector) {
    const Status announced = AnnounceCollector(spool.c_str(), collector);
    EXPECT_TRUE(announced.ok()) << announced.message();
  }
  // The spool that a process joins; empty: none.
  std::string Found() {
    char path[4096];
    CollectorProcess collector;
    UniqueFd hold;
    if (!FindOpenSpool(database_.c_str(), path, sizeof path, &collector, &hold)) return "";
    EXPECT_EQ(collector.pid, static_cast<uint32_t>(getpid()));
    return path;
  }
  static void Touch(const std::string& path) { std::ofstream(path).put('x'); }

  test::TempDir dir_;
  const std::string database_ = dir_.File("t.db");
};

TEST_F(SharingTest, FindsTheSpoolWhoseCollectorLives) {
  EXPECT_EQ(Found(), "");
  Announce(Spool("t.db.spool-dead00"), Dead());
  Spool("t.db.spool-noname");
  Announce(Spool("other.db.spool-alive0"), Self());
  EXPECT_EQ(Found(), "");
  Announce(Spool("t.db.spool-alive0"), Self());
  EXPECT_EQ(Found(), dir_.File("t.db.spool-alive0"));
}

TEST_F(SharingTest, TakesACollectorForAliveWhenItCannotCheck) {
  const CollectorProcess self = Self();
  const CollectorProcess dead = Dead();
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none = {0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  ProcessStat stat;
  const bool readable = ReadProcessStat(self.pid, &stat);
  const bool self_lives = Alive(self);
  const bool dead_lives = Alive(dead);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_FALSE(readable);
  EXPECT_TRUE(self_lives);
  EXPECT_FALSE(dead_lives);
  EXPECT_TRUE(Alive({self.pid, 0})) << "its start could not be read when it began";
  EXPECT_FALSE(Alive({dead.pid, 0}));
}

TEST_F(SharingTest, DoesNotTrustASpoolThatOthersCanEnter) {
  Announce(Spool("t.db.spool-open00", 0750), Self());
  const std::string real = Spool("elsewhere");
  Announce(real, Self());
  std::filesystem::create_directory_symlink(real, dir_.File("t.db.spool-link00"));
  EXPECT_EQ(Found(), "");
}

TEST_F(SharingTest, LetsNoProcessJoinAClosedSpool) {
  const std::string spool = Spool("t.db.spool-alive0");
  Announce(spool, Self());
  Touch(spool + "/7-1.ctl");
  Touch(spool + "/8-1.ctl");
  EXPECT_FALSE(CloseSpool(spool.c_str(), 1)) << "one has joined that the collector has not met";
  EXPECT_EQ(Found(), spool);
  EXPECT_TRUE(CloseSpool(spool.c_str(), 2));
  EXPECT_EQ(Found(), "");
  RemoveSharing(spool.c_str());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(spool), {}), 2);
}

TEST_F(SharingTest, KeepsASpoolOpenWhileAProcessJoins) {
  const std::string spool = Spool("t.db.spool-alive0");
  Announce(spool, Self());
  char path[4096];
  CollectorProcess collector;
  UniqueFd hold;
  ASSERT_TRUE(FindOpenSpool(database_.c_str(), path, sizeof path, &collector, &hold));
  EXPECT_FALSE(CloseSpool(spool.c_str(), 0));
  hold.reset();
  EXPECT_TRUE(CloseSpool(spool.c_str(), 0));
}

TEST_F(SharingTest, WaitsOnlyForEarlierCollectors) {
  const std::string own = Spool("t.db.spool-own000");
  const CollectorProcess self = Self();
  Announce(own, self);
  const auto earlier = [&](const CollectorProcess& who) {
    return EarlierCollects(database_.c_str(), own.c_str(), who);
  };
  EXPECT_FALSE(earlier(self));
  Announce(Spool("t.db.spool-second"), self);
  EXPECT_FALSE(earlier({self.pid, self.start_ticks - 1}));
  EXPECT_FALSE(earlier(self));
  EXPECT_TRUE(earlier({self.pid, self.start_ticks + 1}));
  EXPECT_TRUE(earlier({self.pid + 1, self.start_ticks}));
}

// A lock belongs to an open file, and a forked child shares its parent's; the second open is
// another.
TEST_F(SharingTest, OneHolderHasTheLockAndOthersWait) {
  const auto locked = [&] {
    const UniqueFd directory(open(dir_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return flock(directory.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  };
  EXPECT_FALSE(locked());
  auto first = std::make_unique<OutputLock>(database_.c_str());
  EXPECT_TRUE(locked());
  // A waiter gives up after two seconds. A machine that held this thread up for that long proves
  // nothing, so the round is repeated.
  for (bool waited = false; !waited;) {
    std::atomic<bool> begun{false};
    std::atomic<bool> released{false};
    bool too_soon = true;
    std::unique_ptr<OutputLock> second;
    const uint64_t start = BootTimeNs();
    std::thread other([&] {
      begun = true;
      second = std::make_unique<OutputLock>(database_.c_str());
      too_soon = !released;
    });
    while (!begun) std::this_thread::yield();
    released = true;
    first.reset();
    waited = BootTimeNs() - start < 1'000'000'000;
    other.join();
    EXPECT_FALSE(waited && too_soon);
    EXPECT_TRUE(locked()) << "by the second";
    first = std::move(second);
  }
  first.reset();
  EXPECT_FALSE(locked());
}

}  // namespace
}  // namespace rtl::spool
