// SPDX-License-Identifier: MIT
// fail_nth.h: the interface between the parts of fail_nth.so.
#pragma once

// Reads the request from the environment. Runs before main, and again in each forked run.
void ReadWish();

// Whether this function's results are kept, so that its look-up returns a replacement.
bool KeepsActions(const char* name);
// In place of dlsym for that name.
void* FindKeptAction(void* library, const char* name);
