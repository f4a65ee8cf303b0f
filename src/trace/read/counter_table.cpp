// SPDX-License-Identifier: MIT
#include "trace/read/counter_table.h"

#include <algorithm>
#include <utility>

namespace rtl::query {
namespace {

using Key = std::pair<int64_t, uint64_t>;

Key KeyOf(const CounterSum& sum) { return {sum.process, sum.dispatch}; }

}  // namespace

Status CounterTable::Load(TraceReader& trace, int64_t process) {
  sums_.clear();
  return trace.tables().Counters(process, &sums_);
}

std::span<const CounterSum> CounterTable::Of(int64_t process, uint64_t dispatch) const {
  const Key key(process, dispatch);
  return {std::ranges::lower_bound(sums_, key, {}, KeyOf),
          std::ranges::upper_bound(sums_, key, {}, KeyOf)};
}

}  // namespace rtl::query
