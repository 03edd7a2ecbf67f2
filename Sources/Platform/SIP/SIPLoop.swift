import CSIP
import Glibc

/// libre's event loop on one thread.
public final class SIPLoop {
    private let step: (SIPLoop) -> Void
    private var isStopped = false

    /// Runs libre's loop on the calling thread, which must have none yet, until `stop` is called in a step.
    /// - Parameters:
    ///   - descriptors: `step` is called at the start, and whenever one of them can be read.
    ///   - end: called last, while the thread still has its loop: endpoints are let go there.
    public static func run(
        waitingFor descriptors: [Int32], end: () -> Void, step: @escaping (SIPLoop) -> Void
    ) throws(SIPFailure) {
        guard library == 0 else { throw SIPFailure("the SIP library does not start") }
        guard re_thread_init() == 0 else { throw SIPFailure("the SIP library has no loop for a thread") }
        defer { re_thread_close() }
        let loop = SIPLoop(step)
        defer {
            for descriptor in descriptors { fd_close(descriptor) }
            end()
        }
        for descriptor in descriptors {
            let error = fd_listen(
                descriptor, Int32(FD_READ), becameReadable, Unmanaged.passUnretained(loop).toOpaque())
            guard error == 0 else {
                throw SIPFailure("starting the loop: \(String(cString: strerror(error)))")
            }
        }
        step(loop)
        guard !loop.isStopped else { return }
        let error = re_main(nil)
        withExtendedLifetime(loop) {}
        guard error == 0 else { throw SIPFailure("the loop ended: \(String(cString: strerror(error)))") }
    }

    private init(_ step: @escaping (SIPLoop) -> Void) { self.step = step }

    /// Ends `run`. On the loop's thread.
    public func stop() {
        isStopped = true
        re_cancel()
    }

    fileprivate func wake() { step(self) }

    /// Once a process; never closed, for several channels may use it.
    private static let library = csip_start()
}

/// Called by libre on the thread of its loop.
private func becameReadable(flags: Int32, argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<SIPLoop>.fromOpaque(argument).takeUnretainedValue().wake()
}
