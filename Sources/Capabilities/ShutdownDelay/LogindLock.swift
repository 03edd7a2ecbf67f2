import GatewayModel
import Glibc
import Logging
import RealTime
import Synchronization
import Systemd

/// Delay lock of systemd-logind against a shutdown of the box, on a thread of its own.
///
/// logind hands out a file descriptor, and the lock holds until its last copy is closed: also over a restart of logind, and
/// no longer than this process lives. A logind that is missing, refuses or hangs costs this thread its time, and nobody else.
///
/// Source: org.freedesktop.login1(5), `Inhibit()`; https://systemd.io/INHIBITOR_LOCKS.
final class LogindLock: Sendable {
    /// logind answers within milliseconds.
    private static let answerLimit = Duration.seconds(5)
    /// Pause before logind is asked again. An alarm that is open for minutes is to find a logind that comes back.
    private static let retryInterval = Duration.seconds(10)
    private static let service = "org.freedesktop.login1"

    private struct Wish {
        var isWanted = false
        var isStopping = false
    }

    private let bus: BusAddress
    private let log: Logger
    private let wish = Mutex(Wish())
    private let wakeup: Wakeup

    /// Errors: the kernel has no descriptor left.
    init(on bus: BusAddress, log: Logger) throws(SystemCallError) {
        (self.bus, self.log) = (bus, log)
        wakeup = try Wakeup()
    }

    /// Takes the lock, or releases it. From any thread; it does not wait.
    func set(_ isWanted: Bool) {
        let isNew = wish.withLock { wish in
            defer { wish.isWanted = isWanted }
            return wish.isWanted != isWanted
        }
        if isNew { wakeup.signal() }
    }

    /// Runs until `stop`, and releases the lock then. Once.
    func run() async throws {
        let thread = try NamedThread("logind") { [self] in loop() }
        await thread.finished()
    }

    /// From any thread, any number of times.
    func stop() {
        wish.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    private func loop() {
        var lock: BusDescriptor?
        // One line in the log for all failures up to the next success.
        var isFailureLogged = false
        while true {
            wakeup.drain()
            let wish = wish.withLock { $0 }
            if wish.isStopping { return }
            if !wish.isWanted, lock != nil {
                lock = nil
                log.info("a shutdown of the box is no longer delayed")
            }
            if wish.isWanted, lock == nil {
                do throws(BusError) {
                    lock = try takeLock()
                    isFailureLogged = false
                    log.info("a shutdown of the box is delayed while an alarm is open")
                } catch {
                    if !isFailureLogged {
                        log.warning(
                            "a shutdown of the box is not delayed while an alarm is open",
                            metadata: ["reason": "\(error)"])
                    }
                    isFailureLogged = true
                }
            }
            let isMissing = wish.isWanted && lock == nil
            _ = Poll.wait(
                [Poll.Interest(wakeup.descriptor)], timeout: isMissing ? Self.retryInterval : nil)
        }
    }

    /// Asks logind. The connection is closed with the answer: the lock does not need it.
    private func takeLock() throws(BusError) -> BusDescriptor {
        let connection = try BusConnection(bus)
        var reply: BusConnection.Reply?
        try connection.send(
            BusCall(
                destination: Self.service, path: "/org/freedesktop/login1",
                interface: "\(Self.service).Manager", member: "Inhibit",
                arguments: [
                    .string("shutdown"), .string("HomeGateway"), .string("An alarm is open"), .string("delay"),
                ], timeout: Self.answerLimit)
        ) { reply = $0 }
        let end = Clock.boot().advanced(by: Self.answerLimit)
        while reply == nil {
            try connection.process()
            // A bus that accepts the connection and says nothing does not even end the call.
            guard reply == nil, Clock.boot() < end, !wish.withLock(\.isStopping) else { break }
            let interest = Poll.Interest(try connection.descriptor, events: try connection.events)
            _ = Poll.wait([interest], timeout: .milliseconds(200))
        }
        guard let values = try reply?.get(), let lock = values.first?.descriptor else {
            throw .failed(doing: "taking a lock of logind", number: reply == nil ? ETIMEDOUT : EPROTO)
        }
        return lock
    }
}
