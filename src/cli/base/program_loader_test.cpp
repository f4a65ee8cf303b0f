// SPDX-License-Identifier: MIT
#include "cli/base/program_loader.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "tests/support/temp_dir.h"

namespace rtl::cli {
namespace {

void WriteProgram(const std::string& path, const std::string& loader) {
  Elf64_Ehdr head = {};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_phoff = sizeof head;
  head.e_phentsize = sizeof(Elf64_Phdr);
  head.e_phnum = 1;
  Elf64_Phdr part = {};
  part.p_type = PT_INTERP;
  part.p_offset = sizeof head + sizeof part;
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&head), sizeof head);
  file.write(reinterpret_cast<const char*>(&part), sizeof part);
  file << loader << '\0';
}

TEST(ProgramLoader, KnowsProgramsForMuslAndTheirScripts) {
  test::TempDir dir;
  const std::string musl = dir.File("musl"), gnu = dir.File("gnu");
  WriteProgram(musl, "/lib/ld-musl-x86_64.so.1");
  WriteProgram(gnu, "/lib64/ld-linux-x86-64.so.2");
  std::ofstream(dir.File("script")) << "#! " << musl << " -e\necho\n";
  std::ofstream(dir.File("loop")) << "#!" << dir.File("loop") << "\n";
  std::ofstream(dir.File("short")) << "\177ELF";
  EXPECT_TRUE(IsForMusl(musl));
  EXPECT_TRUE(IsForMusl(dir.File("script")));
  EXPECT_FALSE(IsForMusl(gnu));
  EXPECT_FALSE(IsForMusl("sh"));
  for (const char* name : {"loop", "short", "missing"}) EXPECT_FALSE(IsForMusl(dir.File(name)));
}

}  // namespace
}  // namespace rtl::cli
