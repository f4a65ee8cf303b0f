// SPDX-License-Identifier: MIT
// cli.cpp: the command `vgpu`: runs a program on the virtual machine, or describes it.
#include <dlfcn.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "vgpu/config/config.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/config/options.h"
#include "vgpu/run/cli_check.h"

namespace {

constexpr int kOutputLost = 1;
constexpr int kBadArguments = 2;
constexpr int kNotModelled = 3;
constexpr int kCannotExecute = 126;
constexpr int kNotFound = 127;

// Replaces control characters: a name from the command line must not command the terminal or begin
// a line.
int Complain(int code, std::string text) {
  for (char& c : text) c = static_cast<unsigned char>(c) < ' ' || c == 0x7f ? '?' : c;
  std::fprintf(stderr, "vgpu: %s\n", text.c_str());
  return code;
}

// Flushes the output. If that fails, prints a complaint and returns its exit code.
int Printed() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  return Complain(kOutputLost,
                  std::string("standard output: writing failed: ") + std::strerror(errno));
}

// The options given on the command line, by their variables.
using Chosen = std::map<std::string, std::string>;

// Adds the machine's options to a subcommand. Their values end up in *chosen.
void AddOptions(CLI::App* command, Chosen* chosen) {
  for (const vgpu::Option& option : vgpu::Options()) {
    const std::string help = std::string(option.help) + " (" + option.variable + ")";
    if (option.value == nullptr) {
      const char* value = option.flag_clears ? "0" : "1";
      const auto set = [=, &option](int64_t) { (*chosen)[option.variable] = value; };
      command->add_flag_function(option.flag, set, help);
    } else {
      const auto set = [=, &option](const std::string& text) { (*chosen)[option.variable] = text; };
      command->add_option_function<std::string>(option.flag, set, help)->type_name(option.value);
    }
  }
}

// Checks what was chosen and makes paths independent of the working directory.
bool CheckChosen(Chosen* chosen, std::string* why) {
  for (const vgpu::Option& option : vgpu::Options()) {
    const auto found = chosen->find(option.variable);
    if (found == chosen->end()) continue;
    vgpu::Config scratch;
    std::string reason;
    if (!vgpu::SetOption(option, found->second, &scratch, &reason)) {
      *why = std::string(option.flag) + " " + found->second + ": " + reason;
      return false;
    }
    if (vgpu::TakesPath(option)) {
      found->second = std::filesystem::absolute(found->second).string();
    }
  }
  return true;
}

// libvgpu.so beside this program: ../lib/libvgpu.so. Empty, with the reason in *why, if it is
// missing.
std::string FindLibrary(std::string* why) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    *why = "cannot read my own path: " + error.message();
    return "";
  }
  const std::string library = (self.parent_path().parent_path() / "lib" / "libvgpu.so").string();
  if (access(library.c_str(), R_OK) != 0) {
    *why = "cannot read " + library + ": " + std::strerror(errno);
    return "";
  }
  if (library.find_first_of(": ") != std::string::npos) {
    *why = library + " cannot be preloaded: its path contains a blank or a colon";
    return "";
  }
  return library;
}

// Preloads `library` first and the ROCTx library beside it last: programs that are linked with
// ROCTx then start wherever they are.
void Preload(const std::string& library) {
  const char* old = std::getenv("LD_PRELOAD");
  std::string preload = library;
  if (old != nullptr && *old != '\0') preload += std::string(":") + old;
  const std::string markers =
      (std::filesystem::path(library).parent_path() / "libroctx64.so.4").string();
  if (access(markers.c_str(), R_OK) == 0) preload += ":" + markers;
  setenv("LD_PRELOAD", preload.c_str(), 1);
  // A program that is linked with the shared library of the address sanitizer ends when another
  // library is loaded before that one. libvgpu.so defines none of the sanitizer's functions.
  const char* const before = std::getenv("ASAN_OPTIONS");
  std::string sanitizer = before == nullptr ? "" : before;
  if (sanitizer.find("verify_asan_link_order") != std::string::npos) return;
  sanitizer += sanitizer.empty() ? "" : ":";
  setenv("ASAN_OPTIONS", (sanitizer + "verify_asan_link_order=0").c_str(), 1);
}

// Sets the path of the tools' library for AMD's rocprofiler-register. Otherwise, if a program has
// tools, rocprofiler-register ends it when it does not find that library by name, even if the HSA
// runtime has the path.
void NameLibraryOfTools(const std::string& library) {
  const char* const tools = std::getenv("ROCP_TOOL_LIBRARIES");
  if (tools == nullptr || *tools == '\0') return;
  const char* const names = std::getenv("HSA_TOOLS_LIB");
  std::istringstream words(names == nullptr ? "" : names);
  std::string found;
  for (std::string word; found.empty() && words >> word;) {
    if (word.substr(word.rfind('/') + 1).starts_with("librocprofiler-sdk.so")) found = word;
  }
  const std::string beside =
      (std::filesystem::path(library).parent_path() / "librocprofiler-sdk.so.1").string();
  if (found.empty() && access(beside.c_str(), R_OK) == 0 &&
      dlopen("librocprofiler-sdk.so", RTLD_LAZY) == nullptr)
    found = beside;
  if (!found.empty()) setenv("ROCPROFILER_REGISTER_LIBRARY", found.c_str(), 0);  // unless it is set
}

int Run(const Chosen& chosen, std::vector<std::string> command) {
  if (command.empty()) return Complain(kBadArguments, "run: no command given");
  std::string why;
  const std::string library = FindLibrary(&why);
  if (library.empty()) return Complain(kCannotExecute, why);
  Preload(library);
  NameLibraryOfTools(library);
  for (const auto& [variable, value] : chosen) setenv(variable.c_str(), value.c_str(), 1);

  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  const bool missing = error == ENOENT || error == ENOTDIR;
  return Complain(missing ? kNotFound : kCannotExecute,
                  "cannot run " + command[0] + ": " + std::strerror(error));
}

int Info(const Chosen& chosen) {
  const auto lookup = [&chosen](const char* name) -> const char* {
    const auto found = chosen.find(name);
    return found != chosen.end() ? found->second.c_str() : std::getenv(name);
  };
  const vgpu::Config config = vgpu::ParseConfig(
      lookup, [](const std::string& line) { std::fprintf(stderr, "vgpu: %s\n", line.c_str()); });
  const vgpu::GpuModel& model = *vgpu::FindGpuModel(config.gfx);
  std::printf("%d x gfx%x (%s): %u compute units at %u MHz, %llu MB%s\n", config.num_gpus,
              config.gfx, model.name, model.AllComputeUnits(), model.clock_mhz,
              static_cast<unsigned long long>(config.vram_bytes >> 20),
              config.large_bar ? ", all visible to the host" : "");
  std::string why;
  const std::string library = FindLibrary(&why);
  std::printf("library: %s\n\n", library.empty() ? why.c_str() : library.c_str());
  for (const vgpu::Option& option : vgpu::Options()) {
    const std::string setting =
        std::string(option.variable) + "=" + vgpu::ShowOption(option, config);
    std::printf("%-28s %s: %s\n", setting.c_str(), option.flag, option.help);
  }
  return Printed();
}

int Check(const std::string& file) {
  unsetenv("VGPU_GFX");  // the file names the GPU of its code
  const vgpu::CheckResult result = vgpu::CheckFile(file);
  if (!result.read) return Complain(kCannotExecute, "check: " + file + ": " + result.why);
  std::fputs(result.text.c_str(), stdout);
  if (const int code = Printed(); code != 0) return code;
  return result.can_run ? 0 : kNotModelled;
}

// Everything from the first "--" on is the command's, whatever it looks like.
std::vector<std::string> SplitCommand(std::vector<std::string>* words) {
  const auto separator = std::find(words->begin(), words->end(), "--");
  if (separator == words->end()) return {};
  std::vector<std::string> command(separator, words->end());
  words->erase(separator, words->end());
  return command;
}

class RunFormatter final : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: vgpu run [OPTIONS] [--] COMMAND [ARGUMENTS...]\n";
  }
};

int Main(std::vector<std::string> words) {
  CLI::App app("A virtual AMD GPU below the real ROCm runtime.", "vgpu");
  app.require_subcommand(1);
  app.set_version_flag("--version", "vgpu " RTL_VERSION, "Print the version and exit");
  Chosen chosen;
  CLI::App* run = app.add_subcommand("run", "Run a program on the virtual machine");
  run->formatter(std::make_shared<RunFormatter>());
  run->prefix_command();  // the first word that is no option begins the command
  AddOptions(run, &chosen);
  CLI::App* info = app.add_subcommand("info", "Describe the virtual machine");
  AddOptions(info, &chosen);
  CLI::App* check = app.add_subcommand(
      "check", "List the instructions of a file's kernels that are not modelled");
  std::string file;
  check->add_option("FILE", file, "A code object, a bundle of them, a program or a library")
      ->required();
  std::vector<std::string> command = SplitCommand(&words);
  const std::string first = words.empty() ? "" : words.front();
  std::reverse(words.begin(), words.end());  // as the parser wants them
  try {
    app.parse(words);
  } catch (const CLI::Success& asked) {  // for the help or the version
    (void)app.exit(asked);
    std::cout.flush();
    return Printed();
  } catch (const CLI::RequiredError&) {
    if (first == "check")
      return Complain(kBadArguments, "check: no file given (see vgpu check --help)");
    return Complain(kBadArguments,
                    (first.empty() ? "run, info or check is missing" : "unknown verb " + first) +
                        " (see vgpu --help)");
  } catch (const CLI::ParseError& error) {
    return Complain(kBadArguments, std::string(error.what()) + " (see vgpu --help)");
  }
  if (std::string why; !CheckChosen(&chosen, &why)) return Complain(kBadArguments, why);
  if (info->parsed()) return Info(chosen);
  if (check->parsed()) return Check(file);
  const std::vector<std::string> bare = run->remaining();
  if (!bare.empty() && bare.front().starts_with('-')) {
    return Complain(kBadArguments,
                    "run: unknown option " + bare.front() + " (see vgpu run --help)");
  }
  // Behind a command, `--` is an argument of that command.
  if (bare.empty() && !command.empty()) command.erase(command.begin());
  command.insert(command.begin(), bare.begin(), bare.end());
  return Run(chosen, std::move(command));
}

}  // namespace

int main(int argc, char** argv) { return Main({argv + 1, argv + argc}); }
