// SPDX-License-Identifier: MIT
// kernel_category.h: what kind of work a kernel does, by its name.
//
// Threads    Name: any
// Errors     a file of rules is refused with the number of the line
#pragma once

#include <regex.h>

#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::analysis {

// Categories that other code knows. Kernels of the second are copies, as those of copy engines.
inline constexpr char kCommunicationCategory[] = "communication";
inline constexpr char kCopyCategory[] = "copy";

class KernelCategories {
 public:
  KernelCategories();  // the built-in rules
  ~KernelCategories();
  KernelCategories(const KernelCategories&) = delete;
  KernelCategories& operator=(const KernelCategories&) = delete;

  // Rules that are tried before the others: lines "CATEGORY: REGEX" (POSIX extended, on the name
  // that people read); empty lines and those that begin with # are skipped.
  Status ReadRules(const std::string& path);

  // The first rule that matches: "GEMM"; "other" when none does. The built-in rules look at the name
  // without its arguments first.
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
