// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "rocprofv3/run.h"

int main(int argc, char** argv) {
  return rtl::v3::Main(std::vector<std::string>(argv + 1, argv + argc));
}
