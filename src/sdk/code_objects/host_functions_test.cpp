// SPDX-License-Identifier: MIT
#include "sdk/code_objects/host_functions.h"

#include <gtest/gtest.h>
#include <string.h>

#include <string>
#include <vector>

namespace rtl::sdk {
namespace {

using Data = HostFunctions::Data;

class Names final : public HostFunctions::Watcher {
 public:
  void OnHostFunction(const char* kernel) override { heard.emplace_back(kernel); }
  std::vector<std::string> heard;
};

// The data that compiled code passes for one source file: two code objects in a bundle.
class File {
 public:
  static constexpr uint64_t kObjectAt = 4096, kObjectBytes = 1000;

  explicit File(const char* magic = "__CLANG_OFFLOAD_BUNDLE__") {
    memcpy(bundle_, magic, 24);
    char* at = bundle_ + 24;
    Put(&at, 2);
    for (uint64_t offset : {uint64_t{512}, kObjectAt}) {
      Put(&at, offset);
      Put(&at, offset == kObjectAt ? kObjectBytes : 0);
      Put(&at, 5);
      at += 5;  // its name
    }
  }
  const void* wrapper() const { return &wrapper_; }
  void** modules() { return modules_; }
  HostFunctions::LoadData object(uint64_t offset = kObjectAt) const {
    HostFunctions::LoadData data = {};
    data.storage_type = ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
    data.memory_base = reinterpret_cast<uint64_t>(bundle_) + offset;
    return data;
  }

 private:
  static void Put(char** at, uint64_t word) {
    memcpy(*at, &word, sizeof word);
    *at += sizeof word;
  }
  alignas(8) char bundle_[8192] = {};
  struct {
    uint32_t magic = 0x48495046, version = 1;
    const void* bundle;
    const void* unused;
  } wrapper_ = {0x48495046, 1, bundle_, nullptr};
  void* modules_[1] = {};
};

class HostFunctionsTest : public ::testing::Test {
 protected:
  void Add(File* file, uint64_t function, const char* kernel) {
    Data data = {};
    data.host_function.value = function;
    data.modules.value = reinterpret_cast<uint64_t>(file->modules());
    data.device_function = kernel;
    functions_.AddFunction(data);
  }
  // Zero: none.
  uint64_t Find(const char* kernel, const HostFunctions::LoadData& object) {
    Data data = {};
    return functions_.Find(kernel, strlen(kernel) - 3, object, &data) ? data.host_function.value
                                                                      : 0;
  }

  Names names_;
  HostFunctions& functions_ = Make(&names_);

 private:
  // Never freed: tools keep names.
  static HostFunctions& Make(Names* names) {
    static auto& all = *new std::vector<HostFunctions*>;
    return *all.emplace_back(new HostFunctions(names));
  }
};

TEST_F(HostFunctionsTest, FindsTheFunctionByTheKernelsNameAndFile) {
  File one, other;
  functions_.AddModule(one.modules(), one.wrapper());
  functions_.AddModule(other.modules(), other.wrapper());
  Add(&one, 11, "add");
  Add(&other, 21, "add");
  Add(&other, 22, "add2");
  EXPECT_EQ(names_.heard, (std::vector<std::string>{"add", "add", "add2"}));
  EXPECT_EQ(Find("add.kd", one.object()), 11u);
  EXPECT_EQ(Find("add.kd", other.object()), 21u);
  EXPECT_EQ(Find("add2.kd", other.object()), 22u);
  EXPECT_EQ(Find("add2.kd", one.object()), 0u);
  EXPECT_EQ(Find("ad.kd", one.object()), 0u);
  EXPECT_EQ(Find("add.kd", one.object(File::kObjectAt + File::kObjectBytes)), 0u)
      << "a kernel of the same name in another file is another kernel";
}

TEST_F(HostFunctionsTest, FindsTheFunctionByNameAloneInCompressedFiles) {
  File one("CCOB--------------------"), other("CCOB--------------------");
  functions_.AddModule(one.modules(), one.wrapper());
  functions_.AddModule(other.modules(), other.wrapper());
  Add(&one, 11, "add");
  EXPECT_EQ(Find("add.kd", {}), 11u);
  Add(&other, 11, "add");
  EXPECT_EQ(Find("add.kd", {}), 11u) << "a template, for example: one function for both";
  Add(&other, 21, "add");
  EXPECT_EQ(Find("add.kd", {}), 0u) << "it is ambiguous";
}

TEST_F(HostFunctionsTest, StoresANameOnceWhenALibraryIsReloaded) {
  File file;
  const char* kept = nullptr;
  for (int i = 0; i < 3; ++i) {
    functions_.AddModule(file.modules(), file.wrapper());
    Add(&file, 11, "add");
    Data data = {};
    ASSERT_TRUE(functions_.Find("add.kd", 3, file.object(), &data));
    if (kept == nullptr) kept = data.device_function;
    EXPECT_EQ(data.device_function, kept);
    functions_.RemoveModule(file.modules());
  }
  EXPECT_STREQ(kept, "add");
}

TEST_F(HostFunctionsTest, ForgetsUnregisteredFunctions) {
  File one, other;
  functions_.AddModule(one.modules(), one.wrapper());
  functions_.AddModule(other.modules(), other.wrapper());
  Add(&one, 11, "add");
  Add(&other, 21, "add");
  functions_.RemoveModule(one.modules());
  EXPECT_EQ(Find("add.kd", one.object()), 0u);
  EXPECT_EQ(Find("add.kd", other.object()), 21u);
}

// HIP's table, and the calls that reach HIP through it.
struct Told {
  std::vector<std::string> words;
  void* modules[1];
};
Told* told;
void** RegisterFatBinary(const void*) {
  told->words.emplace_back("file");
  return told->modules;
}
void RegisterFunction(void**, const void*, char*, const char* kernel, unsigned, void*, void*, void*,
                      void*, int*) {
  told->words.emplace_back(kernel);
}
void UnregisterFatBinary(void**) { told->words.emplace_back("gone"); }

TEST(HostFunctionsTable, NotesRegistrationsAndPassesThemToHip) {
  static Names names;
  static HostFunctions functions{&names};  // never freed: the table's functions keep it
  Told was;
  told = &was;
  const auto other = reinterpret_cast<void*>(&UnregisterFatBinary);
  void* table[10] = {reinterpret_cast<void*>(sizeof table),
                     other,
                     other,
                     reinterpret_cast<void*>(&RegisterFatBinary),
                     reinterpret_cast<void*>(&RegisterFunction),
                     other,
                     other,
                     other,
                     other,
                     reinterpret_cast<void*>(&UnregisterFatBinary)};
  ASSERT_TRUE(functions.Take(table).ok());
  EXPECT_EQ(table[1], other);
  EXPECT_EQ(table[5], other);
  EXPECT_TRUE(functions.Take(table).ok());
  void* second[10] = {};
  memcpy(second, table, sizeof second);
  EXPECT_FALSE(functions.Take(second).ok()) << "the first table keeps the wrappers";
  const File file;
  const uint32_t ids[] = {1, 2, 3};
  const int size = 64;
  void** const modules = reinterpret_cast<decltype(&RegisterFatBinary)>(table[3])(file.wrapper());
  EXPECT_EQ(modules, was.modules);
  using Register = void (*)(void**, const void*, char*, const char*, unsigned, const void*,
                            const void*, const void*, const void*, const int*);
  reinterpret_cast<Register>(table[4])(modules, &size, nullptr, "add", 256, ids, nullptr, nullptr,
                                       nullptr, &size);
  Data data = {};
  ASSERT_TRUE(functions.Find("add.kd", 3, file.object(), &data));
  EXPECT_EQ(data.size, sizeof data);
  EXPECT_EQ(data.host_function.value, reinterpret_cast<uint64_t>(&size));
  EXPECT_EQ(data.modules.value, reinterpret_cast<uint64_t>(modules));
  EXPECT_STREQ(data.device_function, "add");
  EXPECT_EQ(data.thread_limit, 256u);
  EXPECT_EQ(data.thread_ids.z, 3u);
  EXPECT_EQ(data.grid_dims.x, 0u);
  EXPECT_EQ(data.workgroup_size, 64u);
  reinterpret_cast<void (*)(void**)>(table[9])(modules);
  EXPECT_FALSE(functions.Find("add.kd", 3, file.object(), &data));
  EXPECT_EQ(was.words, (std::vector<std::string>{"file", "add", "gone"}));
  EXPECT_EQ(names.heard, (std::vector<std::string>{"add"}));
}

TEST(HostFunctionsTable, LeavesATableOfAnotherSizeUnchanged) {
  Names names;
  HostFunctions functions(&names);
  void* table[4] = {reinterpret_cast<void*>(sizeof table)};
  EXPECT_FALSE(functions.Take(table).ok());
  EXPECT_EQ(table[3], nullptr);
}

}  // namespace
}  // namespace rtl::sdk
