import Dispatch

/// Serial executor for a blocking library: 40 ms of argon2id must not stand on a thread of the cooperative pool.
final class HashingQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "argon2")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
