// SPDX-License-Identifier: MIT
// The main function of the program `rtl`.
#include "cli/base/verbs.h"

int main(int argc, char** argv) { return rtl::cli::Main(argc, argv); }
