internal import ArgumentParser
internal import Programmes
internal import RewardModel

/// The program, for commands that take no scenario that names it.
struct ProgrammeOption: ParsableArguments {
  @Option(
    name: .customLong("programme"),
    help: "The program: \(Programmes.ids.joined(separator: ", ")).")
  var id = Programmes.ids[0]

  func validate() throws {
    if Programmes.named(id) == nil {
      throw ValidationError(
        "--programme is '\(id)'; write one of \(Programmes.ids.joined(separator: ", "))")
    }
  }

  /// The program itself.
  var programme: any RewardProgramme.Type { Programmes.named(id) ?? Programmes.all[0] }
}
