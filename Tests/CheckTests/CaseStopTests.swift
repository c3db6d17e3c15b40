// Goal: only what the settings cannot count refuses a case; other errors are defects, and a failing disk is
// neither.
// Method: errors of each kind are looked at one by one.
import BlakJaks
import Check
import Foundation
import Quantities
import RewardModel
import Scenario
import Testing

@Suite struct CaseStopTests {
  private let scenario: Scenario

  init() throws { scenario = try Scenario.load(text: "name: x\n", file: "x") }

  @Test func numbersThatCannotBeCountedRefuseACase() throws {
    let most = MicroUSDT(microunits: .max)
    let overflow = #expect(throws: MoneyError.self) { try most.adding(most) }
    for error in [try #require(overflow) as any Error, RunLimit.chipsOfOneMonth] {
      let answer = CaseRunner.stopped(error, scenario)
      #expect(answer.verdict == .refused && answer.broken == nil)
      #expect(answer.refusal == "\(error)")
      #expect(answer.programme == "blakjaks")
    }
  }

  @Test(
    "A disk that is full or fails is neither a refusal nor a broken promise",
    arguments: [
      CocoaError(.fileWriteOutOfSpace), CocoaError(.fileWriteVolumeReadOnly), POSIXError(.ENOSPC),
      POSIXError(.EIO),
      CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.EDQUOT)]),
      CampaignFailure("cannot make a folder"),
    ] as [any Error])
  func disk(_ error: any Error) {
    let answer = CaseRunner.stopped(error, scenario)
    #expect(answer.verdict == .failed && answer.broken == nil)
    #expect(answer.refusal?.isEmpty == false)
  }

  @Test(
    "Any other error is a broken promise that is among the named ones",
    arguments: [
      SavedRunError.otherShape, CocoaError(.fileNoSuchFile), POSIXError(.EINVAL),
      CancellationError(),
    ] as [any Error])
  func defect(_ error: any Error) {
    let answer = CaseRunner.stopped(error, scenario)
    #expect(answer.verdict == .violated && answer.refusal == nil)
    let broken = answer.broken?.invariant
    #expect(CheckedKinds.invariants(BlakJaksProgramme.self).contains { $0.id == broken })
    #expect(answer.broken?.facts == "\(error)")
  }
}
