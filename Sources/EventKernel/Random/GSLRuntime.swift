internal import CGSL

/// GSL made safe for a process: errors come back as status codes instead of aborting.
package enum GSLRuntime {
  /// Turns GSL's aborting error handler off, once for the process. Call before any GSL call.
  @inline(__always)
  package static func prepare() { _ = handlerIsOff }

  private static let handlerIsOff: Bool = {
    gsl_set_error_handler_off()
    return true
  }()
}
