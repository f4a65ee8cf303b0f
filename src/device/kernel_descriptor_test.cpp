// SPDX-License-Identifier: MIT
#include "device/kernel_descriptor.h"

#include <gtest/gtest.h>
#include <string.h>

#include <algorithm>
#include <string>
#include <vector>

namespace rtl {
namespace {

struct Compiled {
  const char* gfx;
  int code_object_version;
  uint32_t wavefront_size;
  const char* kernel;
  uint32_t vgprs, sgprs, agprs;  // used, as the metadata says
  uint32_t group_segment, private_segment, kernarg_segment;
  std::vector<uint8_t> descriptor;
};

const std::vector<Compiled>& CompiledKernels() {
  static const std::vector<Compiled> kernels = {
#include "device/testdata/kernel_descriptors.inc"
  };
  return kernels;
}

uint32_t RoundUp(uint32_t value, uint32_t unit) {
  return (std::max(value, 1u) + unit - 1) / unit * unit;
}

std::string Name(const Compiled& kernel) {
  return std::string(kernel.gfx) + " version " + std::to_string(kernel.code_object_version) + " " +
         kernel.kernel;
}

GfxVersion Gfx(const char* name) {
  GfxVersion gfx;
  EXPECT_TRUE(ParseGfxName(name, &gfx)) << name;
  return gfx;
}

KernelResources Decode(const Compiled& kernel) {
  KernelResources resources;
  EXPECT_TRUE(DecodeKernelDescriptor(kernel.descriptor.data(), kernel.descriptor.size(),
                                     Gfx(kernel.gfx), &resources))
      << Name(kernel);
  return resources;
}

// The unit in which each target counts vector registers: facts of the ISA manuals, by name.
uint32_t VgprUnitOf(const Compiled& kernel) {
  const std::string gfx = kernel.gfx;
  if (gfx == "gfx90a") return 8;
  return kernel.wavefront_size == 32 ? 8 : 4;
}

TEST(KernelDescriptor, ReservesTheVectorRegistersThatTheMetadataCounts) {
  ASSERT_GE(CompiledKernels().size(), 60u);
  for (const Compiled& kernel : CompiledKernels()) {
    EXPECT_EQ(Decode(kernel).vgprs, RoundUp(kernel.vgprs + kernel.agprs, VgprUnitOf(kernel)))
        << Name(kernel);
  }
}

TEST(KernelDescriptor, ReservesTheScalarRegistersThatTheMetadataCounts) {
  for (const Compiled& kernel : CompiledKernels()) {
    const uint32_t expected =
        kernel.gfx[3] == '1' ? 128 : RoundUp(kernel.sgprs, 16);  // gfx10 and later: all of them
    EXPECT_EQ(Decode(kernel).sgprs, expected) << Name(kernel);
  }
}

TEST(KernelDescriptor, DecodesTheSegmentsOfEveryCodeObjectVersion) {
  for (const Compiled& kernel : CompiledKernels()) {
    const KernelResources resources = Decode(kernel);
    EXPECT_EQ(resources.group_segment, kernel.group_segment) << Name(kernel);
    EXPECT_EQ(resources.private_segment, kernel.private_segment) << Name(kernel);
    EXPECT_EQ(resources.kernarg_segment, kernel.kernarg_segment) << Name(kernel);
  }
}

TEST(KernelDescriptor, CountsWave64InFoursFromGfx10On) {
  uint8_t bytes[64] = {};
  const uint32_t rsrc1 = 5;
  memcpy(bytes + 48, &rsrc1, sizeof rsrc1);
  KernelResources resources;
  ASSERT_TRUE(DecodeKernelDescriptor(bytes, sizeof bytes, Gfx("gfx1030"), &resources));
  EXPECT_EQ(resources.vgprs, 24u);
  const uint16_t wave32 = 1u << 10;
  memcpy(bytes + 56, &wave32, sizeof wave32);
  ASSERT_TRUE(DecodeKernelDescriptor(bytes, sizeof bytes, Gfx("gfx1030"), &resources));
  EXPECT_EQ(resources.vgprs, 48u);
}

TEST(KernelDescriptor, RefusesTooFewBytes) {
  const std::vector<Compiled>& kernels = CompiledKernels();
  for (const Compiled& kernel : kernels) {
    const size_t needed = kernel.code_object_version == 2 ? 80 : 64;
    KernelResources resources;
    EXPECT_FALSE(
        DecodeKernelDescriptor(kernel.descriptor.data(), needed - 1, Gfx(kernel.gfx), &resources))
        << Name(kernel);
    EXPECT_TRUE(
        DecodeKernelDescriptor(kernel.descriptor.data(), needed, Gfx(kernel.gfx), &resources))
        << Name(kernel);
  }
}

TEST(KernelDescriptor, RefusesAnUnknownGeneration) {
  const uint8_t bytes[64] = {};
  KernelResources resources;
  EXPECT_FALSE(DecodeKernelDescriptor(bytes, sizeof bytes, GfxVersion{}, &resources));
  EXPECT_FALSE(DecodeKernelDescriptor(bytes, sizeof bytes, GfxVersion{13, 0, 0}, &resources));
}

TEST(GfxName, SplitsMajorMinorAndStepping) {
  const struct {
    const char* name;
    uint32_t major, minor, stepping;
  } cases[] = {{"gfx803", 8, 0, 3},   {"gfx906", 9, 0, 6},
               {"gfx90a", 9, 0, 10},  {"gfx942", 9, 4, 2},
               {"gfx1030", 10, 3, 0}, {"gfx1100", 11, 0, 0},
               {"gfx1250", 12, 5, 0}, {"amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", 9, 0, 10}};
  for (const auto& expected : cases) {
    const GfxVersion gfx = Gfx(expected.name);
    EXPECT_EQ(gfx.major, expected.major) << expected.name;
    EXPECT_EQ(gfx.minor, expected.minor) << expected.name;
    EXPECT_EQ(gfx.stepping, expected.stepping) << expected.name;
  }
}

TEST(GfxName, RefusesOtherNames) {
  GfxVersion gfx{1, 2, 3};
  for (const char* name : {"", "gfx", "gfx9", "gfx90", "gfx9-generic", "gfxabc", "gfx123456",
                           "AMD Ryzen", "gfx906x"}) {
    EXPECT_FALSE(ParseGfxName(name, &gfx)) << name;
  }
  EXPECT_EQ(gfx.major, 1u);
}

}  // namespace
}  // namespace rtl
