// SPDX-License-Identifier: MIT
#include "base/config.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <initializer_list>

#include "base/environment.h"
#include "base/settings.h"
#include "base/text.h"

namespace rtl {
namespace {

// Reads the variables one by one and keeps the first problem.
class Parser {
 public:
  Parser(Config::Lookup lookup, Config* out) : lookup_(lookup), out_(out) {}

  Status ParseAll() {
    for (const Setting* setting = kSettings; setting->name != nullptr; ++setting) Read(*setting);
    if (out_->lossless) out_->room_wait_ns = Config::kLosslessWaitNs;
    return problem_;
  }

 private:
  void Read(const Setting& setting) {
    const char* const value = SettingText(lookup_, setting.name);
    if (value == nullptr) return;
    char* const field = reinterpret_cast<char*>(out_) + setting.field;
    switch (setting.type) {
      case Setting::Type::kFlag:
        return ReadFlag(setting, value, reinterpret_cast<bool*>(field));
      case Setting::Type::kNumber:
        return ReadNumber(setting, value, reinterpret_cast<uint64_t*>(field));
      case Setting::Type::kText:
        return ReadText(setting, value, field);
      case Setting::Type::kWord:
        return ReadWord(setting, value, reinterpret_cast<uint8_t*>(field));
      case Setting::Type::kOther:
        return;
    }
  }

  void ReadFlag(const Setting& setting, const char* value, bool* out) {
    for (const char* yes : {"1", "true", "on", "yes"}) {
      if (strcasecmp(value, yes) == 0) {
        *out = true;
        return;
      }
    }
    for (const char* no : {"0", "false", "off", "no"}) {
      if (strcasecmp(value, no) == 0) return;
    }
    Report(Status::Error("%s=%.40s is not understood (use 1 or 0); ignored", setting.name, value));
  }

  void ReadText(const Setting& setting, const char* value, char* out) {
    if (strlen(value) < setting.size) {
      (void)CopyText(out, setting.size, value);
      return;
    }
    Report(Status::Error("%s is longer than %zu bytes; %s", setting.name, setting.size - 1,
                         Refuse(setting)));
  }

  void ReadWord(const Setting& setting, const char* value, uint8_t* out) {
    char words[120] = "";
    for (const Setting::Word* known = setting.words; known->word != nullptr; ++known) {
      if (strcmp(value, known->word) == 0) {
        *out = known->value;
        return;
      }
      const size_t used = strlen(words);
      (void)snprintf(words + used, sizeof words - used, "%s%s", used == 0 ? "" : ", ", known->word);
    }
    Report(Status::Error("%s=%.40s is not understood (%s); %s", setting.name, value, words,
                         Refuse(setting)));
  }

  void ReadNumber(const Setting& setting, const char* value, uint64_t* out) {
    uint64_t number = 0;
    if (!ParseNumber(value, setting.low, setting.high, &number)) {
      Report(Status::Error("%s=%.40s is not a number from %llu to %llu; using %llu", setting.name,
                           value, static_cast<unsigned long long>(setting.low),
                           static_cast<unsigned long long>(setting.high),
                           static_cast<unsigned long long>(*out / setting.unit)));
      return;
    }
    *out = number * setting.unit;
  }

  // Returns a phrase that says what happens to a value that cannot be used.
  const char* Refuse(const Setting& setting) {
    switch (setting.otherwise) {
      case Setting::Otherwise::kIgnored:
        return "ignored";
      case Setting::Otherwise::kNothingCounted:
        return "nothing is counted";
      case Setting::Otherwise::kTracingOff:
        out_->disabled = true;
        return "tracing is off";
    }
    return "";
  }

  void Report(const Status& problem) {
    if (problem_.ok()) problem_ = problem;
  }

  Config::Lookup lookup_;
  Config* out_;
  Status problem_ = Status::Ok();
};

}  // namespace

const char* ModeName(Mode mode) {
  switch (mode) {
    case Mode::kAuto:
      return "auto";
    case Mode::kFull:
      return "full";
    case Mode::kStandard:
      return "standard";
    case Mode::kLite:
      return "lite";
    case Mode::kHip:
      return "hip";
    case Mode::kClr:
      return "clr";
  }
  return "?";
}

Status Config::Parse(Lookup lookup, Config* out) { return Parser(lookup, out).ParseAll(); }

Status Config::FromEnvironment(Config* out) { return Parse(EnvironmentValue, out); }

bool TraceRequested(Config::Lookup lookup) {
  for (const char* name : {"RTL_SPOOL", "RTL_OUTPUT"}) {
    const char* value = lookup(name);
    if (value != nullptr && *value != '\0') return true;
  }
  const char* tools = lookup("HSA_TOOLS_LIB");
  return tools != nullptr && strstr(tools, "librtl.so") != nullptr;
}

}  // namespace rtl
