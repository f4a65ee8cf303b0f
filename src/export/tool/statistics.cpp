// SPDX-License-Identifier: MIT
#include "export/tool/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "export/tool/tool_trace.h"
#include "trace/read/printable.h"

namespace rtl::exporting::tool {
namespace {

struct Unit {
  const char* name;
  uint64_t nanoseconds;
};
constexpr Unit kUnits[] = {
    {"sec", 1'000'000'000}, {"msec", 1'000'000}, {"usec", 1000}, {"nsec", 1}};
constexpr size_t kLeastName = 40;
constexpr size_t kLeastDomain = 12;
constexpr char kSpace[] = "    ";

bool LongerTotal(const NamedSample& a, const NamedSample& b) {
  return a.sample.sum != b.sample.sum ? a.sample.sum > b.sample.sum : a.name < b.name;
}

// Formats one number, without a fraction if the unit is nanoseconds.
std::string Cell(uint64_t nanoseconds, const Unit& unit) {
  if (unit.nanoseconds == 1) return fmt::format("{:15}", nanoseconds);
  return fmt::format("{:15}",
                     static_cast<double>(nanoseconds) / static_cast<double>(unit.nanoseconds));
}

class Page {
 public:
  Page(const Statistics& statistics, const SummaryRequest& request)
      : statistics_(statistics),
        unit_(kUnits[static_cast<size_t>(request.unit)]),
        indent_(request.indented ? kSpace : "") {}

  void Add(const std::string& title, const std::vector<Domain>& domains) {
    std::vector<NamedSample> rows = Collect(domains);
    Sample total;
    size_t name_width = kLeastName, domain_width = kLeastDomain;
    for (const NamedSample& row : rows) {
      total.Add(row.sample);
      name_width = std::max(name_width, std::min(row.name.size(), query::kLongText));
      domain_width = std::max(domain_width, std::string_view(InfoOf(row.domain).name).size());
    }
    if (total.count == 0) return;
    std::sort(rows.begin(), rows.end(), LongerTotal);
    text_ += fmt::format("\n{}ROCPROFV3 {}:\n\n", indent_, title);
    Header(name_width, domain_width);
    for (const NamedSample& row : rows) Row(row, total, name_width, domain_width);
    text_ += "\n";
  }
  std::string Take() { return std::move(text_); }

 private:
  // A name that is in two domains counts only once, in the first of them.
  std::vector<NamedSample> Collect(const std::vector<Domain>& domains) const {
    std::vector<NamedSample> rows;
    for (const Domain domain : domains) {
      for (const NamedSample& row : statistics_.Sorted(domain)) {
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const NamedSample& other) {
          return other.domain != domain && other.name == row.name;
        });
        if (same == rows.end()) {
          rows.push_back(row);
        } else {
          same->sample.Add(row.sample);
        }
      }
    }
    return rows;
  }

  void Header(size_t name_width, size_t domain_width) {
    const auto with_unit = [&](const char* what) {
      return fmt::format("{} ({})", what, unit_.name);
    };
    text_ += fmt::format(
        "{}| {:^{}} | {:^{}} | {:^15} | {:^15} | {:^15} | {:^13} | {:^15} | {:^15} | {:^15} |\n",
        indent_, "NAME", name_width, "DOMAIN", domain_width, "CALLS", with_unit("DURATION"),
        with_unit("AVERAGE"), "PERCENT (INC)", with_unit("MIN"), with_unit("MAX"), "STDDEV");
    text_ += indent_;
    for (const size_t width : {name_width, domain_width, size_t{15}, size_t{15}, size_t{15},
                               size_t{13}, size_t{15}, size_t{15}, size_t{15}}) {
      text_ += fmt::format("|-{:-^{}}-", "", width);
    }
    text_ += "|\n";
  }

  void Row(const NamedSample& row, const Sample& total, size_t name_width, size_t domain_width) {
    const Sample& sample = row.sample;
    const double unit = static_cast<double>(unit_.nanoseconds);
    const double percent = 100.0 * static_cast<double>(sample.sum) / static_cast<double>(total.sum);
    text_ +=
        fmt::format("{}| {:<{}} | {:<{}} | {:15} | {} | {:15.3e} | {:>13} | {} | {} | {:15.3e} |\n",
                    indent_, query::Shown(row.name), name_width, InfoOf(row.domain).name,
                    domain_width, sample.count, Cell(sample.sum, unit_), sample.mean() / unit,
                    fmt::format("{:.6f}", total.sum == 0 ? 0.0 : percent),
                    Cell(sample.least, unit_), Cell(sample.most, unit_), sample.deviation() / unit);
  }

  const Statistics& statistics_;
  const Unit& unit_;
  const std::string indent_;
  std::string text_;
};

}  // namespace

const char* NameOf(SummaryUnit unit) { return kUnits[static_cast<size_t>(unit)].name; }

void Sample::Add(uint64_t value) {
  least = count == 0 ? value : std::min(least, value);
  most = std::max(most, value);
  ++count;
  sum += value;
  squares += static_cast<double>(value) * static_cast<double>(value);
}

void Sample::Add(const Sample& other) {
  if (other.count == 0) return;
  least = count == 0 ? other.least : std::min(least, other.least);
  most = std::max(most, other.most);
  count += other.count;
  sum += other.sum;
  squares += other.squares;
}

double Sample::mean() const {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

double Sample::variance() const {
  if (count < 2) return 0;
  const double total = static_cast<double>(sum), n = static_cast<double>(count);
  return (squares - total * total / n) / (n - 1);
}

double Sample::deviation() const { return std::sqrt(std::fabs(variance())); }

void Statistics::Add(Domain domain, std::string_view name, uint64_t duration) {
  Names& names = names_[static_cast<size_t>(domain)];
  auto found = names.find(name);
  if (found == names.end()) found = names.emplace(std::string(name), Sample()).first;
  found->second.Add(duration);
}

Sample Statistics::Total(Domain domain) const {
  Sample total;
  for (const auto& [name, sample] : names(domain)) total.Add(sample);
  return total;
}

std::vector<NamedSample> Statistics::Sorted(Domain domain) const {
  std::vector<NamedSample> rows;
  for (const auto& [name, sample] : names(domain)) rows.push_back({name, domain, sample});
  std::sort(rows.begin(), rows.end(), LongerTotal);
  return rows;
}

Status CountAll(ToolTrace& trace, Statistics* out) {
  const auto count = [out](Domain domain, std::string_view name, const auto& row) {
    out->Add(domain, name, row.end - row.start);
    return Status::Ok();
  };
  RTL_TRY(trace.ForEachKernel(
      [&](const ToolKernel& kernel) { return count(Domain::kKernel, kernel.name, kernel.row); }));
  for (const Domain domain : kCallDomains) {
    RTL_TRY(trace.ForEachCall(
        domain, [&](const ToolCall& call) { return count(domain, call.name, call.row); }));
  }
  RTL_TRY(trace.ForEachMarker([&](const ToolMarker& marker) {
    return count(Domain::kMarker, marker.message, marker.row);
  }));
  RTL_TRY(trace.ForEachCopy(
      [&](const ToolCopy& copy) { return count(Domain::kCopy, copy.direction, copy.row); }));
  for (const Domain domain : {Domain::kScratch, Domain::kAllocation}) {
    RTL_TRY(trace.ForEachMemory(
        domain, [&](const ToolMemory& memory) { return count(domain, memory.name, memory.row); }));
  }
  return Status::Ok();
}

bool IsRegularExpression(const std::string& text) {
  // Limited, because the compiler of regular expressions recurses at brackets.
  constexpr size_t kLongest = 500;
  if (text.size() > kLongest) return false;
  try {
    (void)std::regex(text);
    return true;
  } catch (const std::regex_error&) {
    return false;
  }
}

std::string SummaryText(const Statistics& statistics, const SummaryRequest& request) {
  Page page(statistics, request);
  std::vector<Domain> all;
  for (size_t i = 0; i < kDomainCount; ++i) {
    if (statistics.Has(static_cast<Domain>(i))) all.push_back(static_cast<Domain>(i));
  }
  if (request.per_domain) {
    for (const Domain domain : all) {
      page.Add(std::string(InfoOf(domain).name) + " SUMMARY", {domain});
    }
  }
  for (const std::string& group : request.groups) {
    const std::regex pattern(group);
    std::vector<Domain> chosen;
    std::string title;
    for (const Domain domain : all) {
      if (!std::regex_match(InfoOf(domain).name, pattern)) continue;
      title += (chosen.empty() ? "" : " + ") + std::string(InfoOf(domain).name);
      chosen.push_back(domain);
    }
    page.Add(title + " SUMMARY", chosen);
  }
  if (request.whole) page.Add("SUMMARY", all);
  return page.Take();
}

}  // namespace rtl::exporting::tool
