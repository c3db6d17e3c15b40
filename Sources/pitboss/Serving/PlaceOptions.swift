internal import ArgumentParser
internal import Foundation
internal import Service

/// Where a service is: a folder, or a PostgreSQL database.
struct PlaceOptions: ParsableArguments {
  @Option(help: "The service's folder; serve makes it where it is missing.")
  var data: String?

  @Option(
    help: ArgumentHelp(
      """
      Instead of a folder a PostgreSQL database, as in postgres://user@host/database; several \
      processes may share it. Leave a password to PGPASSWORD or ~/.pgpass.
      """, valueName: "address"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "With --store: the file of the service's secrets; the first start makes it, and every "
        + "process needs a copy.", valueName: "file"))
  var secrets: String?

  /// Whether neither was given.
  var isEmpty: Bool { data == nil && store == nil && secrets == nil }

  /// - Throws: `ValidationError` for what does not go together.
  func validate() throws {
    if data == "" { throw ValidationError("--data is empty; give a folder") }
    guard data == nil || store == nil else {
      throw ValidationError("give either --data, a folder, or --store, a database")
    }
    guard (store == nil) == (secrets == nil) else {
      throw ValidationError(
        store == nil
          ? "--secrets goes with --store; a folder has its own"
          : "--store takes --secrets as well: the file of the service's secrets")
    }
    if let store, PostgresAddress(store) == nil {
      // What it is may have a password in it.
      throw ValidationError("--store is not an address; write postgres://user@host:5432/database")
    }
  }

  /// - Throws: `ValidationError` for a seed of a service, which would do nothing.
  func refuseSeed(_ seed: String?) throws {
    guard seed != nil else { return }
    throw ValidationError(
      "--seed has no effect on a service: its codes and draws come from its secrets; leave it out")
  }

  /// The place; nil where none was given.
  var place: ServicePlace? {
    if let store, let secrets, let address = PostgresAddress(store) {
      return .postgres(address, secrets: URL(fileURLWithPath: secrets))
    }
    return data.map { .folder(URL(fileURLWithPath: $0)) }
  }
}
