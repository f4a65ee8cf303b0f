// SPDX-License-Identifier: MIT
#include "cli/hot/hot_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <vector>

#include "analysis/text.h"
#include "cli/base/report_json.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::Grouped;
using analysis::HotCount;
using analysis::HotInstruction;
using analysis::HotKernel;
using analysis::HotLine;
using analysis::HotReport;

constexpr size_t kHeadlineLines = 5;
constexpr double kHeadlineShare = 70;  // percent

double Percent(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string LineName(const HotLine& line) {
  if (!line.file.empty() && line.line != 0)
    return Printable(FileName(line.file)) + fmt::format(":{}", line.line);
  return line.file.empty() ? "(no line)" : Printable(FileName(line.file));
}

// Reads lines of those source files that can be read.
class SourceFiles {
 public:
  std::string Line(const std::string& path, uint32_t number) {
    if (path.empty() || number == 0) return "";
    const auto [found, is_new] = files_.try_emplace(path);
    std::vector<std::string>& lines = found->second;
    if (is_new) {
      std::ifstream file(path);
      for (std::string line; lines.size() < kMostLines && std::getline(file, line);)
        lines.push_back(line);
    }
    if (number > lines.size()) return "";
    const std::string& line = lines[number - 1];
    const size_t from = line.find_first_not_of(" \t");
    return from == std::string::npos ? "" : line.substr(from);
  }

 private:
  static constexpr size_t kMostLines = 100'000;
  std::map<std::string, std::vector<std::string>> files_;
};

std::vector<std::string> Cells(const HotCount& count, uint64_t all, std::string name,
                               std::string text) {
  return {fmt::format("{:.1f}", Percent(count.samples, all)), Grouped(count.samples),
          fmt::format("{:.1f}", count.LanesEach()), std::move(name), Printable(text)};
}

std::string PlaceName(const HotInstruction& instruction) {
  return fmt::format("{}0x{:x}", instruction.code_object == 0 ? "address " : "",
                     instruction.address);
}

Table LineTable(const HotKernel& kernel, const HotLayout& layout, SourceFiles* files) {
  Table table({{"share"},
               Right("samples", 2),
               Right("lanes", 1),
               {"line", Align::kLeft},
               {"source", Align::kLeft}});
  for (const HotLine& line : FirstRows(layout.rows, kernel.lines)) {
    const std::string source = files->Line(line.file, line.line);
    table.AddRow(Cells(line.count, kernel.count.samples, LineName(line),
                       source.empty() ? "in " + line.function : source));
    if (!layout.instructions) continue;
    for (const HotInstruction& each : line.instructions)
      table.AddRow(Cells(each.count, kernel.count.samples, PlaceName(each), "  " + each.text));
  }
  return table;
}

// The table for code without source lines.
Table InstructionTable(const HotKernel& kernel, const HotLayout& layout) {
  Table table({{"share"},
               Right("samples", 2),
               Right("lanes", 1),
               {"offset", Align::kLeft},
               {"instruction", Align::kLeft}});
  std::vector<const HotInstruction*> all;
  for (const HotLine& line : kernel.lines) {
    for (const HotInstruction& each : line.instructions) all.push_back(&each);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) {
    return a->count.samples > b->count.samples;
  });
  for (const HotInstruction* each : FirstRows(layout.rows, all))
    table.AddRow(Cells(each->count, kernel.count.samples, PlaceName(*each), each->text));
  return table;
}

// "2 lines take 71 % of it": the fewest lines with most of the samples.
std::string Headline(const HotKernel& kernel) {
  if (!kernel.has_lines) return "no source lines: compile the kernel with -g";
  uint64_t samples = 0;
  size_t count = 0;
  for (const HotLine& line : kernel.lines) {
    if (count == kHeadlineLines || Percent(samples, kernel.count.samples) >= kHeadlineShare) break;
    if (line.line == 0) continue;
    samples += line.count.samples;
    ++count;
  }
  return fmt::format("{} {} {:.0f} %", count, count == 1 ? "line takes" : "lines take",
                     Percent(samples, kernel.count.samples));
}

std::string KernelText(const HotKernel& kernel, const HotReport& report, const HotLayout& layout,
                       SourceFiles* files) {
  std::string text =
      "\n" + (layout.width == 0 ? Shown(kernel.name) : ShortenFunction(kernel.name, layout.width)) +
      "\n";
  text += fmt::format("{} ({:.1f} %)", Counted(kernel.count.samples, "sample"),
                      Percent(kernel.count.samples, report.count.samples));
  if (kernel.launches != 0) text += " in " + Counted(kernel.launches, "launch", "launches");
  text += fmt::format("; {}\n\n", Headline(kernel));
  text += (kernel.has_lines ? LineTable(kernel, layout, files) : InstructionTable(kernel, layout))
              .Render(layout.width);
  return text;
}

}  // namespace

std::string HotAsText(const std::string& file, const query::RequestedEvents& requested,
                      const HotReport& report, const HotLayout& layout) {
  if (report.kernels.empty()) {
    const bool advise = requested.ToAdvise(EventKind::kPcSample);
    return Printable(file) + ": no samples of program counters" +
           (advise ? " (rtl trace --pc-sampling 100us takes them)\n" : "\n");
  }
  SourceFiles files;
  std::string text = fmt::format("{}: {} of program counters in {}\n", Printable(file),
                                 Counted(report.count.samples, "sample"),
                                 Counted(report.kernels.size(), "kernel"));
  for (const HotKernel& kernel : report.kernels) text += KernelText(kernel, report, layout, &files);
  return text;
}

std::string HotAsCsv(const HotReport& report) {
  std::string text = "Kernel,File,Line,Function,Address,Instruction,Samples,Lanes\n";
  for (const HotKernel& kernel : report.kernels) {
    for (const HotLine& line : kernel.lines) {
      for (const HotInstruction& each : line.instructions)
        text += fmt::format("{},{},{},{},0x{:x},{},{},{}\n", CsvText(kernel.name),
                            CsvText(line.file), line.line, CsvText(line.function), each.address,
                            CsvText(each.text), each.count.samples, each.count.lanes);
    }
  }
  return text;
}

namespace {

void CountJson(JsonWriter* json, const HotCount& count) {
  JsonNumber(json, "samples", count.samples);
  JsonNumber(json, "lanes", count.lanes);
}

}  // namespace

std::string HotAsJson(const std::string& file, const HotReport& report, size_t rows) {
  return JsonDocument([&](JsonWriter* json) {
    JsonText(json, "trace", file);
    CountJson(json, report.count);
    JsonNumber(json, "without_kernel", report.without_kernel);
    JsonRows(json, "kernels", report.kernels, 0, [&](const HotKernel& kernel) {
      JsonText(json, "kernel", kernel.name);
      JsonNumber(json, "launches", kernel.launches);
      CountJson(json, kernel.count);
      JsonRows(json, "lines", kernel.lines, rows, [&](const HotLine& line) {
        JsonText(json, "file", line.file);
        JsonNumber(json, "line", line.line);
        JsonText(json, "function", line.function);
        CountJson(json, line.count);
        JsonRows(json, "instructions", line.instructions, 0, [&](const HotInstruction& each) {
          JsonNumber(json, "address", each.address);
          JsonText(json, "instruction", each.text);
          CountJson(json, each.count);
          JsonRows(json, "frames", each.frames, 0, [&](const symbols::SourceFrame& frame) {
            JsonText(json, "function", frame.function);
            JsonText(json, "file", frame.file);
            JsonNumber(json, "line", frame.line);
          });
        });
      });
    });
  });
}

}  // namespace rtl::cli
