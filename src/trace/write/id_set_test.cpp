// SPDX-License-Identifier: MIT
#include "trace/write/id_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <unordered_set>
#include <vector>

namespace rtl::store {
namespace {

TEST(IdSet, HasWhatWasAddedInAnyOrder) {
  const uint32_t seed = 33;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  // Numbers of three processes, some without gaps and some with.
  std::vector<int64_t> ids;
  for (int64_t process = 0; process < 3; ++process) {
    for (int64_t id = 1; id < 10'000; ++id) {
      if (process == 0 || random() % 8 != 0) ids.push_back((process << 40) + id);
    }
  }
  std::shuffle(ids.begin(), ids.end(), random);
  IdSet set;
  std::unordered_set<int64_t> expected;
  for (const int64_t id : ids) {
    ASSERT_FALSE(set.Contains(id));
    set.Add(id);
    if (random() % 4 == 0) set.Add(id);  // twice
    expected.insert(id);
    const int64_t other = ids[random() % ids.size()];
    ASSERT_EQ(set.Contains(other), expected.contains(other));
  }
  for (int64_t process = 0; process < 4; ++process) {
    for (int64_t id = 0; id < 20'000; ++id) {
      const int64_t number = (process << 40) + id;
      ASSERT_EQ(set.Contains(number), expected.contains(number)) << number;
    }
  }
}

}  // namespace
}  // namespace rtl::store
