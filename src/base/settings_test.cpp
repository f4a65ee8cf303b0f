// SPDX-License-Identifier: MIT
#include "base/settings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/config.h"

namespace rtl {
namespace {

constexpr char kPage[] = RTL_SOURCE_DIR "/docs/reference/environment.md";

// The table that the page must have: a row for each variable.
std::string Table() {
  std::string table = "| variable | meaning | default |\n|---|---|---|\n";
  for (const Setting* setting = kSettings; setting->name != nullptr; ++setting) {
    std::string name = std::string("`") + setting->name + "`";
    if (setting->old_name != nullptr) {
      name += std::string(" (earlier: `") + setting->old_name + "`)";
    }
    table += "| " + name + " | " + setting->text + setting->more + " |" +
             (*setting->standard == '\0' ? "" : std::string(" ") + setting->standard) + " |\n";
  }
  return table;
}

TEST(Settings, ThePageHasTheseRows) {
  std::ifstream file(kPage);
  std::stringstream page;
  page << file.rdbuf();
  const std::string table = Table();
  EXPECT_NE(page.str().find("\n" + table + "\n"), std::string::npos)
      << kPage << " needs this table:\n"
      << table;
}

TEST(Settings, NoNameIsUsedTwice) {
  for (const Setting* one = kSettings; one->name != nullptr; ++one) {
    EXPECT_EQ(FindSetting(one->name), one) << one->name;
    if (one->old_name != nullptr) {
      EXPECT_EQ(FindSetting(one->old_name), nullptr) << one->old_name;
    }
  }
}

TEST(Settings, NoFieldIsReadFromTwoVariables) {
  for (const Setting* one = kSettings; one->name != nullptr; ++one) {
    for (const Setting* two = one + 1; two->name != nullptr; ++two) {
      const bool both = one->type != Setting::Type::kOther && two->type != Setting::Type::kOther;
      EXPECT_FALSE(both && one->field == two->field) << one->name << " and " << two->name;
    }
  }
}

// Each default that stands in the page as a number is the one that a Config has.
TEST(Settings, DefaultsOfNumbersAreThoseOfConfig) {
  const Config config;
  for (const Setting* one = kSettings; one->name != nullptr; ++one) {
    if (one->type != Setting::Type::kNumber || *one->standard == '\0') continue;
    const uint64_t value =
        *reinterpret_cast<const uint64_t*>(reinterpret_cast<const char*>(&config) + one->field);
    EXPECT_EQ(std::to_string(value / one->unit), one->standard) << one->name;
  }
}

}  // namespace
}  // namespace rtl
