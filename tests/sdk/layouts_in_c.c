/* SPDX-License-Identifier: MIT */
#include "layouts.h"
