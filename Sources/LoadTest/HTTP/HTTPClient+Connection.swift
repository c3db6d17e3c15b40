extension HTTPClient {
  /// What a connection is about.
  enum State { case closed, connecting, idle, busy }

  /// One connection with the request that is on it.
  struct Connection {
    var socket: Int32 = -1
    var state = State.closed
    /// Distinguishes it from those that had its place before.
    var generation: UInt32 = 0
    var tag: UInt32 = 0
    var output: [UInt8] = []
    var sent = 0
    /// What has come of an answer, and how far it was read.
    var input: [UInt8] = []
    var parser = ResponseParser()
    /// Whether it has brought an answer before, and a byte of the one that is waited for.
    var isKept = false
    var hasBegun = false
    var deadline: Int64 = 0
    /// Nil where bytes go as they are.
    var tls: TLSSession?
  }
}
