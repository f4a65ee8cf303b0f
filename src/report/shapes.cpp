// SPDX-License-Identifier: MIT
#include "report/shapes.h"

#include "export/utf8.h"

namespace rtl::report {

uint32_t Shapes::Name(std::string_view text) {
  std::string scratch;
  std::string name(exporting::RepairUtf8(text, &scratch));
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) return known->second;
  const bool fits = names_.size() < kMostNames && name_bytes_ + name.size() < kMostNameBytes;
  if (!fits) {
    full_ = true;
    name = "(one of many names)";
    const auto other = by_name_.find(name);
    if (other != by_name_.end()) return other->second;
  }
  const auto index = static_cast<uint32_t>(names_.size());
  name_bytes_ += name.size();
  names_.push_back(name);
  by_name_.emplace(std::move(name), index);
  return index;
}

uint32_t Shapes::Find(const Shape& shape) {
  const auto known = by_shape_.find(shape.Values());
  if (known != by_shape_.end()) return known->second;
  if (shapes_.size() >= kMostShapes) {
    full_ = true;
    const Shape plain{.kind = shape.kind, .cause = shape.cause, .name = shape.name};
    // The recursion ends, and the number of plain shapes is limited by that of kinds and names.
    if (shape.Values() != plain.Values()) return Find(plain);
  }
  const auto index = static_cast<uint32_t>(shapes_.size());
  shapes_.push_back(shape);
  by_shape_.emplace(shape.Values(), index);
  return index;
}

Status Shapes::NameOf(int64_t string_id, uint32_t* index) {
  const auto known = by_string_.find(string_id);
  if (known != by_string_.end()) {
    *index = known->second;
    return Status::Ok();
  }
  std::string_view text;
  RTL_TRY(trace_.Text(string_id, &text));
  *index = Name(text);
  // Only a cache, so it may be cleared.
  if (by_string_.size() >= 2 * kMostNames) by_string_.clear();
  by_string_.emplace(string_id, *index);
  return Status::Ok();
}

Status Shapes::Of(Shape shape, int64_t string_id, uint32_t* index) {
  RTL_TRY(NameOf(string_id, &shape.name));
  *index = Find(shape);
  return Status::Ok();
}

uint32_t Shapes::Of(Shape shape, std::string_view name) {
  shape.name = Name(name);
  return Find(shape);
}

}  // namespace rtl::report
