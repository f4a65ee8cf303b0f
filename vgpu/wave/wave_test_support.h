// SPDX-License-Identifier: MIT
// wave_test_support.h: runs one assembled instruction on one wave and shows what it changed.
//
//   RunSnippet("s_add_u32",
//              [](TestMachine& m) { m.SetSgpr(5, 0xffffffff); m.SetSgpr(6, 2); },
//              [](TestMachine& m) { EXPECT_EQ(m.Sgpr(4), 1u); EXPECT_TRUE(m.Scc()); });
//
// The label names a snippet of one of the *_test.s files (snippet.inc). Registers, memory and LDS
// start with patterns of their own. State that `check` does not read must not have changed, and no
// lane that EXEC disables may have changed at all; otherwise RunSnippet fails the test.
//
// Every snippet runs twice: with some lanes disabled, and with all enabled (unless `setup` sets
// EXEC itself). Snippets of scalar instructions, which ignore EXEC, run only once. The instruction
// at the label counts as tested; the test program fails at its end when an implemented opcode was
// never tested (only when the whole program ran, not a filter).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

class TestMachine {
 public:
  static constexpr uint64_t kMemoryVa = 0x7e0000000000;  // GPU address; the host's differs
  static constexpr uint64_t kUnmappedVa = 0x7f0000000000;
  static constexpr uint32_t kMemoryBytes = 16 * 1024;
  static constexpr uint32_t kLdsBytes = 4096;

  TestMachine();

  // --- set-up
  void SetSgpr(uint32_t code, uint32_t value) { wave_->sgpr[code] = value; }
  void SetSgpr64(uint32_t code, uint64_t value) { wave_->SetSgpr64(code, value); }
  void SetVgpr(uint32_t number, int lane, uint32_t value) { wave_->vgpr[number][lane] = value; }
  void SetVgpr64(uint32_t number, int lane, uint64_t value) {
    wave_->SetVgpr64(number, lane, value);
  }
  void SetAllLanes(uint32_t number, uint32_t value);
  void SetScc(bool value) { wave_->scc = value; }
  void SetVcc(uint64_t value) { wave_->set_vcc(value); }
  void SetExec(uint64_t value) { wave_->set_exec(value); }
  void SetM0(uint32_t value) { wave_->sgpr[kOperandM0] = value; }
  void SetMode(uint32_t value) { wave_->mode = value; }
  template <class T>
  void Poke(uint32_t offset, T value) {
    std::memcpy(Memory() + offset, &value, sizeof value);
  }
  template <class T>
  void PokeLds(uint32_t offset, T value) {
    std::memcpy(lds_.data() + offset, &value, sizeof value);
  }

  // The value before the instruction ran (in `check`), or now (in `setup`). Marks nothing as read.
  uint32_t Before(uint32_t number, int lane) const { return before_->vgpr[number][lane]; }
  uint32_t SgprBefore(uint32_t code) const { return before_->sgpr[code]; }
  template <class T>
  T MemoryBefore(uint32_t offset) const {
    T value;
    std::memcpy(&value, memory_before_.data() + offset, sizeof value);
    return value;
  }
  template <class T>
  T LdsBefore(uint32_t offset) const {
    T value;
    std::memcpy(&value, lds_before_.data() + offset, sizeof value);
    return value;
  }
  uint64_t exec_before() const { return before_->exec(); }
  bool Active(int lane) const { return before_->exec() >> lane & 1; }
  // f(lane) for every lane that was enabled.
  template <class F>
  void ForActive(F&& f) const {
    for (int lane = 0; lane < kLanes; ++lane) {
      if (Active(lane)) f(lane);
    }
  }

  // --- results; reading one allows it to have changed
  uint32_t Sgpr(uint32_t code);
  uint64_t Sgpr64(uint32_t code);
  uint32_t Vgpr(uint32_t number, int lane);
  uint64_t Vgpr64(uint32_t number, int lane);
  bool Scc();
  uint64_t Vcc() { return Sgpr64(kOperandVcc); }
  uint64_t Exec() { return Sgpr64(kOperandExec); }
  uint32_t M0() { return Sgpr(kOperandM0); }
  uint32_t Mode();
  // The wave's position, relative to the instruction after the one at the label. A snippet that
  // does not read it must have run to its s_endpgm.
  int64_t PcDelta();
  const Fault& fault();
  // Instructions executed.
  uint32_t Executed() const { return executed_; }
  template <class T>
  T Peek(uint32_t offset) {
    T value;
    std::memcpy(&value, Memory() + offset, sizeof value);
    std::memset(memory_read_.data() + offset, 1, sizeof value);
    return value;
  }
  template <class T>
  T PeekLds(uint32_t offset) {
    T value;
    std::memcpy(&value, lds_.data() + offset, sizeof value);
    std::memset(lds_read_.data() + offset, 1, sizeof value);
    return value;
  }
  // For instructions that ignore EXEC (v_writelane).
  void AllowDisabledLanes() { disabled_lanes_may_change_ = true; }

  Wave& wave() { return *wave_; }

 private:
  friend void RunSnippet(const char*, const std::function<void(TestMachine&)>&,
                         const std::function<void(TestMachine&)>&);

  static uint8_t* Memory();
  // The initial pattern everywhere.
  void Reset(uint64_t exec);
  void Start(uint64_t pc);
  void Run();
  void ExpectRestUnchanged() const;
  void ExpectVgprsUnchanged() const;
  void ExpectScalarsUnchanged() const;
  void ExpectMemoryUnchanged() const;

  std::unique_ptr<Wave> wave_;
  std::unique_ptr<Wave> before_;
  std::vector<uint8_t> lds_;
  std::vector<uint8_t> lds_before_;
  std::vector<uint8_t> lds_read_;
  std::vector<uint8_t> memory_before_;
  std::vector<uint8_t> memory_read_;
  uint64_t vgpr_read_[kVectorRegisters] = {};  // lanes
  bool sgpr_read_[kSgprSlots] = {};
  bool scc_read_ = false;
  bool mode_read_ = false;
  bool pc_read_ = false;
  bool fault_read_ = false;
  bool disabled_lanes_may_change_ = false;
  uint64_t next_pc_ = 0;
  uint32_t executed_ = 0;
};

void RunSnippet(const char* label, const std::function<void(TestMachine&)>& setup,
                const std::function<void(TestMachine&)>& check);

// GPU address of a label, for tests that run code in another way; and its host address, for tests
// that change code. The labels are mapped on GPU 0.
uint64_t SnippetAddress(const char* label);
uint8_t* SnippetCode(const char* label);

// Some lanes of every row, quad and half are disabled.
constexpr uint64_t kPartialExec = 0x8ffe'35a7'0c31'fff3;

// Numbers that often expose bugs: 0, 1, -1, the extremes, sign changes, patterns.
inline constexpr uint32_t kEdgeValues[] = {
    0,          1,          2,          31,         32,         33,        0x7f,
    0x80,       0xff,       0x7fff,     0x8000,     0xffff,     0x10000,   0x7fffffff,
    0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x12345678, 0xdeadbeef};

}  // namespace vgpu
