// What the address sanitizer takes for granted in processes that a test starts without its environment:
// what Swift keeps until the end of a process is not a leak.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
#endif
#endif
