// SPDX-License-Identifier: MIT
#include "sdk/caller_headers.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace rtl::sdk {
namespace {

// One address in this program, one in libc.
const void* Here() { return reinterpret_cast<const void*>(&Here); }
const void* Elsewhere() { return reinterpret_cast<const void*>(&free); }

TEST(CallerHeaders, TreatsACallerWithoutASizeAsNotRocm70) {
  const CallerHeaders headers;
  EXPECT_FALSE(headers.AreOfRocm70(Here()));
}

TEST(CallerHeaders, KeepsTheSizesOfLibrariesApart) {
  CallerHeaders headers;
  headers.NoteAgentSize(Here(), CallerHeaders::kAgentOfRocm70);
  EXPECT_TRUE(headers.AreOfRocm70(Here()));
  EXPECT_FALSE(headers.AreOfRocm70(Elsewhere()));
  headers.NoteAgentSize(Elsewhere(), 312);
  EXPECT_TRUE(headers.AreOfRocm70(Here()));
  EXPECT_FALSE(headers.AreOfRocm70(Elsewhere()));
}

TEST(CallerHeaders, UsesTheSizeThatWasPassedLast) {
  CallerHeaders headers;
  headers.NoteAgentSize(Here(), 312);
  EXPECT_FALSE(headers.AreOfRocm70(Here()));
  headers.NoteAgentSize(Here(), CallerHeaders::kAgentOfRocm70);
  EXPECT_TRUE(headers.AreOfRocm70(Here()));
}

TEST(CallerHeaders, IgnoresAnAddressInNoLibrary) {
  CallerHeaders headers;
  int local = 0;
  headers.NoteAgentSize(&local, CallerHeaders::kAgentOfRocm70);
  EXPECT_FALSE(headers.AreOfRocm70(&local));
}

}  // namespace
}  // namespace rtl::sdk
