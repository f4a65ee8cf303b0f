// SPDX-License-Identifier: MIT
// The program around the library that marker_program.c makes with its roctx functions unresolved.
int RunMarkers(void);

int main(void) { return RunMarkers(); }
