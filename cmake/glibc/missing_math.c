/* SPDX-License-Identifier: MIT
 * glibc 2.29 has new versions of these, without the error handling of SVID; programs get those before. */
#define OLDER(name, ...) __asm__(".symver older_" #name ", " #name "@GLIBC_2.2.5")
#define HIDDEN __attribute__((visibility("hidden")))

OLDER(exp);
OLDER(log);
OLDER(log2);
OLDER(exp2);
OLDER(pow);
extern double older_exp(double), older_log(double), older_log2(double), older_exp2(double);
extern double older_pow(double, double);
HIDDEN double exp(double x) { return older_exp(x); }
HIDDEN double log(double x) { return older_log(x); }
HIDDEN double log2(double x) { return older_log2(x); }
HIDDEN double exp2(double x) { return older_exp2(x); }
HIDDEN double pow(double x, double y) { return older_pow(x, y); }
