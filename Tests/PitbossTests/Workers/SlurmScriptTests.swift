// Goal: an experiment in parts on Slurm has its results once, whatever becomes of the task that merges.
// Method: the script of the array in place of Slurm, with a program of two lines that can be told to fail.
import Foundation
import TestSupport
import Testing

private let root = Checkout.root

@Suite struct SlurmScriptTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "slurm-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Writes a part; merges where nothing says that it is to fail.
    try """
    #!/bin/bash
    out=${@: -1}
    if [ "$1" = merge ]; then [ ! -e fail ] && mkdir "$out"; else echo part >"$out"; fi

    """.write(to: folder.appending(path: "program"), atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.appending(path: "program").path)
  }

  /// Runs one task of an array of two.
  private func task(_ number: Int) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      root.appending(path: "Scripts/cluster/slurm-array.sh").path, "project", "tiny.yaml",
    ]
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": "/usr/bin:/bin", "PROGRAM": "./program", "SLURM_ARRAY_JOB_ID": "7",
      "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_ID": "\(number)",
    ]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private var hasResults: Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: "parts/7/results").path)
  }

  @Test("The last task merges, and a task that is run again leaves the results alone")
  func merges() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try task(1) == 0)
    #expect(!hasResults)
    #expect(try task(2) == 0)
    #expect(hasResults)
    #expect(try task(1) == 0)
  }

  @Test("A merge that ended is made by the task that is put in the queue again")
  func again() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try task(1)
    let fail = folder.appending(path: "fail")
    try Data().write(to: fail)
    #expect(try task(2) != 0)
    #expect(!hasResults)
    try FileManager.default.removeItem(at: fail)
    #expect(try task(2) == 0)
    #expect(hasResults)
  }

  @Test("A task that was killed in the middle of merging still has the turn when it comes again")
  func killed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try task(1)
    let turn = folder.appending(path: "parts/7/merging")
    try FileManager.default.createSymbolicLink(atPath: turn.path, withDestinationPath: "2")
    #expect(try task(1) == 0)
    #expect(!hasResults)
    #expect(try task(2) == 0)
    #expect(hasResults)
  }
}
