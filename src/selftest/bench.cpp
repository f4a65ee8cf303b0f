// SPDX-License-Identifier: MIT
#include "selftest/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace rtl::selftest {

namespace fs = std::filesystem;

namespace {
constexpr off_t kRoomBytes = off_t{64} << 20;  // needed for a trace and its spool
}

std::string Text(const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::string Spread(std::vector<double> values, const char* unit) {
  if (values.empty()) return "nothing measured";
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return Text("%.1f %s (%.1f to %.1f)", Median(values), unit, *least, *most);
}

Bench::~Bench() {
  std::error_code ignored;  // a folder left in /tmp does no harm
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::string Bench::Prepare() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return "/proc/self/exe: " + error.message();
  rtl_ = program.string();
  lib_ = (program.parent_path().parent_path() / "lib").string();
  for (const char* const name : {"librtl.so", "librtl_engine.so"}) {
    if (Library(name).empty()) return std::string(name) + " is missing from this installation";
  }
  if (options_.on_vgpu && Library("libvgpu.so").empty())
    return "libvgpu.so is missing from this installation";
  std::string pattern = (fs::temp_directory_path(error) / "rtl-selftest-XXXXXX").string();
  if (error) pattern = "/tmp/rtl-selftest-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) return "cannot make a folder for the traces; set TMPDIR";
  folder_ = pattern;
  return WhyNoRoom(kRoomBytes);
}

std::string Bench::WhyNoRoom(long bytes) const {
  // The room is written, because a quota also limits what can be written.
  const std::string file = FileIn("room");
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int failed = fd < 0 ? errno : posix_fallocate(fd, 0, bytes);
  if (fd >= 0) close(fd);
  std::error_code ignored;
  fs::remove(file, ignored);
  if (failed == 0) return "";
  return folder_ + ": " + strerror(failed) + "; traces need " + std::to_string(kRoomBytes >> 20) +
         " MB for a while: set TMPDIR to another folder";
}

std::string Bench::Library(const std::string& name) const {
  const std::string path = lib_ + "/" + name;
  return access(path.c_str(), R_OK) == 0 ? path : "";
}

bool Bench::Wants(const std::string& check) const {
  return options_.only.empty() ||
         std::find(options_.only.begin(), options_.only.end(), check) != options_.only.end();
}

Variables Bench::UntracedVariables() const {
  Variables variables;
  if (options_.on_vgpu) {
    const char* const others = getenv("LD_PRELOAD");
    variables.emplace_back("LD_PRELOAD", Library("libvgpu.so") +
                                             (others != nullptr && *others != '\0' ? ":" : "") +
                                             (others != nullptr ? others : ""));
    if (options_.gpus.has_value())
      variables.emplace_back("VGPU_NUM_GPUS", std::to_string(*options_.gpus));
  }
  return variables;
}

Variables Bench::ToolVariables(const std::string& library) const {
  Variables variables = UntracedVariables();
  variables.emplace_back("HSA_TOOLS_LIB", library);
  variables.emplace_back("HSA_TOOLS_ROCPROFILER_V1_TOOLS", "1");
  variables.emplace_back("ROCPROFILER_REGISTER_LIBRARY", library);
  return variables;
}

std::vector<std::string> Bench::ProgramWords(const std::string& program, long number) const {
  std::vector<std::string> words = {rtl_, "selftest", "--program=" + program};
  if (number > 0) words.push_back("--number=" + std::to_string(number));
  if (!options_.hip.empty()) words.push_back("--hip=" + options_.hip);
  return words;
}

Ran Bench::Plain(const std::string& program, long number) {
  const std::vector<std::string> words = ProgramWords(program, number);
  const Ran ran = Command(words, UntracedVariables()).Wait(options_.limit);
  Log(words, ran);
  return ran;
}

Ran Bench::Traced(const std::string& program, const std::vector<std::string>& trace_options,
                  long number) {
  std::error_code ignored;  // if there is no earlier trace
  fs::remove(trace(), ignored);
  std::vector<std::string> words = {rtl_, "trace", "--no-summary", "-o", trace()};
  if (options_.on_vgpu)
    words.push_back(options_.gpus.has_value() ? "--vgpu=" + std::to_string(*options_.gpus)
                                              : "--vgpu");
  words.insert(words.end(), trace_options.begin(), trace_options.end());
  words.push_back("--");
  const std::vector<std::string> traced = ProgramWords(program, number);
  words.insert(words.end(), traced.begin(), traced.end());
  Ran ran = Command(words, {}).Wait(options_.limit);
  Log(words, ran);
  complaint_ = ran.Complaint();
  // Run the program without the tracer, to find out whether the tracer causes the failure.
  if (ran.started && !ran.ok() && ran.Fact("absent").empty() && Interruption() == 0) {
    const Ran plain = Plain(program, number);
    if (plain.started && !plain.ok()) ran.untraced = Failure(plain);
  }
  return ran;
}

std::string Bench::Failure(const Ran& ran) {
  const std::string failed = ran.Fact("failed");
  if (!failed.empty()) return failed;
  const std::string complaint = ran.Complaint();
  return "it " + ran.Ending() + (complaint.empty() ? "" : ": " + complaint);
}

Ran Bench::Verb(const std::vector<std::string>& words) {
  std::vector<std::string> all = {rtl_};
  all.insert(all.end(), words.begin(), words.end());
  const Ran ran = Command(all, {}).Wait(options_.limit);
  Log(all, ran);
  return ran;
}

std::optional<Result> Bench::Bad(const Ran& ran) const {
  if (ran.ok()) return std::nullopt;
  if (const std::string absent = ran.Fact("absent"); !absent.empty()) return NotHere(absent);
  std::string figure = "the program failed: " + Failure(ran);
  if (!ran.untraced.empty())
    figure += "; without rtl, too (" + ran.untraced + "): the GPU, its driver or ROCm is at fault";
  return Wrong(figure);
}

std::optional<Result> Bench::Incomplete(TraceFacts* trace, const std::string& kernel,
                                        long expected) {
  const long rows = trace->Kernels(kernel);
  const long submitted = trace->Submitted("kernels");
  const long recorded = trace->Recorded("kernels");
  if (!trace->problem().empty()) return Wrong(trace->problem());
  const std::string losses = trace->Losses("kernels");
  if (submitted != recorded && losses.empty())
    return Wrong(
        Text("%ld kernels submitted, %ld recorded, and no loss is named", submitted, recorded));
  if (rows == expected) return std::nullopt;
  const std::string figure = Text("%ld of %ld kernels", rows, expected);
  // In some modes the tracer leaves such kernels out and reports that.
  if (losses.starts_with("kBatch") && losses.find(',') == std::string::npos)
    return NotHere(figure + ": the tracer leaves batches out with this runtime (kBatch)");
  if (!losses.empty()) return Wrong(figure + "; lost: " + losses);
  const std::string untraced = WhyUntraced();
  return Wrong(figure + (untraced.empty() ? ", and no loss is named" : untraced));
}

std::string Bench::WhyUntraced() const {
  return complaint_.find("not traced") == std::string::npos ? "" : ": " + complaint_;
}

void Bench::Log(const std::vector<std::string>& words, const Ran& ran) {
  log_ += "$";
  for (const std::string& word : words) log_ += " " + word;
  log_ += "\n" + ran.out + ran.err + "(it " + ran.Ending() + ")\n";
}

std::string Bench::DrainLog() { return WithoutNames(std::exchange(log_, "")); }

std::string Bench::DescribeTrace() {
  constexpr int kMostRows = 2000;
  TraceFacts facts(trace());
  std::string text;
  const auto table = [&](const char* title, const std::string& sql, int columns) {
    text += title;
    text += '\n';
    facts.Rows(sql, [&](const query::Statement& row) {
      for (int i = 0; i < columns; ++i) text += (i == 0 ? "  " : "\t") + std::string(row.Text(i));
      text += '\n';
    });
  };
  table("counts",
        "SELECT tag, value FROM rocpd_metadata WHERE tag LIKE 'submitted.%' OR "
        "tag LIKE 'recorded.%' OR tag LIKE 'loss.%' OR tag LIKE 'not_counted.%'",
        2);
  table("processes: mode, why, interception, runtime",
        "SELECT mode, mode_reason, loaded_by, runtime FROM rtl_process", 4);
  table("queues: id, gpu, size, submitted, recorded",
        "SELECT id, gpu, size, submitted, recorded FROM rtl_queue", 5);
  table("kernels and copies: id, gpu, queue, number, packet, submit, start, end, name",
        "SELECT o.id, gpuId, queueId, sequenceId, packet, submit, start, end, string FROM "
        "rocpd_op o JOIN rocpd_string s ON s.id = o.description_id ORDER BY o.id LIMIT " +
            std::to_string(kMostRows),
        9);
  if (!facts.problem().empty()) text += "  " + facts.problem() + "\n";
  return WithoutNames(text);
}

namespace {

void Replace(std::string* text, const std::string& what, const char* with) {
  if (what.size() < 2) return;
  for (size_t at = text->find(what); at != std::string::npos; at = text->find(what, at))
    text->replace(at, what.size(), with);
}

bool IsOfPath(char letter) {
  return isalnum(static_cast<unsigned char>(letter)) != 0 ||
         std::string_view("/._-+@%~").find(letter) != std::string_view::npos;
}

}  // namespace

std::string Bench::WithoutNames(std::string text) const {
  // Shortens each path to its last part.
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const bool begins = text[at] == '/' && (at == 0 || !IsOfPath(text[at - 1]));
    if (!begins) {
      result += text[at++];
      continue;
    }
    size_t end = at;
    while (end < text.size() && IsOfPath(text[end])) ++end;
    const std::string path = text.substr(at, end - at);
    const size_t last = path.rfind('/');
    result += last == 0 ? path : "…" + path.substr(last);
    at = end;
  }
  char host[256] = {};
  if (gethostname(host, sizeof host - 1) == 0) Replace(&result, host, "(host)");
  if (const passwd* const user = getpwuid(getuid()); user != nullptr && getuid() != 0)
    Replace(&result, user->pw_name, "(user)");
  return result;
}

}  // namespace rtl::selftest
