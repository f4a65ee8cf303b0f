// SPDX-License-Identifier: MIT
#include "cli/analyze/category_report.h"

#include "analysis/text.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::CategoryTime;
using analysis::Duration;
using analysis::Grouped;
using analysis::WorkShares;

std::string PercentOf(uint64_t part, uint64_t whole) {
  return analysis::Percent(whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole));
}

std::string Exposed(const char* what, uint64_t exposed, uint64_t all, uint64_t elapsed) {
  if (all == 0) return "";
  return ", exposed " + std::string(what) + " " + PercentOf(exposed, elapsed) + " (of " +
         PercentOf(all, elapsed) + ")";
}

}  // namespace

std::string SharesLine(const WorkShares& shares) {
  const uint64_t all = shares.elapsed();
  return "computation " + PercentOf(shares.computation, all) +
         Exposed("communication", shares.exposed_communication, shares.communication, all) +
         Exposed("copies", shares.exposed_copies, shares.copies, all) + ", idle " +
         PercentOf(shares.idle(), all);
}

std::string CategoriesAsText(const std::string& gpu, const WorkShares& shares, size_t width) {
  Table table({{"total"},
               {"%"},
               Right("busy", 2),
               Right("alone", 3),
               Right("kernels", 1),
               {"category", Align::kLeft}});
  for (const CategoryTime& time : shares.categories) {
    table.AddRow({Duration(time.total), PercentOf(time.busy, shares.elapsed()), Duration(time.busy),
                  Duration(time.alone), Grouped(time.kernels), Printable(time.category)});
  }
  return "\n" + gpu +
         ", by category (busy: at least one ran; alone: and nothing of another category)\n\n" +
         table.Render(width);
}

void AddShares(const WorkShares& shares, JsonWriter* json) {
  JsonNumber(json, "computation_ns", shares.computation);
  JsonNumber(json, "communication_ns", shares.communication);
  JsonNumber(json, "exposed_communication_ns", shares.exposed_communication);
  JsonNumber(json, "copying_ns", shares.copies);
  JsonNumber(json, "exposed_copying_ns", shares.exposed_copies);
  JsonNumber(json, "busy_ns", shares.busy);
  JsonRows(json, "categories", shares.categories, 0, [&](const CategoryTime& time) {
    JsonText(json, "category", time.category);
    JsonNumber(json, "kernels", time.kernels);
    JsonNumber(json, "total_ns", time.total);
    JsonNumber(json, "busy_ns", time.busy);
    JsonNumber(json, "alone_ns", time.alone);
  });
}

}  // namespace rtl::cli
