// SPDX-License-Identifier: MIT
#include "symbols/code_file.h"

#include <gtest/gtest.h>
#include <link.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "symbols/code_place.h"

namespace rtl::symbols {

// The linker and the debug information of this very program know this function.
[[gnu::noinline]] int FunctionWithAName(int value) { return value * 3 + 1; }
constexpr uint32_t kLine = __LINE__ - 1;

namespace {

std::string OwnFile() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The address that the linker gave it.
uint64_t AddressInFile() {
  uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        *static_cast<uint64_t*>(data) = info->dlpi_addr;
        return 1;  // the program is the first
      },
      &base);
  return reinterpret_cast<uint64_t>(&FunctionWithAName) - base;
}

TEST(CodeFileTest, FindsFunctionAndLine) {
  std::unique_ptr<CodeFile> file;
  ASSERT_TRUE(CodeFile::Open(OwnFile(), &file).ok());
  EXPECT_NE(FunctionWithAName(1), 0);
  EXPECT_NE(file->SymbolAt(AddressInFile()).find("FunctionWithAName"), std::string::npos);
  const std::vector<SourceFrame> frames = file->FramesAt(AddressInFile());
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(std::filesystem::path(frames[0].file).filename(), "code_file_test.cpp");
  EXPECT_EQ(frames[0].line, kLine);
  EXPECT_EQ(frames[0].function, "FunctionWithAName");
}

TEST(CodeFileTest, AnAddressOutsideHasNothing) {
  std::unique_ptr<CodeFile> file;
  ASSERT_TRUE(CodeFile::Open(OwnFile(), &file).ok());
  EXPECT_EQ(file->SymbolAt(~uint64_t{0}), "");
  EXPECT_TRUE(file->FramesAt(~uint64_t{0}).empty());
  EXPECT_TRUE(file->CodeAt(~uint64_t{0}, 8).empty());
  EXPECT_EQ(file->CodeAt(AddressInFile(), 4).size(), 4u);
}

TEST(CodeFileTest, RefusesBytesThatAreNoElfFile) {
  std::unique_ptr<CodeFile> file;
  EXPECT_FALSE(CodeFile::Open("no ELF file", &file).ok());
  EXPECT_FALSE(CodeFile::Open("", &file).ok());
}

// Headers with wrong sizes and offsets must not be trusted.
TEST(CodeFileTest, ReadsDamagedFilesWithoutHarm) {
  const std::string whole = OwnFile();
  for (size_t cut : {size_t{64}, size_t{200}, whole.size() / 2}) {
    std::unique_ptr<CodeFile> file;
    if (CodeFile::Open(whole.substr(0, cut), &file).ok()) (void)file->FramesAt(AddressInFile());
  }
  std::string damaged = whole;
  for (size_t at = 0; at < damaged.size(); at += 97) damaged[at] = static_cast<char>(at * 31);
  damaged.replace(0, 20, whole, 0, 20);
  std::unique_ptr<CodeFile> file;
  if (CodeFile::Open(damaged, &file).ok()) (void)file->SymbolAt(AddressInFile());
}

TEST(CodePlacesTest, ReportsEachMissingThingOnce) {
  CodePlaces places([](int64_t content, std::string* bytes) {
    if (content == 2) *bytes = "no ELF file";
    return Status::Ok();
  });
  const CodePlace* place = nullptr;
  for (const uint64_t address : {0u, 4u, 8u}) {
    ASSERT_TRUE(places.At(1, address, &place).ok());
    EXPECT_EQ(place->instruction, "");
    EXPECT_EQ(place->Location(), "");
    ASSERT_TRUE(places.At(2, address, &place).ok());
  }
  ASSERT_EQ(places.problems().size(), 2u);
  EXPECT_EQ(places.problems()[1], "a code object is not an ELF file");
}

}  // namespace
}  // namespace rtl::symbols
