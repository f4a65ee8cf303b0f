// SPDX-License-Identifier: MIT
#include "trace/write/demangle.h"

#include <gtest/gtest.h>

namespace rtl::store {
namespace {

TEST(DemangleKernel, GivesTheReadableName) {
  EXPECT_EQ(DemangleKernel("_Z4gemmPfS_S_i"), "gemm(float*, float*, float*, int)");
  EXPECT_EQ(DemangleKernel("_Z4gemmPfS_S_i.kd"), "gemm(float*, float*, float*, int)");
  EXPECT_EQ(DemangleKernel("_ZN2at6native3addILi4EEEvPf"), "void at::native::add<4>(float*)");
}

// Each part is a pair of the part before it: the name doubles with every six characters.
TEST(DemangleKernel, LeavesNamesAloneThatWouldFillTheMemory) {
  std::string symbol = "_Z1f1pIiiE";
  constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (int i = 0; i < 36; ++i) {
    const std::string last = std::string("S") + kDigits[i] + "_";
    symbol += "S_I" + last + last + "E";
  }
  EXPECT_EQ(DemangleKernel(symbol), symbol);
}

TEST(DemangleKernel, GivesTheNamesOfTemplateLibraries) {
  std::string symbol = "_Z6kernelILi0";
  std::string name = "void kernel<0";
  for (int i = 1; i < 700; ++i) {
    symbol += "ELi7";
    name += ", 7";
  }
  EXPECT_EQ(DemangleKernel(symbol + "EEvv"), name + ">()");
}

TEST(DemangleKernel, LeavesNamesAloneThatAreTooLongForTheStack) {
  const std::string symbol = "_Z1f" + std::string(60'000, 'P') + "i";
  EXPECT_EQ(DemangleKernel(symbol), symbol);
}

TEST(DemangleKernel, LeavesOtherNamesAlone) {
  EXPECT_EQ(DemangleKernel("plain"), "plain");
  EXPECT_EQ(DemangleKernel("Cijk_Ailk_Bljk_SB_MT64x64.kd"), "Cijk_Ailk_Bljk_SB_MT64x64");
  EXPECT_EQ(DemangleKernel("_Znonsense"), "_Znonsense");
  EXPECT_EQ(DemangleKernel(".kd"), "");
  EXPECT_EQ(DemangleKernel(""), "");
  EXPECT_EQ(DemangleKernel("i"), "i") << "not the type int";
}

}  // namespace
}  // namespace rtl::store
