// Goal: what is wrong with a run that cannot be read is said as it is.
// Method: files and folders without rights, read without root's.

import BlakJaks
import Foundation
import RunStore
import Testing

@Suite struct HiddenRunTests {
  /// In a process of its own, which gives up root's rights first.
  @Test func aRunThatMayNotBeReadIsCalledNothingElse() async {
    await #expect(processExitsWith: .success) {
      let folder = NSTemporaryDirectory() + "pitboss-hidden-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      for name in ["file", "folder"] { try RunFolder.write(smallRecord(), to: "\(folder)/\(name)") }
      guard chmod("\(folder)/file/run.sqlite", 0) == 0, chmod("\(folder)/folder", 0) == 0,
        geteuid() != 0 || seteuid(65_534) == 0
      else { exit(1) }
      for (name, path) in [("file", "\(folder)/file/run.sqlite"), ("folder", "\(folder)/folder")] {
        var refusal: RunStoreError?
        do throws(RunStoreError) {
          _ = try readRun("\(folder)/\(name)")
        } catch {
          refusal = error
        }
        #expect(
          refusal?.description
            == "\(path): cannot be read: Permission denied; check its permissions")
      }
      let audit = try RunAudit("\(folder)/file", of: [BlakJaksProgramme.self])
      #expect(audit.problems == ["\(folder)/file/run.sqlite: is missing or cannot be read"])
      if getuid() == 0 { _ = seteuid(0) }
      _ = chmod("\(folder)/folder", 0o700)
    }
  }
}
