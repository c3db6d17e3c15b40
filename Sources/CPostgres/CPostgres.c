#include "CPostgres.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>

// Each call of libpq by its own name: its result, and its parameters.
#define CALLS(X)                                                                                     \
  X(cpq_connection *, PQconnectdbParams, (const char *const *, const char *const *, int))             \
  X(void *, PQconninfoParse, (const char *, char **))                                                \
  X(void, PQconninfoFree, (void *))                                                                  \
  X(int, PQstatus, (const cpq_connection *))                                                         \
  X(char *, PQerrorMessage, (const cpq_connection *))                                                \
  X(int, PQserverVersion, (const cpq_connection *))                                                  \
  X(void, PQfinish, (cpq_connection *))                                                              \
  X(void *, PQsetNoticeProcessor, (cpq_connection *, void (*)(void *, const char *), void *))        \
  X(int, PQsetnonblocking, (cpq_connection *, int))                                                  \
  X(int, PQsocket, (const cpq_connection *))                                                         \
  X(int, PQflush, (cpq_connection *))                                                                \
  X(int, PQisBusy, (cpq_connection *))                                                               \
  X(int, PQconsumeInput, (cpq_connection *))                                                         \
  X(int, PQsendQuery, (cpq_connection *, const char *))                                              \
  X(int, PQsendQueryParams,                                                                          \
    (cpq_connection *, const char *, int, const unsigned *, const char *const *, const int *,        \
     const int *, int))                                                                              \
  X(int, PQsendPrepare,                                                                              \
    (cpq_connection *, const char *, const char *, int, const unsigned *))                           \
  X(int, PQsendQueryPrepared,                                                                        \
    (cpq_connection *, const char *, int, const char *const *, const int *, const int *, int))       \
  X(int, PQenterPipelineMode, (cpq_connection *))                                                    \
  X(int, PQexitPipelineMode, (cpq_connection *))                                                     \
  X(int, PQpipelineSync, (cpq_connection *))                                                         \
  X(int, PQputCopyData, (cpq_connection *, const char *, int))                                       \
  X(int, PQputCopyEnd, (cpq_connection *, const char *))                                             \
  X(cpq_result *, PQgetResult, (cpq_connection *))                                                   \
  X(int, PQresultStatus, (const cpq_result *))                                                       \
  X(char *, PQresultErrorField, (const cpq_result *, int))                                           \
  X(char *, PQresultErrorMessage, (const cpq_result *))                                              \
  X(char *, PQcmdStatus, (cpq_result *))                                                             \
  X(int, PQntuples, (const cpq_result *))                                                            \
  X(char *, PQgetvalue, (const cpq_result *, int, int))                                              \
  X(int, PQgetlength, (const cpq_result *, int, int))                                                \
  X(int, PQgetisnull, (const cpq_result *, int, int))                                                \
  X(void, PQclear, (cpq_result *))

#define DECLARE(result, name, parameters) static result(*name) parameters;
CALLS(DECLARE)

static const char *problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  // PQenterPipelineMode came with PostgreSQL 14, the oldest one that is served.
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    problem = "libpq.so.5 is missing";
    return;
  }
#define FIND(result, name, parameters)                                                               \
  name = (result(*) parameters)dlsym(library, #name);                                                \
  if (name == NULL) {                                                                                \
    problem = "libpq.so.5 is older than version 14";                                                 \
    return;                                                                                          \
  }
  CALLS(FIND)
}

const char *cpq_load(void) {
  pthread_once(&once, load);
  return problem;
}

int cpq_is_address(const char *address) {
  void *options = PQconninfoParse(address, NULL);
  if (options == NULL) return 0;
  PQconninfoFree(options);
  return 1;
}

cpq_connection *cpq_connect(const char *address) {
  // What stands in the address comes later, and counts.
  const char *names[] = {"connect_timeout",    "application_name", "keepalives_idle",
                         "keepalives_interval", "keepalives_count", "tcp_user_timeout",
                         "dbname",              NULL};
  const char *values[] = {"10", "pitboss", "10", "5", "3", "30000", address, NULL};
  return PQconnectdbParams(names, values, 1);
}
int cpq_is_open(const cpq_connection *connection) { return PQstatus(connection) == 0; }
const char *cpq_error(const cpq_connection *connection) { return PQerrorMessage(connection); }
int cpq_version(const cpq_connection *connection) { return PQserverVersion(connection); }
void cpq_finish(cpq_connection *connection) { PQfinish(connection); }

static void say_nothing(void *context, const char *message) {
  (void)context;
  (void)message;
}
void cpq_be_quiet(cpq_connection *connection) {
  PQsetNoticeProcessor(connection, say_nothing, NULL);
}

int cpq_bound_waits(cpq_connection *connection) { return PQsetnonblocking(connection, 1) == 0; }

// Waits for bytes to come, or to go where some are unsent, and takes those that came. 0 where none did
// for so long, -1 where the connection is broken.
static int wait_for_bytes(cpq_connection *connection, int unsent, int milliseconds) {
  struct pollfd watched = {PQsocket(connection), POLLIN | (unsent ? POLLOUT : 0), 0};
  int ready = poll(&watched, 1, milliseconds);
  if (ready <= 0) return ready < 0 && errno == EINTR ? 1 : ready;
  return (watched.revents & ~POLLOUT) && !PQconsumeInput(connection) ? -1 : 1;
}

int cpq_wait(cpq_connection *connection, int milliseconds) {
  for (;;) {
    int unsent = PQflush(connection);
    // What went wrong, the next result tells.
    if (unsent < 0 || !PQisBusy(connection) || PQsocket(connection) < 0) return 1;
    int came = wait_for_bytes(connection, unsent, milliseconds);
    if (came <= 0) return came < 0;
  }
}
int cpq_flush(cpq_connection *connection, int milliseconds) {
  for (;;) {
    if (PQflush(connection) <= 0 || PQsocket(connection) < 0) return 1;
    int came = wait_for_bytes(connection, 1, milliseconds);
    if (came <= 0) return came < 0;
  }
}

int cpq_send(cpq_connection *connection, const char *sql) { return PQsendQuery(connection, sql); }
int cpq_send_query(
    cpq_connection *connection, const char *sql, int count, const unsigned *types,
    const char *const *values, const int *lengths, const int *formats, int result_format) {
  return PQsendQueryParams(connection, sql, count, types, values, lengths, formats, result_format);
}
int cpq_send_prepare(cpq_connection *connection, const char *name, const char *sql) {
  return PQsendPrepare(connection, name, sql, 0, NULL);
}
int cpq_send_prepared(
    cpq_connection *connection, const char *name, int count, const char *const *values,
    const int *lengths, const int *formats, int result_format) {
  return PQsendQueryPrepared(connection, name, count, values, lengths, formats, result_format);
}
int cpq_enter_pipeline(cpq_connection *connection) { return PQenterPipelineMode(connection); }
int cpq_exit_pipeline(cpq_connection *connection) { return PQexitPipelineMode(connection); }
int cpq_sync_pipeline(cpq_connection *connection) { return PQpipelineSync(connection); }
int cpq_put(cpq_connection *connection, const void *bytes, int count) {
  return PQputCopyData(connection, bytes, count);
}
int cpq_end_copy(cpq_connection *connection) { return PQputCopyEnd(connection, NULL); }
cpq_result *cpq_next_result(cpq_connection *connection) { return PQgetResult(connection); }

int cpq_result_status(const cpq_result *result) { return PQresultStatus(result); }
const char *cpq_sqlstate(const cpq_result *result) { return PQresultErrorField(result, 'C'); }
const char *cpq_result_error(const cpq_result *result) { return PQresultErrorMessage(result); }
const char *cpq_command(cpq_result *result) { return PQcmdStatus(result); }
int cpq_rows(const cpq_result *result) { return PQntuples(result); }
const char *cpq_value(const cpq_result *result, int row, int column) {
  return PQgetvalue(result, row, column);
}
int cpq_length(const cpq_result *result, int row, int column) {
  return PQgetlength(result, row, column);
}
int cpq_is_null(const cpq_result *result, int row, int column) {
  return PQgetisnull(result, row, column);
}
void cpq_clear(cpq_result *result) { PQclear(result); }
