// Goal: a process that may use two processors of sixty-four does not start sixty-four threads.
// Method: files as Linux shows them, of both versions of control groups, in a folder of the test's own.
import Foundation
import Testing

@testable import EventKernel

@Suite struct ProcessorsTests {
  /// What a control group limits where Linux shows these files.
  private func limit(_ files: [String: String]) throws -> Double? {
    let root = FileManager.default.temporaryDirectory.appending(
      path: "processors-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return ControlGroup(root: root.path).processors
  }

  @Test("A container's share of the processors is what its own or a higher group grants, the least")
  func second() throws {
    let service = "proc/self/cgroup"
    let own = "sys/fs/cgroup/kube/pod/cpu.max"
    let above = "sys/fs/cgroup/kube/cpu.max"
    #expect(try limit([service: "0::/kube/pod\n", own: "150000 100000\n"]) == 1.5)
    #expect(
      try limit([service: "0::/kube/pod\n", own: "max 100000\n", above: "400000 100000\n"]) == 4)
    #expect(
      try limit([service: "0::/kube/pod\n", own: "800000 100000\n", above: "50000 100000\n"])
        == 0.5)
    #expect(try limit([service: "0::/kube/pod\n", own: "max 100000\n"]) == nil)
    let top = "sys/fs/cgroup/cpu.max"
    #expect(try limit([service: "0::/../other\n", top: "300000 100000\n"]) == 3)
  }

  @Test("The first version of control groups is read, too, where the path is seen and where not")
  func first() throws {
    let groups = "9:name=systemd:/\n4:cpu,cpuacct:/docker/a:b\n2:cpuset:/\n0::/\n"
    func files(_ folder: String, share: String) -> [String: String] {
      [
        "proc/self/cgroup": groups, "sys/fs/cgroup/cpu\(folder)/cpu.cfs_quota_us": share,
        "sys/fs/cgroup/cpu\(folder)/cpu.cfs_period_us": "50000\n",
      ]
    }
    #expect(try limit(files("/docker/a:b", share: "125000\n")) == 2.5)
    #expect(try limit(files("", share: "100000\n")) == 2)
    #expect(try limit(files("/docker/a:b", share: "-1\n")) == nil)
    // Sets of processors and accounts of time limit nothing.
    #expect(
      try limit([
        "proc/self/cgroup": "3:cpuset:/a\n2:cpuacct:/a\n",
        "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "100000",
        "sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "100000",
      ]) == nil)
  }

  @Test(
    "What cannot be read limits nothing",
    arguments: [
      [:], ["proc/self/cgroup": ""], ["proc/self/cgroup": "nonsense\n::\n0:"],
      ["proc/self/cgroup": "0::/\n"],
      ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "much 100000"],
      ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "100000 0"],
      ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "0 100000"],
      ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "100000"],
      ["proc/self/cgroup": "4:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "100000"],
    ])
  func unreadable(_ files: [String: String]) throws {
    #expect(try limit(files) == nil)
  }

  @Test("A part of a processor counts as one, and nobody has more than there are")
  func counted() {
    #expect(Processors.least(of: 64, limit: nil) == 64)
    #expect(Processors.least(of: 64, limit: 1.5) == 2)
    #expect(Processors.least(of: 64, limit: 0.01) == 1)
    #expect(Processors.least(of: 2, limit: 1e9) == 2)
    #expect(Processors.least(of: 2, limit: Double(Int.max)) == 2)
    #expect(Processors.least(of: 0, limit: nil) == 1)
    #expect((1...ProcessInfo.processInfo.activeProcessorCount).contains(Processors.usable))
  }
}
