// SPDX-License-Identifier: MIT
#include "model/losses.h"

namespace rtl {

const char* LossName(Loss loss) {
  static constexpr const char* kNames[] = {
#define X(name, text) #name,
      RTL_LOSSES(X)
#undef X
  };
  return kNames[static_cast<size_t>(loss)];
}

const char* LossText(Loss loss) {
  static constexpr const char* kTexts[] = {
#define X(name, text) text,
      RTL_LOSSES(X)
#undef X
  };
  return kTexts[static_cast<size_t>(loss)];
}

const char* FindLossText(std::string_view name) {
  for (size_t i = 0; i < kLossCount; ++i) {
    if (name == LossName(static_cast<Loss>(i))) return LossText(static_cast<Loss>(i));
  }
  // Earlier versions had one cause where there are three now.
  if (name == "kUnseen") return "the tracer did not get the packet: taken early, or not submitted";
  return nullptr;
}

bool IsLeftOut(Loss loss) {
  return loss == Loss::kBatch || loss == Loss::kHasSignal || loss == Loss::kPaused ||
         loss == Loss::kOutOfWindow;
}

}  // namespace rtl
