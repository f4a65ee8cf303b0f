// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "rocprofv3/avail.h"

int main(int argc, char** argv) {
  return rtl::v3::AvailMain(std::vector<std::string>(argv + 1, argv + argc));
}
