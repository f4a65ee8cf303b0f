// SPDX-License-Identifier: MIT
// The program `rtl`.
#include "cli/base/verbs.h"

int main(int argc, char** argv) { return rtl::cli::Main(argc, argv); }
