internal import NIOCore

/// Runs tasks on the event loops that do the network's work.
///
/// A request then goes from the socket to the writer and back without a change of thread between
/// Swift's pool and NIO's. What blocks for long goes elsewhere: see `Elsewhere`.
final class LoopExecutor: TaskExecutor {
  private let group: any EventLoopGroup

  /// - Parameter group: Where on a loop of it, a task stays there; else any loop takes it. One loop
  ///   is a group of itself.
  init(_ group: any EventLoopGroup) { self.group = group }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    group.any().execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
