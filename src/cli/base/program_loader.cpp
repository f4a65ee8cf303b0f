// SPDX-License-Identifier: MIT
#include "cli/base/program_loader.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

namespace rtl::cli {
namespace {

constexpr int kMostInterpreters = 4;  // the kernel has the same limit

bool IsProgram(const std::string& path) {
  struct stat about;
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

// The interpreter in "#!/bin/sh -e". Empty: the file is no script.
std::string InterpreterOf(std::istream& file) {
  std::string line;
  if (file.get() != '#' || file.get() != '!' || !std::getline(file, line)) return "";
  std::string interpreter;
  std::istringstream(line) >> interpreter;
  return interpreter;
}

// The path of the dynamic loader that the program names. Empty: it names none.
std::string LoaderOf(std::istream& file) {
  Elf64_Ehdr head;
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head) ||
      std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
      head.e_phentsize != sizeof(Elf64_Phdr))
    return "";
  for (uint16_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part;
    file.seekg(static_cast<std::streamoff>(head.e_phoff + i * sizeof part));
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return "";
    if (part.p_type != PT_INTERP) continue;
    std::string loader;
    file.seekg(static_cast<std::streamoff>(part.p_offset));
    return std::getline(file, loader, '\0') ? loader : "";
  }
  return "";
}

}  // namespace

std::string FindProgram(const std::string& command) {
  if (command.find('/') != std::string::npos) return command;
  const char* const path = getenv("PATH");
  std::istringstream folders(path == nullptr ? "/bin:/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + command;
    if (IsProgram(file)) return file;
  }
  return "";
}

bool IsForMusl(const std::string& command) {
  std::string program = FindProgram(command);
  for (int i = 0; i < kMostInterpreters; ++i) {
    std::ifstream file(program, std::ios::binary);
    const std::string interpreter = InterpreterOf(file);
    if (!interpreter.empty()) {
      program = interpreter;
      continue;
    }
    file.clear();
    file.seekg(0);
    const std::string loader = LoaderOf(file);
    return loader.substr(loader.rfind('/') + 1).starts_with("ld-musl");
  }
  return false;
}

std::string MuslSentence(const std::string& command) {
  return command +
         " is a program for musl: libraries of ROCm and of the tracer, which are for the GNU C "
         "library, cannot be loaded into it, so nothing of it is traced";
}

}  // namespace rtl::cli
