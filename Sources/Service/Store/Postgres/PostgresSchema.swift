internal import RewardModel
internal import RunStore

/// The tables of a service in PostgreSQL, all in the schema `pitboss`.
///
/// Numbers are `bigint`, as SQLite has them; rows do not refer to each other, as `verify` compares all of
/// them with what the journal gives.
enum PostgresSchema {
  /// The version of the form.
  static let version: Int64 = 2

  /// What a service has besides the program's tables.
  static let common = """
    CREATE SCHEMA IF NOT EXISTS pitboss;
    CREATE TABLE service (
      version bigint NOT NULL, programme text NOT NULL, settings text NOT NULL,
      secrets bytea NOT NULL, started_us bigint
    );
    CREATE TABLE journal (
      sequence bigint NOT NULL PRIMARY KEY,
      time_us bigint NOT NULL,
      key text UNIQUE,
      digest bigint NOT NULL,
      request bytea NOT NULL,
      status bigint NOT NULL,
      problem bigint NOT NULL,
      reply bytea NOT NULL,
      batch bigint NOT NULL
    );
    CREATE TABLE account (
      member bigint NOT NULL PRIMARY KEY,
      email text NOT NULL UNIQUE,
      born text NOT NULL,
      salt bytea NOT NULL,
      hash bytea NOT NULL
    );
    CREATE TABLE state (
      sequence bigint NOT NULL PRIMARY KEY, time_us bigint NOT NULL, bytes bytea NOT NULL,
      digest bytea NOT NULL
    );
    CREATE TABLE bits (
      sequence bigint NOT NULL REFERENCES state ON DELETE CASCADE,
      area bigint NOT NULL, place bigint NOT NULL, bytes bytea NOT NULL,
      PRIMARY KEY (sequence, area, place)
    );
    """

  /// Brings a database of version 1 to this one. Its states have no digests; they only shorten the
  /// way of the next start.
  static let upgrade = """
    DELETE FROM state;
    ALTER TABLE state ADD COLUMN digest bytea NOT NULL;
    UPDATE service SET version = 2
    """

  /// Makes a table with its indexes.
  static func text(_ table: ServedTable) -> String {
    let shape = table.shape
    var lines = shape.columns.map { column in
      "\(RunSchema.quoted(column.storedName)) \(type(column.kind))"
        + (column.isOptional ? "" : " NOT NULL") + (column.isUnique ? " UNIQUE" : "")
    }
    lines.append("PRIMARY KEY (\(keys(shape).joined(separator: ", ")))")
    let made = "CREATE TABLE \(RunSchema.quoted(shape.name)) (\(lines.joined(separator: ", ")));"
    let indexes = table.indexes.map { columns in
      let name = RunSchema.quoted(([shape.name] + columns).joined(separator: "_"))
      let list = columns.map { stored($0, shape) }.joined(separator: ", ")
      return "CREATE INDEX \(name) ON \(RunSchema.quoted(shape.name)) (\(list));"
    }
    return ([made] + indexes).joined(separator: "\n")
  }

  /// Puts rows into a table, given as a list of values a column; a row with the key of another takes its
  /// place.
  static func upsert(_ shape: TableShape) -> String {
    let names = shape.columns.map { RunSchema.quoted($0.storedName) }
    let lists = shape.columns.enumerated().map { "$\($0 + 1)::\(type($1.kind))[]" }
    let key = keys(shape)
    let others = names.filter { !key.contains($0) }
    let change =
      others.isEmpty
      ? "NOTHING"
      : "UPDATE SET " + others.map { "\($0) = EXCLUDED.\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(RunSchema.quoted(shape.name)) (\(names.joined(separator: ", ")))"
      + " SELECT * FROM unnest(\(lists.joined(separator: ", ")))"
      + " ON CONFLICT (\(key.joined(separator: ", "))) DO \(change)"
  }

  /// All columns of a table, in their order.
  static func select(_ shape: TableShape) -> String {
    let names = shape.columns.map { RunSchema.quoted($0.storedName) }
    return "SELECT \(names.joined(separator: ", ")) FROM \(RunSchema.quoted(shape.name))"
  }

  static let journal = """
    INSERT INTO journal (sequence, time_us, key, digest, request, status, problem, reply, batch)
    SELECT *, $9::bigint FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[],
      $5::bytea[], $6::bigint[], $7::bigint[], $8::bytea[])
    """

  static let account = """
    INSERT INTO account (member, email, born, salt, hash)
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[], $5::bytea[])
    """

  /// The columns of an entry of the journal, and its batch.
  static let entry =
    "sequence, time_us, key, digest, request, status, problem, reply, batch FROM journal"

  /// One column of rows as a list.
  static func list(_ rows: [RowChanges.Row], _ column: Int, _ kind: FieldKind) -> PostgresValue {
    switch kind {
    case .whole, .money, .instant, .flag:
      .wholes(rows.map { if case .whole(let number) = $0.values[column] { number } else { nil } })
    case .real:
      .reals(
        rows.map {
          switch $0.values[column] {
          case .real(let number): number
          case .whole(let number): Double(number)
          default: nil
          }
        })
    case .unsigned, .date, .text, .choice:
      .texts(rows.map { if case .text(let text) = $0.values[column] { text } else { nil } })
    }
  }

  /// A value of a column that was read.
  static func value(_ rows: PostgresRows, _ row: Int, _ column: Int, _ kind: FieldKind)
    -> FieldValue
  {
    guard !rows.isAbsent(row, column) else { return .absent }
    return switch kind {
    case .whole, .money, .instant, .flag: .whole(rows.whole(row, column))
    case .real: .real(rows.real(row, column))
    case .unsigned, .date, .text, .choice: .text(rows.text(row, column))
    }
  }

  private static func keys(_ shape: TableShape) -> [String] {
    guard case .columns(let names) = shape.key else {
      fatalError("a service's table has columns as its key")
    }
    return names.map { stored($0, shape) }
  }

  private static func stored(_ name: String, _ shape: TableShape) -> String {
    RunSchema.quoted(shape.columns.first { $0.name == name }?.storedName ?? name)
  }

  private static func type(_ kind: FieldKind) -> String {
    switch kind {
    case .whole, .money, .instant, .flag: "bigint"
    case .real: "double precision"
    case .unsigned, .date, .text, .choice: "text"
    }
  }
}
