// SPDX-License-Identifier: MIT
#include "analysis/kernel_category.h"

#include <errno.h>

#include <fstream>

#include "base/expression_size.h"

namespace rtl::analysis {
namespace {

// In the order in which they are tried. Case does not matter.
constexpr struct {
  const char* category;
  const char* regex;
} kRules[] = {
    {"communication",
     "nccl|rccl|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|sendrecv|quickreduce"},
    {"copy", "^mem(cpy|set)|__amd_rocclr_(copy|fill)|copybuffer|fillbuffer"},
    {"attention", "attn|attention|fmha|flash_(fwd|bwd)|mla_(decode|prefill)"},
    {"convolution", "conv|winograd|im2d?2?col|col2im|igemm_(fwd|bwd|wrw)"},
    {"GEMM", "^cijk_|gemm|gemv|matmul|xmma|wvsplitk|cublaslt|::mm_kernel"},
    {"normalisation", "norm(alization|_fwd|_bwd|_kernel|_forward|_backward|grad)?"},
    {"Triton", "^triton_"},
    {"reduction", "reduce|reduction|softmax|argmax|argmin|cumsum|scan|topk|sort"},
    {"elementwise",
     "elementwise|catarray|fill|copy|index|embedding|activation|silu|gelu|relu|dropout|adam|"
     "foreach|multi_tensor|rotary|arange|cast"},
};
const std::string kOther = "other";

std::string Trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

KernelCategories::KernelCategories() {
  for (const auto& [category, regex] : kRules) (void)Add(category, regex, &built_in_);
}

KernelCategories::~KernelCategories() {
  for (std::vector<Rule>* rules : {&own_, &built_in_}) {
    for (Rule& rule : *rules) regfree(&rule.regex);
  }
}

Status KernelCategories::Add(const std::string& category, const std::string& regex,
                             std::vector<Rule>* rules) {
  Rule rule;
  rule.category = category;
  if (RepeatsTooMuch(regex))
    return Status::Error("%s is no regular expression (%s)", regex.c_str(), kRepeatsTooMuch);
  const int code = regcomp(&rule.regex, regex.c_str(), REG_EXTENDED | REG_ICASE | REG_NOSUB);
  if (code != 0) {
    char why[100];
    regerror(code, &rule.regex, why, sizeof why);
    return Status::Error("%s is no regular expression (%s)", regex.c_str(), why);
  }
  rules->push_back(rule);
  return Status::Ok();
}

Status KernelCategories::ReadRules(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Status::ErrnoError(errno, "%s", path.c_str());
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = Trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    const size_t colon = line.find(':');
    const std::string category = Trimmed(line.substr(0, colon));
    const std::string regex = colon == std::string::npos ? "" : Trimmed(line.substr(colon + 1));
    if (category.empty() || regex.empty()) {
      return Status::Error("%s:%d: not a rule (CATEGORY: REGEX)", path.c_str(), number);
    }
    const Status added = Add(category, regex, &own_);
    if (!added.ok()) return Status::Error("%s:%d: %s", path.c_str(), number, added.message());
  }
  return Status::Ok();
}

const std::string& KernelCategories::Name(const std::string& kernel) const {
  for (const std::vector<Rule>* rules : {&own_, &built_in_}) {
    for (const Rule& rule : *rules) {
      if (regexec(&rule.regex, kernel.c_str(), 0, nullptr, 0) == 0) return rule.category;
    }
  }
  return kOther;
}

}  // namespace rtl::analysis
