#pragma once

// The part of libpq (PostgreSQL's client library) that Pitboss calls. The library is opened when it is
// first asked for, so that neither the build nor a service in a folder needs it. See
// https://www.postgresql.org/docs/current/libpq.html for what each call does.

typedef struct pg_conn cpq_connection;
typedef struct pg_result cpq_result;

/// What libpq calls ExecStatusType.
enum cpq_status {
  cpq_empty_query = 0,
  cpq_command_ok = 1,
  cpq_tuples_ok = 2,
  cpq_copy_in = 4,
  cpq_fatal_error = 7,
  cpq_pipeline_sync_done = 10,
  cpq_pipeline_aborted = 11,
};

/// Opens the library once. NULL where it is there with all that is called, or why it is not.
const char *cpq_load(void);

/// Of a query's parameters or results: binary.
enum { cpq_binary = 1 };

/// Whether libpq can read an address.
int cpq_is_address(const char *address);
/// Waits ten seconds at most, and takes a server that is silent for half a minute for gone, unless the
/// address says otherwise.
cpq_connection *cpq_connect(const char *address);
int cpq_is_open(const cpq_connection *connection);
const char *cpq_error(const cpq_connection *connection);
int cpq_version(const cpq_connection *connection);
void cpq_finish(cpq_connection *connection);
/// Messages of the server that are no errors are not printed.
void cpq_be_quiet(cpq_connection *connection);

/// From here on sending does not wait, and `cpq_wait` waits for results. 0 where that fails.
int cpq_bound_waits(cpq_connection *connection);
/// Sends what is still to be sent, and waits until `cpq_next_result` does not. 0 where no byte has gone
/// or come for so long.
int cpq_wait(cpq_connection *connection, int milliseconds);
/// Sends what is still to be sent. 0 where no byte has gone or come for so long; where the connection is
/// broken, the next result says so.
int cpq_flush(cpq_connection *connection, int milliseconds);

int cpq_send(cpq_connection *connection, const char *sql);
int cpq_send_query(
    cpq_connection *connection, const char *sql, int count, const unsigned *types,
    const char *const *values, const int *lengths, const int *formats, int result_format);
int cpq_send_prepare(cpq_connection *connection, const char *name, const char *sql);
int cpq_send_prepared(
    cpq_connection *connection, const char *name, int count, const char *const *values,
    const int *lengths, const int *formats, int result_format);
int cpq_enter_pipeline(cpq_connection *connection);
int cpq_exit_pipeline(cpq_connection *connection);
int cpq_sync_pipeline(cpq_connection *connection);
/// Hands over a piece of what a COPY takes. Of what a socket does not take at once libpq moves the rest
/// to the front of its buffer, each time some of it has gone: pieces are to be small, and each is to be
/// gone (`cpq_flush`) before the next.
int cpq_put(cpq_connection *connection, const void *bytes, int count);
int cpq_end_copy(cpq_connection *connection);
cpq_result *cpq_next_result(cpq_connection *connection);

int cpq_result_status(const cpq_result *result);
/// The five letters of an SQLSTATE; NULL where there is none.
const char *cpq_sqlstate(const cpq_result *result);
const char *cpq_result_error(const cpq_result *result);
/// As in "COMMIT" or "ROLLBACK".
const char *cpq_command(cpq_result *result);
int cpq_rows(const cpq_result *result);
const char *cpq_value(const cpq_result *result, int row, int column);
int cpq_length(const cpq_result *result, int row, int column);
int cpq_is_null(const cpq_result *result, int row, int column);
void cpq_clear(cpq_result *result);
