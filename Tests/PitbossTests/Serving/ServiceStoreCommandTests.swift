// `pitboss serve` and `verify` with --store: what is refused before anything is made. What they do with a
// database is tested in ServiceTests, with real servers.
import Foundation
import TestSupport
import Testing

@Suite("Flags of a service's place")
struct ServiceStoreCommandTests {
  struct Wrong: CustomTestStringConvertible {
    var flags: [String]
    var says: String
    var testDescription: String { flags.joined(separator: " ") }
  }

  static let wrong = [
    Wrong(
      flags: ["--data", "x", "--store", "postgres://h/d", "--secrets", "s"],
      says: "give either --data, a folder, or --store, a database"),
    Wrong(flags: ["--store", "postgres://h/d"], says: "--store takes --secrets as well"),
    Wrong(flags: ["--data", "x", "--secrets", "s"], says: "--secrets goes with --store"),
    Wrong(
      flags: ["--store", "mysql://ann:hush@h/d", "--secrets", "s"],
      says: "--store is not an address; write postgres://user@host:5432/database"),
  ]

  @Test("What does not go together is refused, and a password is not repeated", arguments: wrong)
  func refusals(_ wrong: Wrong) throws {
    let bench = try Workbench()
    try bench.write("own.yaml", "name: own\nseed: 1\n")
    for command in ["serve", "verify"] {
      let outcome = try bench.run([command, "own.yaml"] + wrong.flags, environment: [:])
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains(wrong.says), "\(outcome.errors)")
      #expect(!outcome.errors.contains("hush"))
    }
    #expect(try bench.names() == ["own.yaml"])
  }

  @Test("A service without a place is refused")
  func nowhere() throws {
    let bench = try Workbench()
    try bench.write("own.yaml", "name: own\nseed: 1\n")
    let outcome = try bench.run("serve", "own.yaml")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("say where the service is"))
  }

  @Test("A port in use is said in plain words, and no folder is made")
  func takenPort() throws {
    let (socket, port) = try Loopback.listen()
    defer { close(socket) }
    let bench = try Workbench()
    try bench.write("own.yaml", "name: own\nseed: 1\n")
    for command in [["serve", "own.yaml", "--data", "data"], ["studio", "own.yaml"]] {
      let outcome = try bench.run(command + ["--port", "\(port)"], environment: [:])
      #expect(outcome.code == 74)
      #expect(
        outcome.errors
          == "pitboss: cannot serve at 127.0.0.1:\(port): the port is in use already; give another "
          + "one with --port\n")
    }
    #expect(try bench.names() == ["own.yaml"])
  }

  @Test("A database that does not answer ends with 74, its name, and no secrets made")
  func unreachable() throws {
    let bench = try Workbench()
    try bench.write("own.yaml", "name: own\nseed: 1\n")
    let outcome = try bench.run(
      "serve", "own.yaml", "--store", "postgres://ann:hush@127.0.0.1:1/d", "--secrets", "s.json")
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("pitboss: postgres://127.0.0.1:1/d: "), "\(outcome.errors)")
    #expect(!outcome.errors.contains("hush"))
    #expect(try bench.names() == ["own.yaml"])
  }
}
