import Check
import Foundation

/// A program that answers cases by a rule.
struct Answerer: ~Copyable {
  let folder: URL

  init(_ rule: String) throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "answers-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = """
      import json, os, sys, time
      for line in sys.stdin:
          case = json.loads(line)
          values = dict(pair.split("=", 1) for pair in case["settings"])
          answer = {"verdict": "passed", "events": 1, "requests": 2, "submissions": 40,
                    "faults": {}, "seen": {}, "programme": "blakjaks", "drawn": []}
          def fail(**more):
              answer["verdict"] = "violated"
              answer["broken"] = {"invariant": "made_up", "facts": "it fails",
                                  "time": 1767600000000000, "members": [1], "events": [],
                                  "part": "service", **more}
          def kept(place):
              text = values.get("check.kept")
              if text is None: return True
              parts = [] if text == "none" else [p.split("-") for p in text.split(",")]
              return any(int(p[0]) <= place <= int(p[-1]) for p in parts)
      \(rule.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
          print(json.dumps(answer), flush=True)
      """
    try text.write(to: folder.appending(path: "answer.py"), atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func worker(limit: Double = 60) -> CaseWorker {
    CaseWorker(
      program: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["python3", folder.appending(path: "answer.py").path], limit: limit)
  }

  /// What makes workers of a campaign.
  var workers: @Sendable () -> CaseWorker {
    let script = folder.appending(path: "answer.py").path
    return {
      CaseWorker(program: URL(fileURLWithPath: "/usr/bin/env"), arguments: ["python3", script])
    }
  }
}
