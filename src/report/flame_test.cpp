// SPDX-License-Identifier: MIT
#include "report/flame.h"

#include <gtest/gtest.h>

#include <string>

namespace rtl::report {
namespace {

using Kind = exporting::GpuStacks::Kind;

// Lines of a node each, indented by its depth.
std::string Drawing(const Flame& flame) {
  std::string text;
  for (const Flame::Node& node : flame.nodes) {
    text += std::string(node.depth, ' ') + flame.frames[node.frame].name + " " +
            std::to_string(node.time) + " " + std::to_string(node.kernels) + "\n";
  }
  return text;
}

TEST(FlameTest, HasTheLargerNodesFirstAndSumsWhatTheyContain) {
  exporting::GpuStacks stacks;
  stacks.frames = {{"step", Kind::kFunction},
                   {"mm", Kind::kOperator},
                   {"gemm", Kind::kKernel},
                   {"add", Kind::kKernel}};
  stacks.stacks = {{{0, 1, 2}, {50, 2}}, {{0, 3}, {70, 1}}, {{3}, {5, 1}}};
  Flame flame;
  MakeFlame(stacks, &flame);
  EXPECT_EQ(Drawing(flame), "step 120 3\n add 70 1\n mm 50 2\n  gemm 50 2\nadd 5 1\n");
  EXPECT_EQ(flame.time, 125u);
  EXPECT_EQ(flame.least, 0u);
}

TEST(FlameTest, KeepsTheLargestNodesAndSaysWhichAreLeftOut) {
  exporting::GpuStacks stacks;
  stacks.frames.push_back({"step", Kind::kFunction});
  for (uint32_t i = 1; i <= Flame::kMostNodes + 10; ++i) {
    stacks.frames.push_back({"k" + std::to_string(i), Kind::kKernel});
    stacks.stacks[{0, i}] = {i, 1};
  }
  Flame flame;
  MakeFlame(stacks, &flame);
  EXPECT_LE(flame.nodes.size(), Flame::kMostNodes);
  EXPECT_GT(flame.nodes.size(), Flame::kMostNodes - 3);
  EXPECT_EQ(flame.nodes[0].kernels, Flame::kMostNodes + 10) << "left-out kernels are part of sums";
  EXPECT_GT(flame.least, 0u);
  for (const Flame::Node& node : flame.nodes) EXPECT_GE(node.time, flame.least);
}

}  // namespace
}  // namespace rtl::report
