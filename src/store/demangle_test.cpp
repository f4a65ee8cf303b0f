// SPDX-License-Identifier: MIT
#include "store/demangle.h"

#include <gtest/gtest.h>

namespace rtl::store {
namespace {

TEST(DemangleKernel, GivesTheNameThatPeopleRead) {
  EXPECT_EQ(DemangleKernel("_Z4gemmPfS_S_i"), "gemm(float*, float*, float*, int)");
  EXPECT_EQ(DemangleKernel("_Z4gemmPfS_S_i.kd"), "gemm(float*, float*, float*, int)");
  EXPECT_EQ(DemangleKernel("_ZN2at6native3addILi4EEEvPf"), "void at::native::add<4>(float*)");
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
