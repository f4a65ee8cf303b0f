// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/text.h"
#include "rocprofv3/settings.h"

namespace rtl::v3 {
namespace {

constexpr uint32_t kMostGpus = 8;

class Parser {
 public:
  Parser(const std::vector<std::string>& arguments, CommandLine* out)
      : arguments_(arguments), out_(out) {}

  Status Run() {
    while (at_ < arguments_.size()) {
      if (arguments_[at_] == "--") {
        out_->program.assign(arguments_.begin() + static_cast<ptrdiff_t>(at_) + 1,
                             arguments_.end());
        return Status::Ok();
      }
      RTL_TRY(ParseOption());
    }
    return Status::Ok();
  }

 private:
  Status ParseOption() {
    const std::string& word = arguments_[at_++];
    const bool is_long = word.starts_with("--");
    if (!word.starts_with('-') || word.size() < 2) {
      return Status::Error("unexpected argument: %s (the program follows --)", word.c_str());
    }
    std::string name = word;
    std::vector<std::string> words;
    const size_t equals = word.find('=');
    if (is_long && equals != std::string::npos) {
      name = word.substr(0, equals);
      words.push_back(word.substr(equals + 1));
    } else if (!is_long && word.size() > 2) {
      name = word.substr(0, 2);
      words.push_back(word.substr(word[2] == '=' ? 3 : 2));
    }
    const Option* const option = FindOption(name);
    if (option == nullptr) return Status::Error("unknown option %s", word.c_str());
    if (words.empty()) words = Values(option->takes);
    RTL_TRY(CheckNotEmpty(*option, name, words));
    if (std::string_view(option->key) == "vgpu") return SetGpus(*option, words);
    if (std::string_view(option->key) == "pmc") return AddCounters(*option, words);
    return out_->settings.Set(*option, name, std::move(words));
  }

  // "-p $UNSET" is an error: it must not run as if -p were missing. For expressions, an empty text
  // is valid and selects every kernel.
  static Status CheckNotEmpty(const Option& option, const std::string& name,
                              const std::vector<std::string>& words) {
    const bool any =
        option.takes == Takes::kSwitch || std::string_view(option.key).ends_with("_regex");
    if (any || std::find(words.begin(), words.end(), "") == words.end()) return Status::Ok();
    return Status::Error("%s needs a value", name.c_str());
  }

  // Each --pmc is one run of the program.
  Status AddCounters(const Option& option, const std::vector<std::string>& words) {
    std::vector<std::vector<std::string>>& runs = out_->counters;
    if (runs.empty() && !out_->settings.Has(option.key)) {
      return out_->settings.Set(option, option.name, words);
    }
    if (runs.empty()) runs.push_back(out_->settings.Words(option.key));
    runs.push_back(words);
    out_->settings.Forget(option.key);
    return Status::Ok();
  }

  // Consumes the words that follow an option, up to the next option.
  std::vector<std::string> Values(Takes takes) {
    std::vector<std::string> words;
    const bool one = takes == Takes::kSwitch || TakesOne(takes);
    while (at_ < arguments_.size() && !(one && !words.empty())) {
      const std::string& word = arguments_[at_];
      const bool is_number =
          takes == Takes::kNumber && word.size() > 1 && word[1] >= '0' && word[1] <= '9';
      if (word.starts_with('-') && word.size() > 1 && !is_number) break;
      words.push_back(word);
      ++at_;
    }
    return words;
  }

  Status SetGpus(const Option& option, const std::vector<std::string>& words) {
    if (words.empty() || ParseTruth(words.front()).has_value()) {
      if (words.empty() || words.front() != "1") return out_->settings.Set(option, "--vgpu", words);
    }
    uint64_t count = 0;
    const std::string& word = words.front();
    if (!ParseNumber(word.c_str(), 1, kMostGpus, &count)) {
      return Status::Error("--vgpu takes 1 to %u GPUs, not %s", kMostGpus,
                           word.empty() ? "an empty value" : word.c_str());
    }
    out_->gpus = static_cast<uint32_t>(count);
    return out_->settings.Set(option, "--vgpu", {});
  }

  const std::vector<std::string>& arguments_;
  CommandLine* out_;
  size_t at_ = 0;
};

}  // namespace

Status ParseCommandLine(const std::vector<std::string>& arguments, CommandLine* out) {
  return Parser(arguments, out).Run();
}

}  // namespace rtl::v3
