// SPDX-License-Identifier: MIT
#include "capture/hip/hip_tables.h"

#include <gtest/gtest.h>
#include <string.h>

#include <string>
#include <vector>

#include "capture/hip/hip_function.h"
#include "capture/hip/undescribed_calls.h"

namespace rtl::capture {
namespace {

using namespace hip_function;

constexpr size_t kKnown = 541;      // of HIP 7.14
constexpr size_t kFree = 90;        // the index of hipFree in HIP's header
constexpr size_t kApiName = 0;      // the index of hipApiName, which is not a call
constexpr size_t kMemcpySpt = 390;  // the index of hipMemcpy_spt

struct Seen {
  std::string call;
  uint64_t first_argument;
  int32_t result;
  bool result_known;
};
std::vector<Seen> seen;
bool listening = true;
uint32_t unwanted = UINT32_MAX;
std::vector<uint64_t> passed;  // by the functions in the table

void* Enter(uint32_t place, const uint64_t*) {
  if (!listening) return nullptr;
  return const_cast<char*>(HipTables::Functions().names[place]);
}
void Exit(void* entered, const uint64_t* arguments, int32_t result, bool result_known) {
  seen.push_back({static_cast<const char*>(entered), arguments[0], result, result_known});
}
constexpr HipCallHooks kHooks = {Enter, Exit};

bool Wanted(uint32_t place) { return place != unwanted; }

Error Behind(Word a, Word b, Word c, Word d) {
  passed = {a, b, c, d};
  return static_cast<Error>(7);
}

class HipTablesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    HipTables::TEST_Forget();
    seen.clear();
    passed.clear();
    listening = true;
    unwanted = UINT32_MAX;
  }
  void TearDown() override { HipTables::TEST_Forget(); }

  // A table of so many functions: its size, and pointers that are all alike.
  static std::vector<void*> Table(size_t functions) {
    std::vector<void*> table(functions + 1, reinterpret_cast<void*>(&Behind));
    const size_t bytes = table.size() * sizeof(void*);
    memcpy(table.data(), &bytes, sizeof bytes);
    return table;
  }
  static bool IsChanged(const std::vector<void*>& table, size_t entry) {
    return table[entry + 1] != reinterpret_cast<void*>(&Behind);
  }
  static Error Call(const std::vector<void*>& table, size_t entry) {
    return reinterpret_cast<Error (*)(Word, Word, Word, Word)>(table[entry + 1])(1, 2, 3, 4);
  }
  static std::string Problem(const char* name, const std::vector<void*>& table) {
    HipTables::Entries entries;
    const Status checked = HipTables::Check(name, table.data(), &entries);
    return checked.ok() ? "" : checked.message();
  }
};

TEST_F(HipTablesTest, ReportsACallAndPassesArgumentsAndResultThrough) {
  std::vector<void*> table = Table(kKnown);
  HipTables::Wrap("hip", table.data(), Wanted, kHooks);
  EXPECT_EQ(Call(table, kMemcpySpt), 7);
  EXPECT_EQ(passed, (std::vector<uint64_t>{1, 2, 3, 4}));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].call, "hipMemcpy") << "the same call with another default stream";
  EXPECT_EQ(seen[0].first_argument, 1u);
  EXPECT_EQ(seen[0].result, 7);
  EXPECT_TRUE(seen[0].result_known);
}

TEST_F(HipTablesTest, ReportsNothingOfACallWithoutInterest) {
  std::vector<void*> table = Table(kKnown);
  HipTables::Wrap("hip", table.data(), Wanted, kHooks);
  listening = false;
  EXPECT_EQ(Call(table, kFree), 7);
  EXPECT_EQ(passed.at(0), 1u);
  EXPECT_TRUE(seen.empty());
}

TEST_F(HipTablesTest, PassesACallThatIsNotWantedNow) {
  static Demand demand;
  static std::atomic<const Demand*> alone{&demand};
  static constexpr HipCallHooks kOfOne = {Enter, Exit, &alone};
  std::vector<void*> table = Table(kKnown);
  HipTables::Wrap("hip", table.data(), Wanted, kOfOne);
  demand.Update([] { return false; });
  EXPECT_EQ(Call(table, kFree), 7);
  EXPECT_TRUE(seen.empty());
  alone = nullptr;  // a trace has begun
  EXPECT_EQ(Call(table, kFree), 7);
  EXPECT_EQ(seen.size(), 1u);
  alone = &demand;
  demand.Update([] { return true; });
  EXPECT_EQ(Call(table, kFree), 7);
  EXPECT_EQ(seen.size(), 2u);
}

TEST_F(HipTablesTest, LeavesEntriesThatAreNotCallsUnchanged) {
  std::vector<void*> table = Table(kKnown);
  table[kFree + 1] = nullptr;  // a function that HIP only declares
  HipTables::Wrap("hip", table.data(), Wanted, kHooks);
  EXPECT_FALSE(IsChanged(table, kApiName));
  EXPECT_EQ(table[kFree + 1], nullptr);
  EXPECT_TRUE(IsChanged(table, kFree + 1));
}

TEST_F(HipTablesTest, LeavesEntriesWithoutInterestUnchanged) {
  std::vector<void*> table = Table(kKnown);
  const PreloadedCalls functions = HipTables::Functions();
  for (uint32_t i = 0; i < functions.count; ++i) {
    if (strcmp(functions.names[i], "hipFree") == 0) unwanted = i;
  }
  ASSERT_NE(unwanted, UINT32_MAX);
  HipTables::Wrap("hip", table.data(), Wanted, kHooks);
  EXPECT_FALSE(IsChanged(table, kFree));
  EXPECT_FALSE(HipTables::IsWrapped(unwanted));
  EXPECT_TRUE(IsChanged(table, kFree + 1));
}

TEST_F(HipTablesTest, WrapsOlderTablesAndTheKnownPartOfNewerOnes) {
  for (const size_t functions : {size_t{442}, size_t{474}, kKnown, kKnown + 34}) {
    HipTables::TEST_Forget();
    std::vector<void*> table = Table(functions);
    HipTables::Entries entries;
    ASSERT_TRUE(HipTables::Check("hip", table.data(), &entries).ok());
    EXPECT_EQ(entries.all, functions);
    EXPECT_EQ(entries.known, functions < kKnown ? functions : kKnown);
    table.push_back(reinterpret_cast<void*>(&Behind));  // after the table
    HipTables::Wrap("hip", table.data(), Wanted, kHooks);
    EXPECT_TRUE(IsChanged(table, entries.known - 1)) << functions;
    for (size_t i = entries.known; i < table.size() - 1; ++i) EXPECT_FALSE(IsChanged(table, i));
  }
}

struct Many {
  std::vector<uint64_t> words;
  std::vector<double> reals;
};
Many many;
double ManyArguments(uint64_t a, double x, uint64_t b, uint64_t c, uint64_t d, float y, uint64_t e,
                     uint64_t f, uint64_t g, uint64_t h) {
  many = {{a, b, c, d, e, f, g, h}, {x, y}};
  return 2.5;
}
int undescribed = 0;

TEST_F(HipTablesTest, CountsCallsOfEntriesThatAreNotDescribed) {
  std::vector<void*> table = Table(kKnown + 3);
  table[1 + kKnown] = reinterpret_cast<void*>(&ManyArguments);
  table[1 + kKnown + 1] = nullptr;
  undescribed = 0;
  for (int i = 0; i < 2; ++i)  // HIP may register it again
    HipTables::Wrap("hip", table.data(), Wanted, kHooks, [] { ++undescribed; });
  EXPECT_TRUE(IsChanged(table, kKnown));
  EXPECT_EQ(table[1 + kKnown + 1], nullptr);
  const auto call = reinterpret_cast<decltype(&ManyArguments)>(table[1 + kKnown]);
  EXPECT_EQ(call(1, 1.5, 2, 3, 4, 0.5F, 5, 6, 7, 8), 2.5);
  EXPECT_EQ(many.words, (std::vector<uint64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(many.reals, (std::vector<double>{1.5, 0.5}));
  (void)call(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  using Call = Error (*)(Word, Word, Word, Word);
  EXPECT_EQ(reinterpret_cast<Call>(table[1 + kKnown + 2])(9, 8, 7, 6), 7);
  EXPECT_EQ(passed, (std::vector<uint64_t>{9, 8, 7, 6}));
  EXPECT_EQ(undescribed, 3);
  char text[64];
  UndescribedCalls::Describe(UndescribedCalls::Api::kHip, nullptr, text, sizeof text);
  EXPECT_STREQ(text, "541 (2 calls), 543 (1 call)");
  EXPECT_EQ(UndescribedCalls::called(UndescribedCalls::Api::kHip), 2u);
}

TEST_F(HipTablesTest, RejectsTablesOfUnknownSizes) {
  for (const size_t bytes : {size_t{0}, size_t{7}, size_t{8 + 8 * 441}, size_t{8 + 8 * 474 + 4},
                             size_t{8 + 8 * 4097}, SIZE_MAX - 7}) {
    std::vector<void*> table = Table(kKnown);
    memcpy(table.data(), &bytes, sizeof bytes);
    EXPECT_EQ(Problem("hip", table),
              "its table 'hip' of " + std::to_string(bytes) + " bytes belongs to no known version");
    HipTables::Wrap("hip", table.data(), Wanted, kHooks);
    EXPECT_FALSE(IsChanged(table, kFree));
  }
  EXPECT_EQ(Problem("hip_compiler", Table(8)),
            "its table 'hip_compiler' of 72 bytes belongs to no known version");
  EXPECT_EQ(Problem("roctx", Table(kKnown)), "'roctx' is not a table of HIP");
}

TEST_F(HipTablesTest, RejectsASecondTableAndWrapsTheSameOneOnce) {
  std::vector<void*> table = Table(kKnown);
  HipTables::Wrap("hip", table.data(), Wanted, kHooks);
  const std::vector<void*> before = table;
  HipTables::Wrap("hip", table.data(), Wanted, kHooks);
  EXPECT_EQ(table, before);
  std::vector<void*> second = Table(kKnown);
  EXPECT_EQ(Problem("hip", second),
            "those that come only through the table 'hip' of a second copy of HIP");
  HipTables::Wrap("hip", second.data(), Wanted, kHooks);
  EXPECT_FALSE(IsChanged(second, kFree));
  EXPECT_EQ(Call(table, kFree), 7);
  EXPECT_EQ(seen.size(), 1u);
}

}  // namespace
}  // namespace rtl::capture
