internal import CFuzzer
internal import Foundation
internal import FuzzTargets

/// Feeds one target with what libFuzzer makes: `pitboss-fuzz --target=NAME [FLAGS] [FOLDERS]`.
///
/// libFuzzer passes over flags with two hyphens, and hands them to the processes that it starts.
@main
enum Fuzzer {
  private static let flag = "--target="
  /// The one that the command line names.
  private static let target = CommandLine.arguments.first { $0.hasPrefix(flag) }
    .flatMap { FuzzTarget.named(String($0.dropFirst(flag.count))) }

  static func main() {
    guard target != nil else {
      for target in FuzzTarget.all { print("\(flag)\(target.name)  \(target.about)") }
      exit(64)
    }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
      LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
        _ = Fuzzer.target?.run(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
      })
  }
}
