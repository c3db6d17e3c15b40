internal import EventKernel
internal import Quantities

/// Codes that members submit besides those of their own tins.
extension BehaviourModel {
  /// A code as somebody mistypes it: a symbol too few, or one that no code has.
  func mistyped(_ code: String, _ stream: inout RandomStream) -> String {
    guard let code = TinCode(code) else { return "0" }
    return mistyped(code, &stream).text
  }

  /// The same of a code that is known to be one.
  func mistyped(_ code: TinCode, _ stream: inout RandomStream) -> TypedCode {
    var typed = TypedCode(code)
    if stream.nextUInt32() & 1 == 0 { typed.removeLast() } else { typed[4] = UInt8(ascii: "0") }
    return typed
  }

  /// A code that somebody makes up.
  func guess(_ stream: inout RandomStream) -> TinCode { TinCode(bits: stream.nextUInt64() >> 4) }
}
