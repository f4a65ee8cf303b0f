// SPDX-License-Identifier: MIT
#include "counters/plan.h"

#include <stdio.h>
#include <string.h>

namespace rtl::counters {
namespace {

constexpr uint32_t kMostNodes = 4096;
constexpr uint32_t kMostReferences = 16;
constexpr std::string_view kAccumulatingBlock = "SQ";

// The properties of the kernel driver's topology that expressions may name.
constexpr std::string_view kProperties[] = {"array_count",
                                            "caches_count",
                                            "cpu_cores_count",
                                            "cpu_core_id_base",
                                            "cu_count",
                                            "cu_per_engine",
                                            "cu_per_simd_array",
                                            "device_id",
                                            "domain",
                                            "drm_render_minor",
                                            "gds_size_in_kb",
                                            "gfx_target_version",
                                            "hive_id",
                                            "io_links_count",
                                            "lds_size_in_kb",
                                            "location_id",
                                            "max_engine_clk_ccompute",
                                            "max_engine_clk_fcompute",
                                            "max_slots_scratch_cu",
                                            "max_waves_per_cu",
                                            "max_waves_per_simd",
                                            "mem_banks_count",
                                            "num_cp_queues",
                                            "num_gws",
                                            "num_sdma_engines",
                                            "num_sdma_queues_per_engine",
                                            "num_sdma_xgmi_engines",
                                            "num_shader_banks",
                                            "num_xcc",
                                            "simd_arrays_per_engine",
                                            "simd_count",
                                            "simd_id_base",
                                            "simd_per_cu",
                                            "vendor_id",
                                            "wave_front_size"};

// Puts the events of one counter into the set, and replaces names in the counter's expression by
// them.
class Builder {
 public:
  Builder(const Definitions& definitions, std::string_view gpu, const GpuFacts* facts,
          CounterSet* set, Arena* arena)
      : definitions_(definitions), gpu_(gpu), facts_(facts), set_(set), arena_(arena) {}

  Expression* Counter(const Definition& definition, uint32_t* dimensions) {
    if (!definition.derived()) return Event(definition, Accumulation::kNone, dimensions);
    if (++references_ > kMostReferences)
      return Fail(PlanError::kExpression, "%.*s is defined by itself, or by too many others",
                  definition.name);
    const Definition* const outer = current_;
    current_ = &definition;
    Expression* tree = nullptr;
    if (const Status parsed = ParseExpression(definition.expression, arena_, &tree); !parsed.ok()) {
      if (error_ == PlanError::kNone)
        why_ = Status::Error("%.*s: %s", static_cast<int>(definition.name.size()),
                             definition.name.data(), parsed.message());
      error_ = PlanError::kExpression;
      return nullptr;
    }
    tree = Resolve(tree, dimensions);
    current_ = outer;
    --references_;
    return tree;
  }
  PlanError error() const { return error_; }
  const Status& why() const { return why_; }

 private:
  Expression* Fail(PlanError error, const char* format, std::string_view name) {
    if (error_ != PlanError::kNone) return nullptr;
    error_ = error;
    char text[200];
    snprintf(text, sizeof text, format, static_cast<int>(name.size()), name.data());
    why_ = current_ == nullptr ? Status::Error("%s", text)
                               : Status::Error("%.*s: %s", static_cast<int>(current_->name.size()),
                                               current_->name.data(), text);
    return nullptr;
  }

  Expression* Event(const Definition& definition, Accumulation accumulation, uint32_t* dimensions) {
    CounterEvent event;
    if (definition.block.size() >= sizeof event.block)
      return Fail(PlanError::kExpression, "the block %.*s has too long a name", definition.block);
    memcpy(event.block, definition.block.data(), definition.block.size());
    event.event = definition.event;
    event.flags = static_cast<uint32_t>(accumulation);
    uint32_t index = 0;
    while (index < set_->count && memcmp(&set_->events[index], &event, sizeof event) != 0) ++index;
    if (index == CounterSet::kMost)
      return Fail(PlanError::kTooMany, "%.*s is one event too many to count at once",
                  definition.name);
    set_->events[index] = event;
    if (index == set_->count) ++set_->count;
    uint32_t extents[kCounterDimensions] = {};
    *dimensions = 0;
    if (facts_ != nullptr && facts_->Extents(event, extents)) {
      for (uint32_t i = 1; i < kCounterDimensions; ++i)
        *dimensions |= (extents[i] > 1 ? 1u : 0u) << i;
    }
    auto* const made = arena_->New<Expression>();
    if (made == nullptr)
      return Fail(PlanError::kNoMemory, "%.*s: there is no memory", definition.name);
    made->operation = Operation::kEvent;
    made->event = index;
    return made;
  }

  Expression* Name(Expression* node, uint32_t* dimensions) {
    const Definition* const found = definitions_.Find(gpu_, node->name);
    if (found != nullptr && node->accumulates) {
      if (found->derived())
        return Fail(PlanError::kExpression,
                    "accumulate takes an event of the hardware, which %.*s is not", node->name);
      if (node->accumulation != Accumulation::kNone && found->block != kAccumulatingBlock)
        return Fail(PlanError::kExpression,
                    "accumulate takes an event of block SQ, which %.*s is not", node->name);
      return Event(*found, node->accumulation, dimensions);
    }
    if (found != nullptr) return Counter(*found, dimensions);
    *dimensions = 0;
    if (!IsGpuProperty(node->name) || node->accumulates)
      return Fail(PlanError::kExpression,
                  "%.*s is neither a counter of this GPU nor one of its properties", node->name);
    node->operation = Operation::kNumber;
    if (facts_ != nullptr && !facts_->Property(node->name, &node->number)) node->number = 0;
    return node;
  }

  Expression* Resolve(Expression* node, uint32_t* dimensions) {
    *dimensions = 0;
    if (++nodes_ > kMostNodes)
      return Fail(PlanError::kExpression, "%.*s has too many terms", current_->name);
    uint32_t left = 0, right = 0;
    switch (node->operation) {
      case Operation::kNumber:
      case Operation::kEvent:
        return node;
      case Operation::kName:
        return Name(node, dimensions);
      case Operation::kReduce:
      case Operation::kSelect:
        node->left = Resolve(node->left, &left);
        *dimensions = node->dimensions == 0 ? 0 : left & ~node->dimensions;
        return node->left == nullptr ? nullptr : node;
      default:
        break;
    }
    node->left = Resolve(node->left, &left);
    if (node->left != nullptr) node->right = Resolve(node->right, &right);
    if (node->left == nullptr || node->right == nullptr) return nullptr;
    if (left != right && left != 0 && right != 0) return Mismatch(left, right);
    *dimensions = left | right;
    return node;
  }

  Expression* Mismatch(uint32_t left, uint32_t right) {
    char text[2][160] = {};
    for (uint32_t side = 0; side < 2; ++side) {
      size_t at = 0;
      for (uint32_t i = 1; i < kCounterDimensions; ++i) {
        if (((side == 0 ? left : right) >> i & 1) == 0) continue;
        at += static_cast<size_t>(snprintf(text[side] + at, sizeof text[side] - at, "%s%s",
                                           at == 0 ? "" : ",", DimensionName(i)));
      }
    }
    char message[400];
    snprintf(message, sizeof message, "one operand has the dimensions %s, the other %s: reduce one",
             text[0], text[1]);
    return Fail(PlanError::kExpression, "%.*s", message);
  }

  const Definitions& definitions_;
  const std::string_view gpu_;
  const GpuFacts* const facts_;
  CounterSet* const set_;
  Arena* const arena_;
  const Definition* current_ = nullptr;
  uint32_t references_ = 0;
  uint32_t nodes_ = 0;
  PlanError error_ = PlanError::kNone;
  Status why_ = Status::Ok();
};

class Evaluation {
 public:
  Evaluation(const CounterValue* values, uint32_t count, Arena* arena)
      : values_(values), count_(count), arena_(arena) {}

  bool Of(const Expression& node, Series* out) {
    Series left, right;
    switch (node.operation) {
      case Operation::kNumber:
        return Number(node.number, out);
      case Operation::kEvent:
        return Event(node.event, out);
      case Operation::kReduce:
        return Of(*node.left, &left) && Reduce(node, left, out);
      case Operation::kSelect:
        return Of(*node.left, &left) && Select(node, left, out);
      case Operation::kName:
        return false;
      default:
        return Of(*node.left, &left) && Of(*node.right, &right) &&
               Combine(node.operation, left, right, out);
    }
  }

 private:
  bool Make(uint32_t count, Series* out) {
    out->positions = arena_->New<uint64_t>(count + 1);
    out->values = arena_->New<double>(count + 1);
    return out->positions != nullptr && out->values != nullptr;
  }
  bool Number(double number, Series* out) {
    if (!Make(1, out)) return false;
    out->values[0] = number;
    out->count = 1;
    return true;
  }
  bool Event(uint32_t event, Series* out) {
    if (!Make(count_, out)) return false;
    for (uint32_t i = 0; i < count_; ++i) {
      if (values_[i].event != event) continue;
      out->positions[out->count] = PackPosition(values_[i]);
      out->values[out->count++] = static_cast<double>(values_[i].value);
      out->not_modelled |= values_[i].not_modelled;
    }
    return true;
  }

  static double Apply(Operation operation, double left, double right) {
    switch (operation) {
      case Operation::kAdd:
        return left + right;
      case Operation::kSubtract:
        return left - right;
      case Operation::kMultiply:
        return left * right;
      default:
        return right == 0 ? 0 : left / right;
    }
  }
  // Combines values of equal positions. A side with a single value is combined with every value of
  // the other side.
  bool Combine(Operation operation, const Series& left, const Series& right, Series* out) {
    const Series& longer = left.count >= right.count ? left : right;
    if (!Make(longer.count, out)) return false;
    out->not_modelled = left.not_modelled || right.not_modelled;
    if (left.count == 0 || right.count == 0) return true;
    for (uint32_t i = 0; i < longer.count; ++i) {
      const uint32_t l = left.count == 1 ? 0 : i;
      uint32_t r = right.count == 1 ? 0 : i;
      if (left.count > 1 && right.count > 1) {
        if (r >= right.count || right.positions[r] != left.positions[l])
          r = Find(right, left.positions[l]);
        if (l >= left.count || r == right.count) continue;
      }
      out->positions[out->count] = longer.positions[&longer == &left ? l : r];
      out->values[out->count++] = Apply(operation, left.values[l], right.values[r]);
    }
    return true;
  }
  static uint32_t Find(const Series& in, uint64_t position) {
    uint32_t at = 0;
    while (at < in.count && in.positions[at] != position) ++at;
    return at;
  }

  static uint64_t MaskOf(uint8_t dimensions) {
    uint64_t mask = 0;
    for (uint32_t i = 1; i < kCounterDimensions; ++i) {
      if ((dimensions >> i & 1) != 0)
        mask |= uint64_t{(1u << kPositionBits) - 1} << (i - 1) * kPositionBits;
    }
    return mask;
  }
  bool Reduce(const Expression& node, const Series& in, Series* out) {
    auto* const counts = arena_->New<uint32_t>(in.count + 1);
    if (counts == nullptr || !Make(in.count, out)) return false;
    out->not_modelled = in.not_modelled;
    const uint64_t keep = node.dimensions == 0 ? 0 : ~MaskOf(node.dimensions);
    for (uint32_t i = 0; i < in.count; ++i) {
      const uint64_t position = in.positions[i] & keep;
      const uint32_t at = Find(*out, position);
      double& total = out->values[at];
      const double value = in.values[i];
      if (at == out->count) {
        out->positions[out->count++] = position;
        total = value;
      } else if (node.reduction == Reduction::kMinimum) {
        total = value < total ? value : total;
      } else if (node.reduction == Reduction::kMaximum) {
        total = value > total ? value : total;
      } else {
        total += value;
      }
      ++counts[at];
    }
    for (uint32_t i = 0; node.reduction == Reduction::kAverage && i < out->count; ++i)
      out->values[i] /= counts[i];
    return true;
  }
  bool Select(const Expression& node, const Series& in, Series* out) {
    if (!Make(in.count, out)) return false;
    out->not_modelled = in.not_modelled;
    for (uint32_t i = 0; i < in.count; ++i) {
      bool wanted = true;
      for (uint32_t d = 1; d < kCounterDimensions; ++d) {
        if ((node.dimensions >> d & 1) != 0)
          wanted &= (node.selected[d] >> PositionIn(in.positions[i], d) & 1) != 0;
      }
      if (!wanted) continue;
      // If one position of a dimension is selected, the results do not have that dimension any
      // more. If several are, they keep it.
      uint64_t mask = 0;
      for (uint32_t d = 1; d < kCounterDimensions; ++d) {
        const uint64_t selected = node.selected[d];
        if ((node.dimensions >> d & 1) != 0 && (selected & (selected - 1)) == 0)
          mask |= MaskOf(static_cast<uint8_t>(1u << d));
      }
      out->positions[out->count] = in.positions[i] & ~mask;
      out->values[out->count++] = in.values[i];
    }
    return true;
  }

  const CounterValue* const values_;
  const uint32_t count_;
  Arena* const arena_;
};

const Expression* FirstEvent(const Expression* node) {
  if (node == nullptr || node->operation == Operation::kEvent) return node;
  if (node->operation == Operation::kReduce && node->dimensions == 0) return nullptr;
  const Expression* const left = FirstEvent(node->left);
  return left != nullptr ? left : FirstEvent(node->right);
}

}  // namespace

bool IsGpuProperty(std::string_view name) {
  for (const std::string_view each : kProperties) {
    if (each == name) return true;
  }
  return false;
}

PlanError Plan::Add(const Definitions& definitions, std::string_view gpu, const Definition& counter,
                    const GpuFacts* facts, Status* why) {
  for (uint32_t i = 0; i < count_; ++i) {
    if (counters_[i].definition == &counter) return PlanError::kNone;
  }
  if (count_ == kMost) {
    *why = Status::Error("more than %u counters", kMost);
    return PlanError::kTooMany;
  }
  const uint32_t events = set_.count;
  Builder builder(definitions, gpu, facts, &set_, &arena_);
  uint32_t dimensions = 0;
  Expression* const tree = builder.Counter(counter, &dimensions);
  if (builder.error() != PlanError::kNone || tree == nullptr) {
    set_.count = events;
    *why = builder.why();
    return builder.error() == PlanError::kNone ? PlanError::kNoMemory : builder.error();
  }
  counters_[count_++] = {&counter, tree, dimensions};
  return PlanError::kNone;
}

void Plan::NeedEvent(const Definitions& definitions, std::string_view gpu) {
  const Definition* const clock = definitions.Find(gpu, "GRBM_COUNT");
  if (count_ == 0 || set_.count != 0 || clock == nullptr || clock->derived()) return;
  CounterEvent& event = set_.events[set_.count++];
  memcpy(event.block, clock->block.data(), clock->block.size());
  event.event = clock->event;
}

const CounterEvent* Plan::LeadOf(uint32_t index) const {
  const Expression* const lead = FirstEvent(counters_[index].tree);
  return lead == nullptr ? nullptr : &set_.events[lead->event];
}

bool Plan::Evaluate(uint32_t index, const CounterValue* values, uint32_t count, Arena* arena,
                    Series* out) const {
  *out = {};
  return Evaluation(values, count, arena).Of(*counters_[index].tree, out);
}

}  // namespace rtl::counters
