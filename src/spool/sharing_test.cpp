// SPDX-License-Identifier: MIT
#include "spool/sharing.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <string>

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

TEST_F(SharingTest, ACollectorLivesWhereNothingCanBeReadAboutIt) {
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

TEST_F(SharingTest, NobodyJoinsAClosedSpool) {
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

TEST_F(SharingTest, ASpoolDoesNotCloseWhileSomebodyJoins) {
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

TEST_F(SharingTest, OnlyEarlierCollectorsAreWaitedFor) {
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

TEST_F(SharingTest, TheLockKeepsASecondProcessWaiting) {
  auto first = std::make_unique<OutputLock>(database_.c_str());
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const OutputLock second(database_.c_str());
    _exit(write(ends[1], "2", 1) == 1 ? 0 : 1);
  }
  ASSERT_EQ(write(ends[1], "1", 1), 1);
  first.reset();
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  char order[2];
  ASSERT_EQ(read(ends[0], order, 2), 2);
  EXPECT_EQ(std::string(order, 2), "12");
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace rtl::spool
