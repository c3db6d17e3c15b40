// CK_WIDTHS, before a function: compiled for several kinds of x86 processors.
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// The loader chooses before the sanitizer has begun, which then ends the process.
#define CK_ONE_WIDTH
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(CK_ONE_WIDTH)
#define CK_WIDTHS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CK_WIDTHS
#endif
