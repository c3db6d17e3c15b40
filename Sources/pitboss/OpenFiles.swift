internal import Foundation

/// Files that this process may have open at once; a connection is one.
enum OpenFiles {
  /// Raises the limit as far as the system lets us, and says where it is.
  static func most() -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    getrlimit(resource, &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
    getrlimit(resource, &limit)
    return max(Int(clamping: limit.rlim_cur), 512)
  }
}
