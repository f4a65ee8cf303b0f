// SPDX-License-Identifier: MIT
// Implements wave_test_support.h, and checks that every implemented opcode was tested.
#include <elf.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include "vgpu/mem/address_space.h"
#include "vgpu/wave/decode.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/interpreter.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu {
namespace {

constexpr uint64_t kCodeVa = 0x7d0000000000;
constexpr size_t kCodeBytes = 1 << 20;
constexpr uint32_t kBudget = 100;

// --- the snippets: labels of the assembled objects

struct Snippets {
  std::vector<uint8_t> code;
  std::map<std::string, uint64_t> labels;  // to GPU addresses
};

std::vector<uint8_t> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <class T>
const T* At(const std::vector<uint8_t>& object, uint64_t offset) {
  return reinterpret_cast<const T*>(object.data() + offset);
}

// Appends the .text of an object and registers the labels in it.
void LoadObject(const std::string& path, Snippets* snippets) {
  const std::vector<uint8_t> object = ReadFile(path);
  ASSERT_GT(object.size(), sizeof(Elf64_Ehdr)) << path;
  const auto* header = At<Elf64_Ehdr>(object, 0);
  const auto* sections = At<Elf64_Shdr>(object, header->e_shoff);
  const char* names = At<char>(object, sections[header->e_shstrndx].sh_offset);
  const uint64_t base = kCodeVa + snippets->code.size();
  int text = -1;
  for (int i = 0; i < header->e_shnum; ++i) {
    if (std::strcmp(names + sections[i].sh_name, ".text") == 0) text = i;
    ASSERT_NE(sections[i].sh_type, uint32_t{SHT_RELA}) << path << ": an unresolved reference";
  }
  ASSERT_GE(text, 0) << path;
  const uint8_t* begin = At<uint8_t>(object, sections[text].sh_offset);
  snippets->code.insert(snippets->code.end(), begin, begin + sections[text].sh_size);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const char* strings = At<char>(object, sections[sections[i].sh_link].sh_offset);
    const auto* symbols = At<Elf64_Sym>(object, sections[i].sh_offset);
    for (size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); ++s) {
      if (symbols[s].st_shndx != text || symbols[s].st_name == 0) continue;
      const char* label = strings + symbols[s].st_name;
      const bool fresh = snippets->labels.emplace(label, base + symbols[s].st_value).second;
      ASSERT_TRUE(fresh) << "label " << label << " occurs twice";
    }
  }
}

Snippets* LoadSnippets() {
  auto* snippets = new Snippets;
  std::istringstream paths(VGPU_SNIPPETS);
  std::string path;
  while (std::getline(paths, path, ':')) LoadObject(path, snippets);
  EXPECT_LE(snippets->code.size(), kCodeBytes);
  snippets->code.resize(kCodeBytes);
  EXPECT_TRUE(MapRange(0, kCodeVa, kCodeBytes, snippets->code.data()));
  return snippets;
}

Snippets& GetSnippets() {
  static Snippets* snippets = LoadSnippets();
  return *snippets;
}

// --- the opcodes that were tested

using OpcodeKey = std::tuple<Format, Segment, uint16_t>;

std::set<OpcodeKey>& TestedOpcodes() {
  static auto* tested = new std::set<OpcodeKey>;
  return *tested;
}

Instruction DecodeAt(const Snippets& snippets, uint64_t va) {
  uint32_t words[2];
  std::memcpy(words, snippets.code.data() + (va - kCodeVa), sizeof words);
  return Decode(words[0], words[1]);
}

class EveryOpcodeWasTested : public testing::Environment {
 public:
  void TearDown() override {
    const testing::UnitTest* program = testing::UnitTest::GetInstance();
    if (program->test_to_run_count() != program->total_test_count()) return;
    CheckFormats();
    {
      const ScopedIsa isa(0x90a);
      CheckFormats();
    }
    const ScopedIsa isa(0x942);
    CheckFormats();
  }

 private:
  static void CheckFormats() {
    for (size_t format = 0; format < static_cast<size_t>(Format::kUnknown); ++format) {
      CheckFormat(static_cast<Format>(format));
    }
  }

  static void CheckFormat(Format format) {
    CheckSegment(format, Segment::kFlat);
    if (format != Format::kFlat) return;
    CheckSegment(format, Segment::kScratch);
    CheckSegment(format, Segment::kGlobal);
  }

  static void CheckSegment(Format format, Segment segment) {
    for (uint16_t opcode = 0; opcode < 1024; ++opcode) {
      if (FindHandler(format, segment, opcode) == nullptr) continue;
      EXPECT_EQ(TestedOpcodes().count({format, segment, opcode}), 1u)
          << OpcodeName(format, opcode) << " (segment " << static_cast<int>(segment)
          << ") is implemented but has no test";
    }
  }
};

#ifndef VGPU_SOME_INSTRUCTIONS  // a build whose tests do not cover single instructions
[[maybe_unused]] const testing::Environment* const g_coverage =
    testing::AddGlobalTestEnvironment(new EveryOpcodeWasTested);
#endif

bool IgnoresExec(InstructionClass counted_as) {
  return counted_as == InstructionClass::kScalar || counted_as == InstructionClass::kScalarMemory;
}

// A value that differs between neighbouring addresses.
uint32_t Pattern(uint32_t place) { return place * 0x9e3779b1u + 0x7f4a7c15u; }

// The initial state of every machine.
struct InitialState {
  Wave wave;
  std::vector<uint8_t> lds;
  std::vector<uint8_t> memory;

  InitialState() {
    for (int number = 0; number < kVectorRegisters; ++number) {
      for (int lane = 0; lane < kLanes; ++lane) {
        wave.vgpr[number][lane] = Pattern(static_cast<uint32_t>(number * kLanes + lane));
      }
    }
    for (uint32_t code = 0; code < kSgprSlots; ++code) wave.sgpr[code] = Pattern(0x8000 + code);
    for (uint32_t i = 0; i < TestMachine::kLdsBytes; ++i) {
      lds.push_back(static_cast<uint8_t>(Pattern(i) >> 13));
    }
    for (uint32_t i = 0; i < TestMachine::kMemoryBytes; ++i) {
      memory.push_back(static_cast<uint8_t>(Pattern(i) >> 17));
    }
  }
};

const InitialState& GetInitialState() {
  static const auto* state = new InitialState;
  return *state;
}

Interpreter& GetInterpreter() {
  static auto* interpreter = new Interpreter;
  return *interpreter;
}

}  // namespace

uint8_t* TestMachine::Memory() {
  static uint8_t* memory = [] {
    auto* bytes = new uint8_t[kMemoryBytes];
    EXPECT_TRUE(MapRange(0, kMemoryVa, kMemoryBytes, bytes));
    return bytes;
  }();
  return memory;
}

namespace {

// All of a wave but the last member, copied at once: its own assignment copies register by
// register, which takes most of a test's time under a sanitizer.
void Copy(const Wave& from, Wave* to) {
  constexpr size_t kPlain = offsetof(Wave, fault);
  static_assert(sizeof(Wave) - kPlain < sizeof(Fault) + alignof(Wave), "the fault is the last");
  std::memcpy(static_cast<void*>(to), static_cast<const void*>(&from), kPlain);
  to->fault = from.fault;
}

}  // namespace

TestMachine::TestMachine() : wave_(new Wave), before_(new Wave) {}

void TestMachine::Reset(uint64_t exec) {
  const InitialState& initial = GetInitialState();
  Copy(initial.wave, wave_.get());
  lds_ = initial.lds;
  std::memcpy(Memory(), initial.memory.data(), kMemoryBytes);
  SetExec(exec);
  lds_read_.assign(kLdsBytes, 0);
  memory_read_.assign(kMemoryBytes, 0);
  std::fill(std::begin(vgpr_read_), std::end(vgpr_read_), 0);
  std::fill(std::begin(sgpr_read_), std::end(sgpr_read_), false);
  scc_read_ = false;
  mode_read_ = false;
  pc_read_ = false;
  fault_read_ = false;
  disabled_lanes_may_change_ = false;
}

void TestMachine::SetAllLanes(uint32_t number, uint32_t value) {
  for (int lane = 0; lane < kLanes; ++lane) SetVgpr(number, lane, value);
}

uint32_t TestMachine::Sgpr(uint32_t code) {
  sgpr_read_[code] = true;
  return wave_->sgpr[code];
}

uint64_t TestMachine::Sgpr64(uint32_t code) {
  sgpr_read_[code] = true;
  sgpr_read_[code + 1] = true;
  return wave_->Sgpr64(code);
}

uint32_t TestMachine::Vgpr(uint32_t number, int lane) {
  vgpr_read_[number] |= uint64_t{1} << lane;
  return wave_->vgpr[number][lane];
}

uint64_t TestMachine::Vgpr64(uint32_t number, int lane) {
  return Vgpr(number, lane) | static_cast<uint64_t>(Vgpr(vgpu::RegisterAfter(number, 1), lane))
                                  << 32;
}

bool TestMachine::Scc() {
  scc_read_ = true;
  return wave_->scc;
}

uint32_t TestMachine::Mode() {
  mode_read_ = true;
  return wave_->mode;
}

int64_t TestMachine::PcDelta() {
  pc_read_ = true;
  return static_cast<int64_t>(wave_->pc - next_pc_);
}

const Fault& TestMachine::fault() {
  fault_read_ = true;
  return wave_->fault;
}

void TestMachine::Start(uint64_t pc) {
  const Snippets& snippets = GetSnippets();
  wave_->pc = pc;
  next_pc_ = pc + DecodeAt(snippets, pc).dwords * sizeof(uint32_t);
  Copy(*wave_, before_.get());
  lds_before_ = lds_;
  memory_before_.assign(Memory(), Memory() + kMemoryBytes);
}

void TestMachine::Run() {
  ExecutionContext context;
  context.gpu = 0;
  context.lds = lds_.data();
  context.lds_bytes = kLdsBytes;
  executed_ = GetInterpreter().Run(*wave_, context, kBudget);
}

void TestMachine::ExpectVgprsUnchanged() const {
  const uint64_t writable = disabled_lanes_may_change_ ? ~uint64_t{0} : before_->exec();
  for (int number = 0; number < kVectorRegisters; ++number) {
    const uint32_t* now = wave_->vgpr[number];
    const uint32_t* then = before_->vgpr[number];
    if (std::memcmp(now, then, sizeof wave_->vgpr[number]) == 0) continue;
    for (int lane = 0; lane < kLanes; ++lane) {
      const bool may_change = vgpr_read_[number] & writable & uint64_t{1} << lane;
      if (may_change || now[lane] == then[lane]) continue;
      ADD_FAILURE() << "v" << number << " changed in " << (Active(lane) ? "" : "disabled ")
                    << "lane " << lane;
      return;
    }
  }
}

void TestMachine::ExpectScalarsUnchanged() const {
  for (uint32_t code = 0; code < kSgprSlots; ++code) {
    if (sgpr_read_[code] || wave_->sgpr[code] == before_->sgpr[code]) continue;
    ADD_FAILURE() << "SGPR code " << code << " changed";
  }
  EXPECT_TRUE(scc_read_ || wave_->scc == before_->scc) << "SCC changed";
  EXPECT_TRUE(mode_read_ || wave_->mode == before_->mode) << "MODE changed";
  if (fault_read_) return;
  EXPECT_EQ(wave_->fault.code, Fault::Code::kNone) << wave_->fault.message;
  EXPECT_TRUE(pc_read_ || wave_->done) << "did not reach s_endpgm";
}

namespace {

void ExpectBytesUnchanged(const char* what, const uint8_t* now, const std::vector<uint8_t>& before,
                          const std::vector<uint8_t>& read) {
  if (std::memcmp(now, before.data(), before.size()) == 0) return;
  for (size_t i = 0; i < before.size(); ++i) {
    if (read[i] != 0 || now[i] == before[i]) continue;
    ADD_FAILURE() << what << " changed at offset " << i;
    return;
  }
}

}  // namespace

void TestMachine::ExpectMemoryUnchanged() const {
  ExpectBytesUnchanged("memory", Memory(), memory_before_, memory_read_);
  ExpectBytesUnchanged("LDS", lds_.data(), lds_before_, lds_read_);
}

void TestMachine::ExpectRestUnchanged() const {
  ExpectVgprsUnchanged();
  ExpectScalarsUnchanged();
  ExpectMemoryUnchanged();
}

uint64_t SnippetAddress(const char* label) {
  const Snippets& snippets = GetSnippets();
  const auto found = snippets.labels.find(label);
  EXPECT_NE(found, snippets.labels.end()) << "no snippet " << label;
  return found != snippets.labels.end() ? found->second : 0;
}

uint8_t* SnippetCode(const char* label) {
  return GetSnippets().code.data() + (SnippetAddress(label) - kCodeVa);
}

void RunSnippet(const char* label, const std::function<void(TestMachine&)>& setup,
                const std::function<void(TestMachine&)>& check) {
  SCOPED_TRACE(label);
  const Snippets& snippets = GetSnippets();
  const auto found = snippets.labels.find(label);
  ASSERT_NE(found, snippets.labels.end()) << "no snippet of that name";
  const Instruction subject = DecodeAt(snippets, found->second);
  TestedOpcodes().insert({subject.format, subject.segment, subject.opcode});
  static auto* reused = new TestMachine;
  TestMachine& machine = *reused;
  for (const uint64_t exec : {kPartialExec, ~uint64_t{0}}) {
    SCOPED_TRACE(exec == kPartialExec ? "some lanes disabled" : "all lanes enabled");
    if (exec != kPartialExec && IgnoresExec(subject.counted_as)) break;
    machine.Reset(exec);
    setup(machine);
    machine.Start(found->second);
    machine.Run();
    check(machine);
    machine.ExpectRestUnchanged();
  }
}

}  // namespace vgpu
