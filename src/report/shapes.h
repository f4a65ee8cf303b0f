// SPDX-License-Identifier: MIT
// shapes.h: numbers the shapes of slices. A shape is a name, a kind, and values that many slices
// share. The page stores each shape once.
//
// Threads    one
// Memory     bounded: after too many shapes, further ones lose their details, and then their names
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::report {

// The page's scripts use these numbers, and know them by these names (page/model.js).
enum class SliceKind : uint8_t {
  kKernel,
  kFill,  // done by a helper kernel of HIP
  kCopy,  // done by a helper kernel of HIP, or without a kernel
  kBarrier,
  kRange,
  kMark,
  kHipCall,
  kEvent,   // an event of a span kind
  kSubmit,  // the submission of a kernel or copy
  kIdle,    // a gap, in which the GPU was idle
  kOperator,
  kFunction  // a function of Python
};

struct Shape {
  SliceKind kind = SliceKind::kKernel;
  uint8_t cause = 0;  // of kIdle: analysis::IdleCause
  uint32_t name = 0;  // index of a name
  uint32_t grid[3] = {};
  uint32_t workgroup[3] = {};
  uint32_t group_segment = 0;
  uint32_t private_segment = 0;
  uint64_t bytes = 0;   // size of a copy or allocation
  uint32_t inputs = 0;  // of an operator: index of a name, plus one; 0: not known

  // All values, in the order of page/model.js.
  static constexpr size_t kValues = 13;
  std::array<uint64_t, kValues> Values() const {
    return {static_cast<uint64_t>(kind),
            name,
            cause,
            bytes,
            grid[0],
            grid[1],
            grid[2],
            workgroup[0],
            workgroup[1],
            workgroup[2],
            group_segment,
            private_segment,
            inputs};
  }
};

class Shapes {
 public:
  static constexpr size_t kMostShapes = 1u << 16;
  static constexpr size_t kMostNames = 1u << 16;
  static constexpr size_t kMostNameBytes = 2u << 20;

  explicit Shapes(query::TraceReader& trace) : trace_(trace) {}

  // The index of the shape, after its name is set to the text of `string_id`, or to `name`.
  Status Of(Shape shape, int64_t string_id, uint32_t* index);
  uint32_t Of(Shape shape, std::string_view name);
  // The index of a string in names().
  Status NameOf(int64_t string_id, uint32_t* index);

  const std::vector<Shape>& shapes() const { return shapes_; }
  const std::vector<std::string>& names() const { return names_; }  // UTF-8
  // True when slices share a shape or a name because there were too many.
  bool is_full() const { return full_; }

 private:
  uint32_t Name(std::string_view text);
  uint32_t Find(const Shape& shape);

  query::TraceReader& trace_;
  std::vector<Shape> shapes_;
  std::vector<std::string> names_;
  size_t name_bytes_ = 0;
  bool full_ = false;
  std::map<std::array<uint64_t, Shape::kValues>, uint32_t> by_shape_;  // by Shape::Values
  std::unordered_map<std::string, uint32_t> by_name_;
  std::unordered_map<int64_t, uint32_t> by_string_;
};

}  // namespace rtl::report
