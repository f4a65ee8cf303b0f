// SPDX-License-Identifier: MIT
// fail_nth.h: what the parts of fail_nth.so know of each other.
#pragma once

// What is asked for in the environment now. Before main, and again in each forked run.
void ReadWish();

// Whether the function of this name that somebody looks up is the one whose results are kept.
bool KeepsActions(const char* name);
// In place of dlsym for that name.
void* FindKeptAction(void* library, const char* name);
