// SPDX-License-Identifier: MIT
#include "export/proto_bytes.h"

#include <gtest/gtest.h>

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

namespace rtl::exporting {
namespace {

enum class Field : uint32_t { kNear = 1, kFar = 47 };

std::vector<uint64_t> EveryWidth() {
  std::vector<uint64_t> values = {0, UINT64_MAX};
  for (int bit = 0; bit < 64; ++bit) {
    values.push_back((uint64_t{1} << bit) - 1);
    values.push_back(uint64_t{1} << bit);
  }
  return values;
}

TEST(ProtoBytes, WritesNumbersLikeTheLibrary) {
  for (const uint64_t value : EveryWidth()) {
    std::string expected;
    protozero::pbf_writer writer(expected);
    writer.add_uint64(1, value);
    writer.add_uint64(47, value);
    writer.add_fixed64(47, value);
    char buffer[64];
    ProtoBytes bytes(buffer);
    bytes.Number(Field::kNear, value);
    EXPECT_EQ(static_cast<size_t>(bytes.end() - buffer), 1 + VarintSize(value));
    bytes.Number(Field::kFar, value);
    bytes.Fixed64(Field::kFar, value);
    EXPECT_EQ(std::string(buffer, bytes.end()), expected) << value;
  }
}

TEST(ProtoBytes, WritesReadableMessages) {
  for (const size_t size : {0u, 1u, 100u, 127u}) {
    char buffer[256];
    ProtoBytes bytes(buffer);
    char* const outer = bytes.Open(Field::kFar, 2);
    char* const inner = bytes.Open(Field::kNear, 1);
    bytes.Copy(std::string(size, 'x').data(), size);
    bytes.CloseShort(inner);
    bytes.Close(outer);
    protozero::pbf_reader reader(buffer, static_cast<size_t>(bytes.end() - buffer));
    ASSERT_TRUE(reader.next(47));
    protozero::pbf_reader message = reader.get_message();
    ASSERT_TRUE(message.next(1));
    EXPECT_EQ(message.get_string(), std::string(size, 'x'));
    EXPECT_FALSE(message.next());
    EXPECT_FALSE(reader.next());
  }
}

}  // namespace
}  // namespace rtl::exporting
