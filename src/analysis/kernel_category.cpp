// SPDX-License-Identifier: MIT
#include "analysis/kernel_category.h"

#include <errno.h>

#include <fstream>
#include <string_view>

#include "base/expression_size.h"

namespace rtl::analysis {
namespace {

// The rules, in the order in which they are tried. Case does not matter.
constexpr struct {
  const char* category;
  const char* regex;
} kRules[] = {
    // A Triton kernel is named after every operator that was fused into it, so this rule comes
    // first.
    {"Triton", "^triton_(poi|red|per)_"},
    {kCommunicationCategory,
     "nccl|rccl|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|sendrecv|quick_?reduce|"
     "cross_device_reduce|nvshmem|rocshmem|multimem_|deep_ep"},
    {kCopyCategory, "^memcpy|^memory_copy_|copybuffer"},
    {"fill", "^memset|fillbuffer"},
    {"attention", "attn|attention|fmha|flash_(fwd|bwd)|mla_(decode|prefill)|sage_(fwd|bwd|quant)"},
    // Does not match "convert".
    {"convolution",
     "conv($|[^e]|e[^r])|winograd|im2d?2?col|col2im|igemm_(fwd|bwd|wrw)|fprop|[dw]grad|scudnn|"
     "fft2d"},
    {"GEMM",
     "cijk_|gemm|gemv|matmul|xmma|wvsplitk|cublaslt|::mm_kernel|(^|_)b?mm_|nvjet|fused_moe_kernel|"
     "fmoe_|moe_stage|triton_tem_fused"},
    // Does not match "normal", which is a distribution.
    {"normalisation",
     "norm($|[^a]|a[^l]|ali[sz])|(^|:|_)bn_|gammabeta|rowwisemoments|welford|fusedparams|"
     "internalgradients"},
    {"Triton", "^triton_"},
    {"reduction",
     "reduce|reduction|softmax|argmax|argmin|cumsum|scan|topk|sort|_pool($|[^e])|partition|_sum|"
     "sum_|"
     "segment"},
    {"elementwise",
     "elementwise|catarray|fill|copy|index|indices|embedding|activation|silu|gelu|relu|dropout|"
     "adam|"
     "foreach|multi_tensor|rotary|rope|arange|cast|transpose|nchw|gather|scatter|permute|quant|"
     "cache|"
     "memset|clamp|transform|tensorop|scalepacked|scal_kernel|distribution|upsample|convert|fusion|"
     "^wrapped_"},
};
const std::string kOther = "other";

// The name without template arguments and function arguments: what is left names the kernel itself.
// "void at::reduce_kernel<512, NormOps>(NormOps)" becomes "void at::reduce_kernel".
std::string WithoutArguments(std::string_view name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::string kept, open;  // `open`: the closing brackets that are still to come
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (open.empty() && name.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
      continue;
    }
    if (c == '(' && open.empty()) break;
    if (c == '(' || c == '<') open += c;
    if (open.empty()) kept += c;
    const char opened = c == ')' ? '(' : '<';
    // Inside parentheses, a '>' may be an operator.
    if ((c == ')' || c == '>') && !open.empty() && open.back() == opened) open.pop_back();
  }
  return kept;
}

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
  if (ExpressionTooLarge(regex))
    return Status::Error("%s is no regular expression (%s)", regex.c_str(), kExpressionTooLarge);
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

const std::string* KernelCategories::Match(const std::vector<Rule>& rules,
                                           const std::string& name) {
  for (const Rule& rule : rules) {
    if (regexec(&rule.regex, name.c_str(), 0, nullptr, 0) == 0) return &rule.category;
  }
  return nullptr;
}

const std::string& KernelCategories::Name(const std::string& kernel) const {
  const std::string* category = Match(own_, kernel);
  if (category == nullptr) category = Match(built_in_, WithoutArguments(kernel));
  if (category == nullptr) category = Match(built_in_, kernel);
  return category == nullptr ? kOther : *category;
}

}  // namespace rtl::analysis
