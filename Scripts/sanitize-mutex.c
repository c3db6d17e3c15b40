// What the thread sanitizer does not see of Swift's Mutex on Linux: the library that waits and wakes is
// not built with the sanitizer, so whatever a contended Mutex guards looks like a race. These two stand
// in for its slow paths (LD_PRELOAD, see Scripts/sanitize), and say when one thread hands over to another.
#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// The sanitizer's; missing in programs that are not built with it.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

// Swift passes 'self', the address of the lock's word, as its context.
#define SELF __attribute__((swift_context)) uint32_t *

// Synchronization._MutexHandle._lockSlow(UInt32)
__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF word)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF word) {
  (void)thread;
  while (syscall(SYS_futex, word, FUTEX_LOCK_PI_PRIVATE, 0, NULL) != 0) {
    if (errno != EINTR && errno != EAGAIN) abort();
  }
  if (__tsan_acquire) __tsan_acquire(word);
}

// Synchronization._MutexHandle._unlockSlow()
__attribute__((swiftcall)) void unlock_slow(SELF word)
    __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

__attribute__((swiftcall)) void unlock_slow(SELF word) {
  if (__tsan_release) __tsan_release(word);
  while (syscall(SYS_futex, word, FUTEX_UNLOCK_PI_PRIVATE) != 0) {
    if (errno != EINTR) abort();
  }
}
