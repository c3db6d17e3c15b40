#define _GNU_SOURCE
#include "CKernel.h"

#if defined(__linux__)
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int ck_epoll_wait(int epoll, struct epoll_event *events, int most, int64_t nanoseconds) {
#if defined(SYS_epoll_pwait2)
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  long answer =
      syscall(SYS_epoll_pwait2, epoll, events, most, nanoseconds < 0 ? NULL : &time, NULL, 0);
  if (answer >= 0 || errno != ENOSYS) return (int)answer;
#endif
  return epoll_wait(epoll, events, most, nanoseconds < 0 ? -1 : (int)((nanoseconds + 999999) / 1000000));
}
#endif
