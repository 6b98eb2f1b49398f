/* SPDX-License-Identifier: Apache-2.0
 * Debian's libasmjit.a is compiled for programs: it reads `stderr` by an address that a shared object cannot have. In the shared
 * library this variable of ours stands in its place (-Wl,--wrap=stderr, cmake/install.cmake). */
#include <stdio.h>
extern FILE* __real_stderr;
__attribute__((visibility("hidden"))) FILE* __wrap_stderr;
__attribute__((constructor)) static void take_stderr(void) { __wrap_stderr = __real_stderr; }
