// SPDX-License-Identifier: MIT
// Runs random programs interpreted and translated, and compares all the state that they leave.
//
// VGPU_TRANSLATION_PROGRAMS sets the number of programs, VGPU_TRANSLATION_SEED the first seed.
#include "vgpu/wave/translation.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "vgpu/mem/address_space.h"
#include "vgpu/wave/decode.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/interpreter.h"
#include "vgpu/wave/isa.h"

namespace vgpu {
namespace {

constexpr uint64_t kProgramVa = 0x7c0000000000;
constexpr uint64_t kDataVa = 0x7c8000000000;
constexpr size_t kProgramBytes = 16 * 1024;
constexpr size_t kDataBytes = 64 * 1024;
constexpr uint32_t kLds = 8192;
constexpr uint32_t kEndProgram = 0xbf810000;

// Registers that random instructions read and write; those from kReserved on hold addresses.
constexpr uint32_t kVgprsInUse = 24;
constexpr uint32_t kSgprsInUse = 20;
constexpr uint32_t kAddressSgpr = 80;  // of the data; 84 to 87: a buffer of it
constexpr uint32_t kLoopSgpr = 90;
constexpr uint32_t kOffsetVgpr = 200;   // small multiples of four
constexpr uint32_t kAddressVgpr = 202;  // with 203: addresses in the data

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(engine_() % bound); }
  bool OneIn(uint32_t n) { return Below(n) == 0; }
  uint32_t Word() { return static_cast<uint32_t>(engine_()); }

 private:
  std::mt19937_64 engine_;
};

// ---- Random programs

uint32_t SomeVgpr(Random& random) { return random.Below(kVgprsInUse); }

uint32_t SomeScalarSource(Random& random) {
  switch (random.Below(8)) {
    case 0:
      return kOperandVcc + random.Below(2);
    case 1:
      return kOperandInlineFirst + random.Below(81);
    case 2:
      return kOperandFloatFirst + random.Below(9);
    case 3:
      return random.OneIn(3) ? kOperandExec + random.Below(2) : kOperandM0;
    case 4:
      return random.OneIn(2) ? kOperandScc : kOperandVccz;
    default:
      return random.Below(kSgprsInUse);
  }
}

uint32_t SomeScalarResult(Random& random) {
  if (random.OneIn(6)) return kOperandVcc + random.Below(2);
  if (random.OneIn(40)) return kOperandExec;
  return random.Below(kSgprsInUse);
}

uint32_t SomeSource(Random& random) {
  return random.OneIn(3) ? SomeScalarSource(random) : kOperandVgprFirst + SomeVgpr(random);
}

using Code = std::vector<uint32_t>;

Code Vop2(Random& random, uint32_t opcode, uint32_t result) {
  const uint32_t head = opcode << 25 | result << 17 | SomeVgpr(random) << 9;
  switch (random.Below(12)) {
    case 0:  // a row's DPP
      return {head | kOperandDpp,
              0xff000000 | random.Below(0x130) << 8 | SomeVgpr(random) | random.Below(2) << 19};
    case 1:  // any DPP
      return {head | kOperandDpp, (random.Word() & 0xfff8ff00) | SomeVgpr(random)};
    case 2:
      return {head | kOperandSdwa, (random.Word() & 0x3f3f3f00) | SomeVgpr(random)};
    case 3:
      return {head | kOperandLiteral, random.Word()};
    default:
      return {head | SomeSource(random), random.Word()};
  }
}

Code Vop3(Random& random, uint32_t opcode) {
  uint32_t first = 0x34u << 26 | opcode << 16;
  const bool to_scalar = opcode < 0x100;
  first |= to_scalar ? SomeScalarResult(random) & ~1u : SomeVgpr(random);
  if (random.OneIn(3)) first |= random.Below(64) << 8;
  if (random.OneIn(8)) first |= 1u << 15;
  uint32_t second = SomeSource(random) | SomeSource(random) << 9;
  const uint32_t third = random.OneIn(4) ? random.Below(kSgprsInUse / 2) * 2 : SomeSource(random);
  second |= third << 18;
  if (random.OneIn(3)) second |= random.Below(8) << 29;
  if (random.OneIn(8)) second |= random.Below(4) << 27;
  return {first, second};
}

// Opcodes that are translated come more often than the others.
uint32_t SomeVop3Opcode(Random& random) {
  static constexpr uint32_t kOften[] = {
      isa::V_v_fma_f32,      isa::V_v_mad_f32,     isa::V_v_cndmask_b32, isa::V_v_add3_u32,
      isa::V_v_lshl_add_u32, isa::V_v_mad_u64_u32, isa::V_v_mul_lo_u32,  isa::V_v_addc_co_u32,
      isa::V_v_add_co_u32,   isa::V_v_lshlrev_b64, isa::V_v_fma_f64,     isa::V_v_bfe_u32,
      isa::V_v_med3_f32,     isa::V_v_cmp_lt_f32,  isa::V_v_cmp_gt_u32,  isa::V_v_cmp_eq_u64,
      isa::V_v_max_f32,      isa::V_v_mad_u32_u24, isa::V_v_subb_co_u32, isa::V_v_mul_hi_u32};
  if (random.OneIn(2)) return kOften[random.Below(std::size(kOften))];
  return random.Below(0x380);
}

Code VectorInstruction(Random& random) {
  switch (random.Below(8)) {
    case 0:
      return Vop2(random, 0x3e, random.Below(256));
    case 1: {
      Code code = Vop2(random, 0x3f, SomeVgpr(random));
      code[0] = (code[0] & ~(0xffu << 9)) | random.Below(0x50) << 9;
      return code;
    }
    case 2:
    case 3:
      return Vop3(random, SomeVop3Opcode(random));
    case 4:
      return Vop3(random, 0x380 + random.Below(0x30));
    default:
      return Vop2(random, random.Below(0x3e), SomeVgpr(random));
  }
}

Code ScalarInstruction(Random& random) {
  const uint32_t result = SomeScalarResult(random);
  const uint32_t a = SomeScalarSource(random);
  const uint32_t b = SomeScalarSource(random);
  switch (random.Below(4)) {
    case 0:
      return {0x17du << 23 | result << 16 | random.Below(0x38) << 8 | a, 0};
    case 1:
      return {0x17eu << 23 | random.Below(0x14) << 16 | b << 8 | a, 0};
    case 2:
      return {0xbu << 28 | random.Below(0x11) << 23 | result << 16 | (random.Word() & 0xffff), 0};
    default:
      return {2u << 30 | random.Below(0x35) << 23 | result << 16 | b << 8 | a, 0};
  }
}

Code LdsInstruction(Random& random) {
  static constexpr uint32_t kOpcodes[] = {
      isa::DS_ds_read_b32,      isa::DS_ds_read_b64,    isa::DS_ds_read_b128,
      isa::DS_ds_read2_b32,     isa::DS_ds_read2_b64,   isa::DS_ds_read2st64_b32,
      isa::DS_ds_write_b32,     isa::DS_ds_write_b64,   isa::DS_ds_write_b128,
      isa::DS_ds_write2_b32,    isa::DS_ds_read_u8,     isa::DS_ds_write_b8,
      isa::DS_ds_swizzle_b32,   isa::DS_ds_add_u32,     isa::DS_ds_bpermute_b32,
      isa::DS_ds_read2st64_b64, isa::DS_ds_read_u16_d16};
  const uint32_t opcode = kOpcodes[random.Below(std::size(kOpcodes))];
  const uint32_t offset = random.OneIn(2) ? random.Below(64) * 16 : random.Word() & 0x7f7f;
  return {0x36u << 26 | opcode << 17 | offset,
          kOffsetVgpr | SomeVgpr(random) << 8 | SomeVgpr(random) << 16 | SomeVgpr(random) << 24};
}

uint32_t SomeMemoryOpcode(Random& random) {
  static constexpr uint32_t kOpcodes[] = {
      isa::FLAT_global_load_dword,    isa::FLAT_global_load_dwordx2,
      isa::FLAT_global_load_dwordx3,  isa::FLAT_global_load_dwordx4,
      isa::FLAT_global_store_dword,   isa::FLAT_global_store_dwordx2,
      isa::FLAT_global_store_dwordx3, isa::FLAT_global_store_dwordx4,
      isa::FLAT_global_load_ubyte,    isa::FLAT_global_atomic_add};
  return kOpcodes[random.Below(std::size(kOpcodes))];
}

Code MemoryInstruction(Random& random) {
  const uint32_t opcode = SomeMemoryOpcode(random);
  const uint32_t registers = SomeVgpr(random) << 8 | SomeVgpr(random) << 24;
  switch (random.Below(3)) {
    case 0:  // global, from an SGPR base
      return {0x37u << 26 | opcode << 18 | 2u << 14 | random.Below(0x800),
              kOffsetVgpr | registers | kAddressSgpr << 16};
    case 1:  // flat or global, from a VGPR address
      return {0x37u << 26 | opcode << 18 | random.Below(2) << 15 | random.Below(0x800),
              kAddressVgpr | registers | 0x7fu << 16};
    default:  // a buffer
      return {0x38u << 26 | opcode << 18 | random.Below(2) << 12 | random.Below(0x1000),
              kOffsetVgpr | SomeVgpr(random) << 8 | (kAddressSgpr + 4) >> 2 << 16 |
                  (kOperandInlineFirst + random.Below(60)) << 24};
  }
}

// Jumps, instructions that end a wave, and those that use more than their operands.
bool IsExcluded(const Instruction& in) {
  if (in.handler == nullptr || WhyNotExecuted(in) != nullptr) return true;
  switch (in.format) {
    case Format::kSop1:
      return in.opcode == isa::SOP1_s_setpc_b64 || in.opcode == isa::SOP1_s_swappc_b64 ||
             in.opcode == isa::SOP1_s_rfe_b64;
    case Format::kSopc:
      return in.opcode == isa::SOPC_s_set_gpr_idx_on || in.opcode == isa::SOPC_s_setvskip;
    case Format::kSopk:
      return in.opcode >= isa::SOPK_s_getreg_b32;
    case Format::kVector:
    case Format::kVop3p:
      return in.dst >= 128 || (in.clamp && in.opcode < 0x100);
    default:
      return false;
  }
}

Code SomeInstruction(Random& random) {
  for (;;) {
    const uint32_t kind = random.Below(16);
    Code code = kind < 3   ? ScalarInstruction(random)
                : kind < 5 ? LdsInstruction(random)
                : kind < 6 ? MemoryInstruction(random)
                           : VectorInstruction(random);
    const Instruction in = Decode(code[0], code.size() > 1 ? code[1] : 0);
    if (IsExcluded(in)) continue;
    code.resize(in.dwords);
    return code;
  }
}

// Straight code, half of the time as the body of a loop.
Code SomeProgram(Random& random) {
  Code program;
  const uint32_t count = 1 + random.Below(random.OneIn(2) ? 8 : 60);
  for (uint32_t i = 0; i < count; ++i) {
    const Code code = SomeInstruction(random);
    program.insert(program.end(), code.begin(), code.end());
  }
  if (random.OneIn(2)) {
    program.push_back(0xbu << 28 | isa::SOPK_s_addk_i32 << 23 | kLoopSgpr << 16 | 0xffff);
    program.push_back(0xbu << 28 | isa::SOPK_s_cmpk_lg_i32 << 23 | kLoopSgpr << 16 | 0);
    const auto back = static_cast<uint16_t>(-static_cast<int>(program.size()) - 1);
    program.push_back(0x17fu << 23 | isa::SOPP_s_cbranch_scc1 << 16 | back);
  }
  program.push_back(kEndProgram);
  return program;
}

// ---- Machines

struct Machine {
  std::unique_ptr<Wave> wave = std::make_unique<Wave>();
  std::vector<uint8_t> lds = std::vector<uint8_t>(kLds);
  std::vector<uint8_t> data = std::vector<uint8_t>(kDataBytes);
  uint64_t counts[kInstructionClasses] = {};
  uint32_t executed = 0;
};

uint32_t SomeValue(Random& random, bool with_nans) {
  switch (random.Below(8)) {
    case 0:
      return random.Below(64);
    case 1:
      return with_nans ? random.Word() : 0x3f800000;
    case 2:
      return random.Below(2) << 31 | random.Below(1 << 23);  // a denormal
    case 3:
      return random.Below(2) << 31;
    default: {
      const uint32_t exponent = 120 + random.Below(16);
      return random.Below(2) << 31 | exponent << 23 | random.Below(1 << 23);
    }
  }
}

uint64_t SomeExec(Random& random) {
  switch (random.Below(6)) {
    case 0:
      return uint64_t{random.Word()} << 32 | random.Word();
    case 1:
      return random.Word() & 0xffff00ff;
    case 2:
      return uint64_t{1} << random.Below(64);
    case 3:
      return random.OneIn(4) ? 0 : ~uint64_t{0};
    default:
      return ~uint64_t{0};
  }
}

void Fill(Random& random, Machine* machine) {
  static constexpr uint32_t kModes[] = {0x3f0, 0x3f0, 0x2f0, 0x3c0, 0xf0, 0x1c0, 0x300, 0x3f5};
  Wave& wave = *machine->wave;
  const bool with_nans = random.OneIn(4);
  for (auto& row : wave.vgpr) {
    for (uint32_t& lane : row) lane = SomeValue(random, with_nans);
  }
  for (uint32_t& word : wave.sgpr) word = SomeValue(random, with_nans);
  for (int lane = 0; lane < kLanes; ++lane) {
    wave.vgpr[kOffsetVgpr][lane] = random.OneIn(200) ? kLds : random.Below(512) * 4;
    const uint64_t address = kDataVa + random.Below(4096) * 4;
    wave.SetVgpr64(kAddressVgpr, lane, address);
  }
  if (random.OneIn(2)) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) wave.vgpr[kOffsetVgpr][lane] = lane * 4;
  }
  wave.SetSgpr64(kAddressSgpr, kDataVa);
  wave.SetSgpr64(kAddressSgpr + 4, kDataVa | (random.OneIn(3) ? uint64_t{4} << 48 : 0));
  wave.sgpr[kAddressSgpr + 6] = random.OneIn(3) ? 1500 : 12 * 1024;
  wave.sgpr[kAddressSgpr + 7] = 0;
  wave.sgpr[kLoopSgpr] = 1 + random.Below(5);
  wave.sgpr[kOperandM0] = random.Below(4096);
  wave.set_exec(SomeExec(random));
  wave.mode = kModes[random.Below(std::size(kModes))];
  wave.pc = kProgramVa;
  for (uint8_t& byte : machine->lds) byte = static_cast<uint8_t>(random.Word());
  for (uint8_t& byte : machine->data) byte = static_cast<uint8_t>(random.Word());
}

void Copy(const Machine& from, Machine* to) {
  constexpr size_t kPlain = offsetof(Wave, fault);
  std::memcpy(static_cast<void*>(to->wave.get()), static_cast<const void*>(from.wave.get()),
              kPlain);
  to->lds = from.lds;
  to->data = from.data;
}

class TranslationTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    code_ = new uint8_t[kProgramBytes];
    data_ = new uint8_t[kDataBytes];
    ASSERT_TRUE(MapRange(0, kProgramVa, kProgramBytes, code_));
    ASSERT_TRUE(MapRange(0, kDataVa, kDataBytes, data_));
  }

  static void Load(const Code& program) {
    std::memset(code_, 0, kProgramBytes);
    std::memcpy(code_, program.data(), program.size() * sizeof(uint32_t));
  }

  static void Run(bool translated, Machine* machine) {
    static auto* interpreter = new Interpreter;
    std::memcpy(data_, machine->data.data(), kDataBytes);
    ExecutionContext context;
    context.lds = machine->lds.data();
    context.lds_bytes = kLds;
    const ScopedJit jit(translated ? JitMode::kOn : JitMode::kOff);
    interpreter->BeginSlice();
    Wave& wave = *machine->wave;
    for (int turn = 0; turn < 3 && !wave.done && wave.fault.code == Fault::Code::kNone; ++turn) {
      machine->executed += interpreter->RunTranslated(wave, context, 100'000);
    }
    std::memcpy(machine->data.data(), data_, kDataBytes);
    std::memcpy(machine->counts, context.counts, sizeof context.counts);
  }

  static uint8_t* code_;
  static uint8_t* data_;
};

uint8_t* TranslationTest::code_ = nullptr;
uint8_t* TranslationTest::data_ = nullptr;

std::string Listing(const Code& program) {
  std::string text;
  for (size_t i = 0; i < program.size();) {
    const Instruction in = Decode(program[i], i + 1 < program.size() ? program[i + 1] : 0);
    char line[96];
    std::snprintf(line, sizeof line, "  %3zu %s %08x %08x\n", i, OpcodeName(in.format, in.opcode),
                  in.words[0], in.words[1]);
    text += line;
    i += in.dwords;
  }
  return text;
}

// The first difference; empty: there is none.
std::string Difference(const Machine& a, const Machine& b) {
  const Wave& x = *a.wave;
  const Wave& y = *b.wave;
  const auto differ = [](const char* what, uint64_t i, uint64_t lane, uint64_t p, uint64_t q) {
    char text[128];
    std::snprintf(text, sizeof text, "%s %llu lane %llu: interpreted %llx, translated %llx", what,
                  static_cast<unsigned long long>(i), static_cast<unsigned long long>(lane),
                  static_cast<unsigned long long>(p), static_cast<unsigned long long>(q));
    return std::string(text);
  };
  if (x.fault.message != y.fault.message) return x.fault.message + " / " + y.fault.message;
  if (x.fault.code != y.fault.code || x.fault.va != y.fault.va) return "fault";
  for (uint32_t i = 0; i < kSgprSlots; ++i) {
    if (x.sgpr[i] != y.sgpr[i]) return differ("sgpr", i, 0, x.sgpr[i], y.sgpr[i]);
  }
  for (uint32_t i = 0; i < kVectorRegisters; ++i) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if (x.vgpr[i][lane] != y.vgpr[i][lane]) {
        return differ("vgpr", i, lane, x.vgpr[i][lane], y.vgpr[i][lane]);
      }
    }
  }
  if (x.scc != y.scc || x.done != y.done || x.pc != y.pc || x.mode != y.mode) return "state";
  if (a.lds != b.lds) return "lds";
  if (a.data != b.data) return "memory";
  if (std::memcmp(a.counts, b.counts, sizeof a.counts) != 0) return "counts";
  return a.executed == b.executed ? "" : "executed";
}

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

void ExpectSameResults(const Code& program, Machine* interpreted, Machine* translated) {
  const std::string difference = Difference(*interpreted, *translated);
  ASSERT_EQ(difference, "") << "mode " << std::hex << interpreted->wave->mode << "\n"
                            << Listing(program);
}

TEST_F(TranslationTest, LeavesTheSameStateAsTheInterpreter) {
  if (!CanTranslate()) GTEST_SKIP() << "no libvgpu_jit.so: it is built where LLVM 15 is";
  const uint64_t seed = FromEnvironment("VGPU_TRANSLATION_SEED", 1);
  const uint64_t programs = FromEnvironment("VGPU_TRANSLATION_PROGRAMS", 150);
  std::printf("seeds from %llu\n", static_cast<unsigned long long>(seed));
  for (uint64_t i = 0; i < programs && !HasFatalFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed + i));
    Random random(seed + i);
    std::unique_ptr<ScopedIsa> isa;
    if (random.OneIn(3)) isa = std::make_unique<ScopedIsa>(0x90a);
    Machine interpreted;
    Machine translated;
    const Code program = SomeProgram(random);
    Fill(random, &interpreted);
    Copy(interpreted, &translated);
    Load(program);
    Run(false, &interpreted);
    Run(true, &translated);
    ExpectSameResults(program, &interpreted, &translated);
    ASSERT_TRUE(CanTranslate()) << "the translator failed\n" << Listing(program);
  }
}

TEST_F(TranslationTest, ReplacesCodeThatWasRewritten) {
  if (!CanTranslate()) GTEST_SKIP() << "no libvgpu_jit.so: it is built where LLVM 15 is";
  for (const uint32_t value : {5u, 9u, 5u}) {
    const uint32_t move = isa::V_v_mov_b32 - 0x140;
    const Code program = {0x3fu << 25 | 1u << 17 | move << 9 | (kOperandInlineFirst + value),
                          kEndProgram};
    Load(program);
    Machine machine;
    Random random(1);
    Fill(random, &machine);
    machine.wave->set_exec(~uint64_t{0});
    Run(true, &machine);
    EXPECT_EQ(machine.wave->vgpr[1][0], value);
  }
}

}  // namespace
}  // namespace vgpu
