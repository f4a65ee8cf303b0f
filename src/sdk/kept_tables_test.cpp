// SPDX-License-Identifier: MIT
#include "sdk/kept_tables.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace rtl::sdk {
namespace {

using LoadedBy = capture::Session::LoadedBy;

class KeptTablesTest : public ::testing::Test {
 protected:
  void Keep(const char* name, uint64_t instance, uint64_t count = 1) {
    kept_->Keep(name, 70200, instance, tables_, count, LoadedBy::kRegister);
  }
  // "hsa 0", or "none".
  std::string Take() {
    KeptTables::Registration taken;
    if (!kept_->Take(&taken)) return "none";
    return taken.name + (" " + std::to_string(taken.instance));
  }

  int one_ = 0, other_ = 0;
  void* tables_[5] = {&one_, &other_};
  std::unique_ptr<KeptTables> kept_ = std::make_unique<KeptTables>();
};

TEST_F(KeptTablesTest, GivesEachOnceInTheOrderOfRegistration) {
  Keep("hsa", 0);
  Keep("hip", 0);
  Keep("hip", 1);
  EXPECT_EQ(Take(), "hsa 0");
  EXPECT_EQ(Take(), "hip 0");
  Keep("rccl", 0);
  EXPECT_EQ(Take(), "hip 1");
  EXPECT_EQ(Take(), "rccl 0");
  EXPECT_EQ(Take(), "none");
}

TEST_F(KeptTablesTest, KeepsWhatTheRuntimeRegistered) {
  Keep("hip_compiler", 3, 2);
  KeptTables::Registration taken;
  ASSERT_TRUE(kept_->Take(&taken));
  EXPECT_STREQ(taken.name, "hip_compiler");
  EXPECT_EQ(taken.version, 70200u);
  EXPECT_EQ(taken.count, 2u);
  EXPECT_EQ(taken.tables[0], &one_);
  EXPECT_EQ(taken.tables[1], &other_);
  EXPECT_EQ(taken.loaded_by, LoadedBy::kRegister);
}

TEST_F(KeptTablesTest, ForgetsARuntimeThatIsGone) {
  Keep("hsa", 0);
  Keep("hip", 0);
  Keep("hsa", 1);
  kept_->Forget("hsa");
  EXPECT_EQ(Take(), "hip 0");
  EXPECT_EQ(Take(), "none");
}

TEST_F(KeptTablesTest, IgnoresWhatHasNoRoom) {
  Keep("hip", 0, 5);
  EXPECT_EQ(Take(), "none");
  for (uint64_t i = 0; i < 20; ++i) Keep("hip", i);
  uint64_t kept = 0;
  while (Take() != "none") ++kept;
  EXPECT_EQ(kept, 16u);
}

}  // namespace
}  // namespace rtl::sdk
