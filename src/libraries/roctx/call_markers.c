// SPDX-License-Identifier: MIT
// The program for the library that marker_program.c makes with undefined roctx functions.
int RunMarkers(void);

int main(void) { return RunMarkers(); }
