private import Foundation

/// The processors that this process may use.
public enum Processors {
  /// How many threads can work at once; 1 or more.
  ///
  /// As many as there are processors that the process may run on, or fewer where a control group of Linux limits
  /// their time, as it does in a container: more threads than that would use up their share sooner and then all
  /// stand still until the next one. A part of a processor counts as one. Read once.
  public static let usable = least(
    of: ProcessInfo.processInfo.activeProcessorCount, limit: ControlGroup().processors)

  static func least(of present: Int, limit: Double?) -> Int {
    max(1, min(present, limit.map { Int(min($0, Double(present)).rounded(.up)) } ?? present))
  }
}

/// The limits that Linux sets to a group of processes, of both versions of its interface.
///
/// See "CPU Interface Files" in the kernel's `Documentation/admin-guide/cgroup-v2.rst` and
/// `Documentation/scheduler/sched-bwc.rst`.
struct ControlGroup {
  /// The folder in which `proc` and `sys` are.
  var root = "/"

  /// How many processors' time the process may take, the least of its group's and those above; nil where nothing
  /// limits it, and on other systems.
  var processors: Double? {
    guard let groups = text("proc/self/cgroup") else { return nil }
    return groups.split(separator: "\n").compactMap { line -> Double? in
      // A number, the controllers, the group's path, which may have colons itself.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return nil }
      let controllers = fields[1].split(separator: ",")
      if fields[1].isEmpty { return least(of: fields[2], below: "sys/fs/cgroup", Self.second) }
      guard controllers.contains("cpu") else { return nil }
      return least(of: fields[2], below: "sys/fs/cgroup/cpu", Self.first)
    }.min()
  }

  /// The least of what is granted to a group and to those above. A container may see its own group as the topmost,
  /// whatever the path says.
  private func least(
    of path: Substring, below top: String, _ granted: (ControlGroup, String) -> Double?
  ) -> Double? {
    var names = path.split(separator: "/").filter { $0 != ".." }
    var limits: [Double] = []
    while true {
      let folder = ([top[...]] + names).joined(separator: "/")
      if let limit = granted(self, folder) { limits.append(limit) }
      if names.popLast() == nil { return limits.min() }
    }
  }

  /// Of the second version: `150000 100000` grants one and a half processors, `max 100000` all.
  private static func second(_ group: ControlGroup, _ folder: String) -> Double? {
    let words = group.text("\(folder)/cpu.max")?.split(whereSeparator: \.isWhitespace) ?? []
    return words.count == 2 ? ratio(words[0], words[1]) : nil
  }

  /// Of the first version, a file each for share and period; a share of -1 grants all.
  private static func first(_ group: ControlGroup, _ folder: String) -> Double? {
    guard let share = group.text("\(folder)/cpu.cfs_quota_us"),
      let period = group.text("\(folder)/cpu.cfs_period_us")
    else { return nil }
    return ratio(share[...], period[...])
  }

  private static func ratio(_ share: Substring, _ period: Substring) -> Double? {
    func number(_ text: Substring) -> Double? {
      Int(text.trimmingCharacters(in: .whitespacesAndNewlines)).map(Double.init)
    }
    guard let share = number(share), let period = number(period), share > 0, period > 0 else {
      return nil
    }
    return share / period
  }

  private func text(_ path: String) -> String? {
    let file = URL(fileURLWithPath: root).appendingPathComponent(path)
    return try? String(contentsOf: file, encoding: .utf8)
  }
}
