// Goal: the same run gives the same fingerprint for any number of threads, in debug and release
// builds, in a fresh process, and with another C library, on every scenario.
// Method: the real program runs each scenario at reduced size; Results/reference holds what the
// release build gave (Scripts/reference writes it anew). Before one of the runs is loaded a library whose
// logarithms, powers and their like are off by one unit in the last place.
import Foundation
import TestSupport
import Testing

private let root = Checkout.root

private let scenarios =
  ((try? FileManager.default.contentsOfDirectory(
    atPath: root.appendingPathComponent("Scenarios").path)) ?? [])
  .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()

/// Functions of numbers that differ in their last bits from the system's.
private enum OtherLibrary {
  /// Its file, for as long as the tests run; nil where no compiler is there to make it.
  static let file: String? = {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("other-libm-\(UUID().uuidString).so").path
    let clang = Process()
    clang.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    clang.arguments = [
      "clang", "-O1", "-fPIC", "-shared", "-fno-builtin", "-o", file,
      root.appendingPathComponent("Scripts/other-libm.c").path,
    ]
    guard (try? clang.run()) != nil else { return nil }
    clang.waitUntilExit()
    return clang.terminationStatus == 0 ? file : nil
  }()

  /// What loads it before the system's, if it is there.
  static func environment(sayingSoIn name: String) -> [String: String] {
    file.map { ["LD_PRELOAD": $0, "OTHER_LIBM_FILE": name] } ?? [:]
  }
}

@Suite(.tags(.slow)) struct ReferenceTests {
  @Test func everyScenarioIsTested() { #expect(scenarios.count >= 5) }

  @Test(.enabled(if: OtherLibrary.file != nil, "no clang to make another C library with"))
  func anotherCLibraryIsLoadedBeforeTheSystems() throws {
    let bench = try Workbench()
    let run = try bench.run(
      "--version", environment: OtherLibrary.environment(sayingSoIn: "loaded"))
    #expect(run.code == 0, "\(run.errors)")
    #expect(try bench.names().contains("loaded"))
  }

  @Test("A scenario gives its reference for 1, 2 and 8 threads", arguments: scenarios)
  func reference(name: String) throws {
    let file = root.appendingPathComponent("Results/reference/\(name).txt")
    let expected = try String(contentsOf: file, encoding: .utf8)
    let bench = try Workbench()
    for threads in ["1", "2", "8"] {
      let run = try bench.run(
        "run", root.appendingPathComponent("Scenarios/\(name).yaml").path, "--set",
        "population.members=3000", "--set", "population.adoption.per_day=5", "--threads", threads,
        "--out", "run", "--plotly", "cdn",
        environment: threads == "8" ? OtherLibrary.environment(sayingSoIn: "loaded") : [:])
      // Thresholds are written for the scenario's own size.
      #expect([0, 99].contains(run.code), "\(run.errors)")
      let line = run.output.split(separator: "\n").first { $0.hasPrefix("Fingerprint") } ?? ""
      let seen = "\(line)\n" + (try bench.read("run/months.csv"))
      #expect(
        seen == expected,
        "replay: pitboss run \(name) --threads \(threads) --set population.members=3000")
    }
  }
}
