internal import ArgumentParser
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario
internal import Service

/// `pitboss verify SCENARIO --data DIR`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Audits a service's folder: its journal against the rules.",
    discussion: """
      Commits the journal again from its first request, by the rules alone, and holds against it \
      every reply that was given, every row of the tables, and what must always hold of the \
      program. The service has to be stopped. Exit code 111 when anything differs.
      """)

  @Argument(help: "The scenario that is served.")
  var scenario: String

  @Option(help: "The service's folder.")
  var data: String

  @OptionGroup var source: ScenarioOptions

  func run() throws {
    let folder = URL(fileURLWithPath: data)
    let file = folder.appending(path: "service.sqlite").path
    guard FileManager.default.fileExists(atPath: file) else {
      complain("pitboss: \(ServiceError.missing(path: data))")
      throw ExitStatus.badInput
    }
    try audit(try source.scenario(scenario).plan(), folder)
  }

  private func audit(_ plan: some RunPlan, _ folder: URL) throws {
    guard let served = type(of: plan).served else {
      complain("\(scenario): \(ServeCommand.unserved(programme(of: plan)))")
      throw ExitStatus.badInput
    }
    try audit(served, plan, folder)
  }

  private func programme<Plan: RunPlan>(of plan: Plan) -> String { Plan.Programme.id }

  private func audit<Served: ServedProgramme>(
    _ served: Served.Type, _ plan: some RunPlan, _ folder: URL
  ) throws {
    guard let settings = plan.settings as? Served.Settings else {
      fatalError("a plan has the settings of its program")
    }
    let audit = try reportingServiceFailures(data) {
      let scratch = try ScratchFolder("verify")
      return try ServiceAudit(
        Served.self, folder: folder, frame: plan.frame, settings: settings, scratch: scratch.url)
    }
    try printResult(
      """
      Requests   \(audit.requests.grouped), \(audit.keys.grouped) of them with a client's key
      Audit      \(audit.problems.isEmpty
        ? "every reply, row and sum is what the rules give" : "\(audit.problems.count) problems")

      """)
    guard !audit.problems.isEmpty else { return }
    for problem in audit.problems { complain("pitboss: \(problem)") }
    throw ExitStatus.invariantViolated
  }
}

extension RunPlan {
  /// The program as a service knows it; nil where it has none.
  static var served: (any ServedProgramme.Type)? { Programme.self as? any ServedProgramme.Type }
}
