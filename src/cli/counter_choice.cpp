// SPDX-License-Identifier: MIT
#include "cli/counter_choice.h"

#include <algorithm>

#include "model/basic_counters.h"

namespace rtl::cli {
namespace {

// "NAME=SQ:4" of "SQ:4" or "NAME=SQ:4"; empty when it is neither.
std::string Spelled(const std::string& word) {
  const size_t colon = word.find(':');
  if (colon == std::string::npos || colon + 1 == word.size() ||
      word.find_first_not_of("0123456789", colon + 1) != std::string::npos)
    return {};
  return word.find('=') == std::string::npos
             ? word.substr(0, colon) + "_" + word.substr(colon + 1) + "=" + word
             : word;
}

std::string OnGpu(const std::string& word, const CountableGpu& gpu) {
  if (const std::string spelled = Spelled(word); !spelled.empty()) return spelled;
  for (const BasicCounter& known : kBasicCounters) {
    if (known.name == word)
      return word + "=" + known.block + ":" + std::to_string(NumberOn(gpu, known));
  }
  return {};
}

std::vector<std::string> Split(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : words) {
    for (size_t at = 0; at <= word.size();) {
      const size_t comma = std::min(word.find(',', at), word.size());
      if (comma > at) all.push_back(word.substr(at, comma - at));
      at = comma + 1;
    }
  }
  return all;
}

}  // namespace

Status ChooseCounters(const std::vector<std::string>& words, std::string* out) {
  out->clear();
  for (const CountableGpu& gpu : kCountableGpus) {
    for (const std::string& word : Split(words)) {
      const std::string item = OnGpu(word, gpu);
      if (item.empty())
        return Status::Error("%s is no counter that is known here, nor BLOCK:EVENT (SQ:4)",
                             word.c_str());
      *out += (out->empty() ? "" : ",") + std::string(gpu.name) + "/" + item;
    }
  }
  return Status::Ok();
}

}  // namespace rtl::cli
