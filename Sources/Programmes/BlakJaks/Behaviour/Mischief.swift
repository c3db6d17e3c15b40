internal import EventKernel
internal import Quantities

/// Codes that members submit besides those of their own tins.
extension BehaviourModel {
  /// A code as somebody mistypes it: a symbol too few, or one that no code has.
  func mistyped(_ code: String, _ stream: inout RandomStream) -> String {
    var symbols = Array(code.utf8)
    guard symbols.count > 4 else { return "0" }
    if stream.nextUInt32() & 1 == 0 {
      symbols.removeLast()
    } else {
      symbols[4] = UInt8(ascii: "0")
    }
    return String(decoding: symbols, as: UTF8.self)
  }

  /// A code that somebody makes up.
  func guess(_ stream: inout RandomStream) -> TinCode { TinCode(bits: stream.nextUInt64() >> 4) }
}
