#pragma once
#include <stddef.h>
#include <stdint.h>

// Of libFuzzer without a main of its own: https://llvm.org/docs/LibFuzzer.html
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *bytes, size_t count));
