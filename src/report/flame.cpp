// SPDX-License-Identifier: MIT
#include "report/flame.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace rtl::report {
namespace {

using exporting::GpuStacks;

struct Tree {
  struct Node {
    uint32_t frame = 0;
    GpuStacks::Work work = {};
    std::vector<size_t> children = {};
  };
  std::vector<Node> nodes = {Node{}};

  // Stacks come sorted, so if the parent has a child with the same frame, that child is the last
  // one.
  void Add(const std::vector<uint32_t>& stack, const GpuStacks::Work& work) {
    size_t at = 0;
    Count(at, work);
    for (size_t depth = 0; depth < std::min(stack.size(), Flame::kMostDepth); ++depth) {
      const std::vector<size_t>& children = nodes[at].children;
      if (children.empty() || nodes[children.back()].frame != stack[depth]) {
        nodes[at].children.push_back(nodes.size());
        nodes.push_back({.frame = stack[depth]});
      }
      at = nodes[at].children.back();
      Count(at, work);
    }
  }
  void Count(size_t node, const GpuStacks::Work& work) {
    nodes[node].work.time += work.time;
    nodes[node].work.kernels += work.kernels;
  }

  // The least time of a node to be kept, so that at most `most` nodes are. 0: all nodes are kept.
  uint64_t Least(size_t most) const {
    if (nodes.size() - 1 <= most) return 0;
    std::vector<uint64_t> times;
    for (const Node& node : nodes) times.push_back(node.work.time);
    const auto at = times.begin() + static_cast<ptrdiff_t>(most);
    std::nth_element(times.begin(), at, times.end(), std::greater<>());
    return *at + 1;
  }
};

}  // namespace

void MakeFlame(const GpuStacks& stacks, Flame* out) {
  *out = {};
  Tree tree;
  for (const auto& [stack, work] : stacks.stacks) tree.Add(stack, work);
  out->time = tree.nodes[0].work.time;
  out->kernels = tree.nodes[0].work.kernels;
  out->least = tree.Least(Flame::kMostNodes);
  for (Tree::Node& node : tree.nodes) {
    std::stable_sort(node.children.begin(), node.children.end(), [&](size_t a, size_t b) {
      return tree.nodes[a].work.time > tree.nodes[b].work.time;
    });
  }
  std::unordered_map<uint32_t, uint32_t> kept;  // new index by index of the frame in `stacks`
  std::vector<std::pair<size_t, uint32_t>> waiting = {{0, 0}};  // node, and its depth plus one
  while (!waiting.empty()) {
    const auto [at, depth] = waiting.back();
    waiting.pop_back();
    const Tree::Node& node = tree.nodes[at];
    if (node.work.time < out->least) continue;
    if (depth > 0) {
      const auto [frame, is_new] =
          kept.try_emplace(node.frame, static_cast<uint32_t>(out->frames.size()));
      if (is_new) out->frames.push_back(stacks.frames[node.frame]);
      out->nodes.push_back({depth - 1, frame->second, node.work.time, node.work.kernels});
    }
    for (size_t i = node.children.size(); i-- > 0;) {
      waiting.emplace_back(node.children[i], depth + 1);
    }
  }
}

Status ReadFlame(query::TraceReader& trace, Flame* out) {
  GpuStacks stacks;
  RTL_TRY(exporting::ReadGpuStacks(trace, &stacks));
  *out = {};
  const bool has_operators =
      std::any_of(stacks.stacks.begin(), stacks.stacks.end(), [&](const auto& stack) {
        return std::any_of(stack.first.begin(), stack.first.end(), [&](uint32_t frame) {
          const GpuStacks::Kind kind = stacks.frames[frame].kind;
          return kind != GpuStacks::Kind::kRoot && kind != GpuStacks::Kind::kKernel;
        });
      });
  if (has_operators) MakeFlame(stacks, out);
  return Status::Ok();
}

}  // namespace rtl::report
