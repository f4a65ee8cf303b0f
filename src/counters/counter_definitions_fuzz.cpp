// SPDX-License-Identifier: MIT
// Fuzzes the readers of counter definitions, and the evaluation of their expressions.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "counters/plan.h"
#include "counters/words.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rtl::counters;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // An error is a valid result.
  Arena arena;
  Expression* tree = nullptr;
  (void)ParseExpression(text, &arena, &tree);
  Word word;
  std::string_view rest = text;
  while (!NextWord(&rest).empty()) {
  }
  (void)ReadWord(text, &word);
  Definitions known;
  (void)known.Append(text, "fuzz");
  for (uint32_t number = 1; number <= known.count() && number < 64; ++number) {
    const Definition& counter = known.at(number);
    if (counter.gpu_count == 0) continue;
    const auto plan = std::make_unique<Plan>();
    rtl::Status why = rtl::Status::Ok();
    if (plan->Add(known, counter.gpus[0], counter, nullptr, &why) != PlanError::kNone) continue;
    CounterValue values[8];
    for (uint32_t i = 0; i < 8; ++i) {
      values[i].event = i % (plan->set().count + 1);
      values[i].position[i % kCounterDimensions] = static_cast<uint16_t>(i);
      values[i].value = i;
    }
    Series series;
    (void)plan->Evaluate(0, values, 8, &arena, &series);
  }
  return 0;
}
