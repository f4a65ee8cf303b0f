// SPDX-License-Identifier: MIT
#include "cli/counter_choice.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace rtl::cli {
namespace {

constexpr std::string_view kGpus[] = {"gfx900", "gfx906", "gfx908", "gfx90a"};
constexpr size_t kFirstWithMatrices = 2;  // from here on SQ counts matrix instructions, too

// By the number on GPUs without matrix instructions and with them.
struct Known {
  std::string_view name, block;
  unsigned before, with_matrices;
};
constexpr Known kCounters[] = {
    {"GRBM_COUNT", "GRBM", 0, 0},
    {"GRBM_GUI_ACTIVE", "GRBM", 2, 2},
    {"SQ_CYCLES", "SQ", 2, 2},
    {"SQ_BUSY_CYCLES", "SQ", 3, 3},
    {"SQ_WAVES", "SQ", 4, 4},
    {"SQ_INSTS_VALU", "SQ", 26, 26},
    {"SQ_INSTS_VMEM_WR", "SQ", 27, 28},
    {"SQ_INSTS_VMEM_RD", "SQ", 28, 29},
    {"SQ_INSTS_SALU", "SQ", 30, 31},
    {"SQ_INSTS_SMEM", "SQ", 31, 32},
    {"SQ_INSTS_FLAT", "SQ", 32, 33},
    {"SQ_INSTS_LDS", "SQ", 34, 35},
    {"SQ_LDS_BANK_CONFLICT", "SQ", 93, 94},
    {"TCC_HIT", "TCC", 20, 17},
    {"TCC_MISS", "TCC", 22, 19},
};

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

std::string OnGpu(const std::string& word, size_t gpu) {
  if (const std::string spelled = Spelled(word); !spelled.empty()) return spelled;
  const auto* const known = std::find_if(std::begin(kCounters), std::end(kCounters),
                                         [&](const Known& each) { return each.name == word; });
  if (known == std::end(kCounters)) return {};
  const unsigned event = gpu < kFirstWithMatrices ? known->before : known->with_matrices;
  return word + "=" + std::string(known->block) + ":" + std::to_string(event);
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
  for (size_t gpu = 0; gpu < std::size(kGpus); ++gpu) {
    for (const std::string& word : Split(words)) {
      const std::string item = OnGpu(word, gpu);
      if (item.empty())
        return Status::Error("%s is no counter that is known here, nor BLOCK:EVENT (SQ:4)",
                             word.c_str());
      *out += (out->empty() ? "" : ",") + std::string(kGpus[gpu]) + "/" + item;
    }
  }
  return Status::Ok();
}

}  // namespace rtl::cli
