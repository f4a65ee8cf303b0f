// SPDX-License-Identifier: MIT
// expression.h: the expression of a computed counter, as text and as a tree.
//
//   sum     = product {("+" | "-") product}
//   product = factor {("*" | "/") factor}
//   factor  = NUMBER | NAME | "(" sum ")"
//           | "reduce(" sum "," ("sum" | "avr" | "min" | "max")
//                     ["," "[" DIMENSION {"," DIMENSION} "]"] ")"
//           | "select(" sum "," "[" DIMENSION "=[" INDEX {"," INDEX} "]" {"," …} "]" ")"
//           | "accumulate(" NAME "," ("NONE" | "LOW_RES" | "HIGH_RES") ")"
//
// Threads    any, each with its own arena
// Memory     the arena's; names point into the text
// Errors     a line that names the place in the text
#pragma once

#include <stdint.h>

#include <string_view>

#include "base/status.h"
#include "counters/arena.h"
#include "counters/counter_set.h"

namespace rtl::counters {

enum class Operation : uint8_t {
  kNumber,
  kName,   // not resolved yet; an expression without kName can be evaluated
  kEvent,  // an event of the set
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,  // a division by zero gives zero
  kReduce,
  kSelect,
};
enum class Reduction : uint8_t { kSum, kAverage, kMinimum, kMaximum };
// Values of the flags of the library's events.
enum class Accumulation : uint8_t { kNone = 0, kLow = 1, kHigh = 2 };

struct Expression {
  Operation operation = Operation::kNumber;
  Reduction reduction = Reduction::kSum;
  Accumulation accumulation = Accumulation::kNone;  // only of kName
  bool accumulates = false;  // only of kName: it is the argument of accumulate()
  uint8_t dimensions = 0;    // a bit 1 << CounterDimension for each; zero: all dimensions
  // By dimension: a bit 1 << index for each selected position.
  uint64_t selected[kCounterDimensions] = {};
  double number = 0;
  std::string_view name;
  uint32_t event = 0;  // index in the CounterSet
  Expression* left = nullptr;
  Expression* right = nullptr;
};

inline constexpr uint32_t kMostExpressionDepth = 64;

Status ParseExpression(std::string_view text, Arena* arena, Expression** out);

}  // namespace rtl::counters
