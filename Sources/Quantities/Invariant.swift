/// Stops the process, with a message, when our own code broke a promise; also under `-O`.
@inlinable
@inline(__always)
public func invariant(
  _ holds: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !holds { fatalError("invariant broken: \(message())", file: file, line: line) }
}
