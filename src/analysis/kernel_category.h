// SPDX-License-Identifier: MIT
// kernel_category.h: finds the kind of work that a kernel does, from its name.
//
// Threads    Name: any
// Errors     a file of rules is refused with the number of the line
#pragma once

#include <regex.h>

#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::analysis {

// The categories that other code refers to. Kernels of category "copy" are copies, like the work of
// copy engines.
inline constexpr char kCommunicationCategory[] = "communication";
inline constexpr char kCopyCategory[] = "copy";

class KernelCategories {
 public:
  KernelCategories();  // has the built-in rules
  ~KernelCategories();
  KernelCategories(const KernelCategories&) = delete;
  KernelCategories& operator=(const KernelCategories&) = delete;

  // Reads rules that are tried before all others. A line is "CATEGORY: REGEX"; REGEX is POSIX
  // extended and applies to the demangled name. Empty lines and lines that begin with # are
  // skipped.
  Status ReadRules(const std::string& path);

  // The category of the first rule that matches, for example "GEMM"; "other" if none does. The
  // built-in rules are tried on the name without its arguments first.
  const std::string& Name(const std::string& kernel) const;

 private:
  struct Rule {
    std::string category;
    regex_t regex;
  };
  static const std::string* Match(const std::vector<Rule>& rules, const std::string& name);
  Status Add(const std::string& category, const std::string& regex, std::vector<Rule>* rules);

  std::vector<Rule> own_, built_in_;
};

}  // namespace rtl::analysis
