internal import Foundation
internal import Quantities
internal import RewardModel

// Requests as a journal keeps them.
extension BlakJaksMachine {
  /// What follows a form's first byte.
  private enum Form {
    static let steps: UInt8 = 0
    static let scan: UInt8 = 1
    static let bulk: UInt8 = 2
    static let submitted: UInt8 = 3
  }

  /// A scan is most of what happens, and has a short form. Before the steps of a confirmation is when
  /// its payout was submitted, where that is known.
  package static func encode(_ request: Request) throws -> [UInt8] {
    if request.steps.count == 1, case .scan(let member?, let code) = request.steps[0] {
      return withUnsafeBytes(of: member.littleEndian) { [Form.scan] + $0 } + code.utf8
    }
    let steps = try JSONEncoder().encode(request.steps)
    if let submitted = request.submitted {
      let instant = submitted.microseconds.littleEndian
      return withUnsafeBytes(of: instant) { [Form.submitted] + $0 } + steps
    }
    return [request.isBulk ? Form.bulk : Form.steps] + steps
  }

  /// Reads all forms.
  package static func decode(_ bytes: [UInt8]) throws -> Request {
    if bytes.first == Form.scan, bytes.count >= 5 {
      let member = UInt32(truncatingIfNeeded: littleEndian(bytes[1...4]))
      return Request(.scan(member: member, code: String(decoding: bytes[5...], as: UTF8.self)))
    }
    let isSubmitted = bytes.first == Form.submitted && bytes.count >= 9
    let text = Data(bytes.dropFirst(isSubmitted ? 9 : 1))
    let steps = try JSONDecoder().decode([ProgrammeRequest].self, from: text)
    var request = Request(steps: steps, isBulk: bytes.first == Form.bulk)
    if isSubmitted {
      let bits = littleEndian(bytes[1...8])
      request.submitted = Instant(microseconds: Int64(bitPattern: bits))
    }
    return request
  }

  /// The number that 8 bytes or fewer say, the lowest first.
  private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
