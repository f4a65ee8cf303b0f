// SPDX-License-Identifier: MIT
#include "model/api_calls.h"

#include <gtest/gtest.h>

#include <string>

namespace rtl {
namespace {

const ApiCall* Find(const std::string& name) {
  for (uint32_t number = 1; FindApiCall(number) != nullptr; ++number) {
    if (FindApiCall(number)->name == name) return FindApiCall(number);
  }
  return nullptr;
}

TEST(ApiCalls, KnowsTheArgumentsOfACopy) {
  const ApiCall* call = Find("hipMemcpy");
  ASSERT_NE(call, nullptr);
  ASSERT_EQ(call->args, 4);
  EXPECT_EQ(call->slots, 4);
  const ApiArg* args = ApiArgs(*call);
  EXPECT_STREQ(args[0].name, "dst");
  EXPECT_EQ(args[0].form, ArgForm::kPointer);
  EXPECT_STREQ(args[2].name, "sizeBytes");
  EXPECT_EQ(args[2].form, ArgForm::kUnsigned);
  EXPECT_EQ(args[3].form, ArgForm::kEnum);
  EXPECT_STREQ(EnumeratorName(args[3].enumeration, 1), "hipMemcpyHostToDevice");
  EXPECT_EQ(EnumeratorName(args[3].enumeration, 77), nullptr);
}

TEST(ApiCalls, CountsSlotsOfEveryArgument) {
  for (uint32_t number = 1; FindApiCall(number) != nullptr; ++number) {
    const ApiCall& call = *FindApiCall(number);
    uint32_t slots = 0;
    for (uint32_t i = 0; i < call.args; ++i) slots += SlotsOf(ApiArgs(call)[i].form);
    EXPECT_EQ(slots, call.slots) << call.name;
  }
}

TEST(ApiCalls, RefusesNumbersThatNoCallHas) {
  uint32_t number = 1;
  while (FindApiCall(number) != nullptr) ++number;
  EXPECT_GT(number, 300u);
  EXPECT_EQ(FindApiCall(0), nullptr);
  EXPECT_EQ(FindApiCall(UINT32_MAX), nullptr);
}

TEST(ApiCalls, NamesErrors) {
  EXPECT_STREQ(HipErrorName(0), "hipSuccess");
  EXPECT_STREQ(HipErrorName(2), "hipErrorOutOfMemory");
  EXPECT_EQ(HipErrorName(-5), nullptr);
}

}  // namespace
}  // namespace rtl
