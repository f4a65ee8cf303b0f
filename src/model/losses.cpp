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

bool IsSkip(Loss loss) {
  return loss == Loss::kBatch || loss == Loss::kHasSignal || loss == Loss::kPaused ||
         loss == Loss::kOutOfWindow;
}

}  // namespace rtl
