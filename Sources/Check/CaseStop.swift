internal import Foundation
internal import Quantities
internal import RewardModel
internal import RunStore
internal import Scenario
internal import Service

/// Why an error ended a case.
package enum CaseStop: Equatable {
  /// The settings leave what can be counted.
  case refusal(String)
  /// The machine could not go on: no room on its disk, or a disk that cannot be read or written.
  case machine(String)
  /// Anything else: nothing that the settings say may throw it.
  case defect(String)

  /// What an error means.
  package init(_ error: any Error) {
    switch error {
    case is MoneyError, is any ProgrammeLimit: self = .refusal("\(error)")
    case let errors as InputErrors:
      self = errors.kind == .content ? .refusal(errors.description) : .machine(errors.description)
    case let failure as CampaignFailure: self = .machine(failure.words)
    case let error as RunStoreError where error.kind == .system: self = .machine("\(error)")
    default: self = DiskFailure.words(of: error).map { .machine($0) } ?? .defect("\(error)")
    }
  }
}
