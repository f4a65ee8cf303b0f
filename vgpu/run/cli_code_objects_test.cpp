// SPDX-License-Identifier: MIT
#include "vgpu/run/cli_code_objects.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zstd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "vgpu/run/cli_check.h"

namespace vgpu {
namespace {

using Buffer = std::vector<uint8_t>;

constexpr uint32_t kGfx906 = 0x2f;
constexpr uint32_t kGfx90a = 0x3f;
constexpr uint32_t kGfx942 = 0x4c;
constexpr uint32_t kGfx1030 = 0x36;
constexpr uint32_t kEnd = 0xbf810000;             // s_endpgm
constexpr uint32_t kAddSrc2[] = {0xd9000000, 0};  // ds_add_src2_u32 v0; gfx906 only, not modelled
constexpr uint64_t kTextAddress = 0x1000;

template <class T>
void Append(Buffer* to, const T& value) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  to->insert(to->end(), bytes, bytes + sizeof value);
}
void Append(Buffer* to, const std::string& text) {
  to->insert(to->end(), text.begin(), text.end());
}
void Append(Buffer* to, const Buffer& bytes) { to->insert(to->end(), bytes.begin(), bytes.end()); }

struct Section {
  const char* name;
  Elf64_Word type;
  Elf64_Xword flags;
  Elf64_Word link;
  Buffer content;
};

// Header, contents, section headers.
Buffer Elf(uint16_t machine, uint32_t flags, std::vector<Section> sections) {
  sections.insert(sections.begin(), Section{"", SHT_NULL, 0, 0, {}});
  sections.push_back({".shstrtab", SHT_STRTAB, 0, 0, {}});
  std::string names(1, '\0');
  std::vector<Elf64_Shdr> headers;
  for (const Section& section : sections) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<Elf64_Word>(names.size());
    header.sh_type = section.type;
    header.sh_flags = section.flags;
    header.sh_link = section.link;
    header.sh_addr = (section.flags & SHF_EXECINSTR) != 0 ? kTextAddress : 0;
    names += section.name + std::string(1, '\0');
    headers.push_back(header);
  }
  sections.back().content.assign(names.begin(), names.end());
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_machine = machine;
  header.e_flags = flags;
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  header.e_shstrndx = static_cast<Elf64_Half>(sections.size() - 1);
  Buffer file(sizeof header);
  for (size_t i = 0; i < sections.size(); ++i) {
    headers[i].sh_offset = file.size();
    headers[i].sh_size = sections[i].content.size();
    Append(&file, sections[i].content);
  }
  header.e_shoff = file.size();
  for (const Elf64_Shdr& section : headers) Append(&file, section);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

// Two functions: "first" is one instruction and has no size, "second" the words given.
Buffer CodeObjectFile(uint32_t mach, const std::vector<uint32_t>& words = {kEnd}) {
  Buffer text, symbols, strings;
  Append(&text, kEnd);
  for (const uint32_t word : words) Append(&text, word);
  Append(&strings, std::string("\0first\0second\0", 14));
  for (const uint64_t offset : {uint64_t{0}, uint64_t{4}}) {
    Elf64_Sym symbol{};
    symbol.st_name = offset == 0 ? 1 : 7;
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = 1;
    symbol.st_value = kTextAddress + offset;
    symbol.st_size = offset == 0 ? 0 : words.size() * 4;
    Append(&symbols, symbol);
  }
  return Elf(224, 0x500 | mach,
             {{".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0, text},
              {".symtab", SHT_SYMTAB, 0, 3, symbols},
              {".strtab", SHT_STRTAB, 0, 0, strings}});
}

Buffer Bundle(const std::vector<Buffer>& objects) {
  const std::string id = "hipv4-amdgcn-amd-amdhsa--gfx";
  Buffer bundle;
  Append(&bundle, std::string("__CLANG_OFFLOAD_BUNDLE__"));
  Append(&bundle, uint64_t{objects.size()});
  uint64_t offset = bundle.size() + objects.size() * (24 + id.size());
  for (const Buffer& object : objects) {
    for (const uint64_t field : {offset, uint64_t{object.size()}, uint64_t{id.size()}}) {
      Append(&bundle, field);
    }
    Append(&bundle, id);
    offset += object.size();
  }
  for (const Buffer& object : objects) Append(&bundle, object);
  return bundle;
}

Buffer Compressed(uint16_t version, const Buffer& bundle) {
  Buffer packed(ZSTD_compressBound(bundle.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bundle.data(), bundle.size(), 1));
  Buffer out;
  Append(&out, std::string("CCOB"));
  Append(&out, version);
  Append(&out, uint16_t{1});
  // Size of the file from version 2 on, size of the bundle, hash.
  if (version == 1) Append(&out, static_cast<uint32_t>(bundle.size()));
  if (version == 2) Append(&out, uint64_t{bundle.size()} << 32 | (packed.size() + 24));
  if (version == 3) {
    Append(&out, uint64_t{packed.size() + 32});
    Append(&out, uint64_t{bundle.size()});
  }
  Append(&out, uint64_t{0x1234});
  Append(&out, packed);
  return out;
}

// The targets, in order, with their functions: "gfx906 first second".
std::vector<std::string> Found(const Buffer& file) {
  CodeObjects objects;
  std::string why;
  EXPECT_TRUE(objects.Read(file, &why)) << why;
  std::vector<std::string> found;
  for (const CodeObject& object : objects.list()) {
    found.push_back(object.target);
    for (const CodePart& part : object.parts) found.back() += " " + part.name;
  }
  return found;
}

using Names = std::vector<std::string>;

TEST(CodeObjects, FindsTheFunctionsOfACodeObject) {
  EXPECT_EQ(Found(CodeObjectFile(kGfx906)), Names{"gfx906 first second"});
  EXPECT_EQ(Found(CodeObjectFile(0x77)), Names{"machine 0x77 first second"});
}

TEST(CodeObjects, FindsTheCodeObjectsOfABundle) {
  const Names both = {"gfx906 first second", "gfx90a first second"};
  const Buffer bundle = Bundle({{}, CodeObjectFile(kGfx906), CodeObjectFile(kGfx90a)});
  EXPECT_EQ(Found(bundle), both);
  for (const uint16_t version : {1, 2, 3}) EXPECT_EQ(Found(Compressed(version, bundle)), both);
}

TEST(CodeObjects, FindsTheBundlesOfAProgramBehindEachOther) {
  Buffer bundles = Bundle({CodeObjectFile(kGfx906)});
  bundles.resize(4096);
  Append(&bundles, Compressed(2, Bundle({CodeObjectFile(kGfx1030)})));
  const Buffer program = Elf(EM_X86_64, 0, {{".hip_fatbin", SHT_PROGBITS, SHF_ALLOC, 0, bundles}});
  EXPECT_EQ(Found(program), (Names{"gfx906 first second", "gfx1030 first second"}));
}

TEST(CodeObjects, SaysWhyThereAreNone) {
  const auto reason = [](const Buffer& file) {
    CodeObjects objects;
    std::string why;
    EXPECT_FALSE(objects.Read(file, &why));
    return why;
  };
  EXPECT_EQ(reason({1, 2, 3}), "it is neither an ELF file nor a bundle of code objects");
  EXPECT_EQ(reason(Elf(EM_X86_64, 0, {})), "it contains no code object");
  EXPECT_EQ(reason(Elf(224, kGfx906, {})), "a code object for gfx906 has no code section");
  Buffer newer = Compressed(3, Bundle({}));
  newer[4] = 9;
  EXPECT_EQ(reason(newer),
            "a compressed bundle is of version 9, method 1; zstd in versions 1 to 3 can be read");
}

// Reads nothing behind the end, which the sanitizers check. A cut file is refused or has fewer
// objects.
TEST(CodeObjects, ReadsFilesThatAreCutOffOrDamaged) {
  const Buffer bundle = Bundle({CodeObjectFile(kGfx906), CodeObjectFile(kGfx90a)});
  for (const Buffer& whole : {bundle, Compressed(2, bundle), CodeObjectFile(kGfx906)}) {
    for (size_t length = 0; length < whole.size(); ++length) {
      const Buffer cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(length));
      CodeObjects objects;
      std::string why;
      EXPECT_FALSE(objects.Read(cut, &why)) << length;
      EXPECT_NE(why, "");
    }
    for (size_t i = 0; i < whole.size(); ++i) {
      Buffer damaged = whole;
      damaged[i] ^= 0xff;
      CodeObjects objects;
      std::string why;
      (void)objects.Read(damaged, &why);
    }
  }
}

class Check : public ::testing::Test {
 protected:
  ~Check() override { std::remove(path_.c_str()); }
  CheckResult Run(const Buffer& file) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()),
               static_cast<std::streamsize>(file.size()));
    return CheckFile(path_);
  }

 private:
  const std::string path_ = ::testing::TempDir() + "vgpu-check-" + std::to_string(getpid());
};

TEST_F(Check, SaysThatAllIsModelled) {
  const CheckResult result = Run(Bundle({CodeObjectFile(kGfx906), CodeObjectFile(kGfx1030)}));
  EXPECT_TRUE(result.can_run);
  EXPECT_EQ(result.text,
            "gfx1030: 1 code object, 2 functions: this GPU is not modelled\n"
            "gfx906: 1 code object, 2 functions: 2 instructions, all modelled\n");
}

TEST_F(Check, NamesWhatIsNotModelledAndWhere) {
  const CheckResult result =
      Run(CodeObjectFile(kGfx906, {kAddSrc2[0], kAddSrc2[1], kAddSrc2[0], kAddSrc2[1], kEnd}));
  EXPECT_TRUE(result.read);
  EXPECT_FALSE(result.can_run);
  EXPECT_EQ(result.text,
            "gfx906: 1 code object, 2 functions: 4 instructions, 2 not modelled\n"
            "  2 in 1 function  ds_add_src2_u32: not implemented  (second)\n");
}

TEST_F(Check, DecodesForTheTargetOfTheCode) {
  const uint32_t packed[] = {0xd3b1000a, 0x18020902};  // v_pk_mul_f32
  EXPECT_TRUE(Run(CodeObjectFile(kGfx90a, {packed[0], packed[1], kEnd})).can_run);
  EXPECT_FALSE(Run(CodeObjectFile(kGfx906, {packed[0], packed[1], kEnd})).can_run);
  constexpr uint32_t kMove = 0x7e147102;  // v_mov_b64
  EXPECT_TRUE(Run(CodeObjectFile(kGfx942, {kMove, kEnd})).can_run);
  EXPECT_FALSE(Run(CodeObjectFile(kGfx90a, {kMove, kEnd})).can_run);
  EXPECT_FALSE(Run(CodeObjectFile(kGfx1030)).can_run);
}

}  // namespace
}  // namespace vgpu
