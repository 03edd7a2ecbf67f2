import Logging
import RealTime
import Synchronization

/// Writes log lines to standard error on a thread of its own.
///
/// A log that is not read (a stopped terminal, a hung journal) blocks this thread and nobody else;
/// what does not fit in the meantime is dropped, oldest first, and counted in the next line written.
final class LogThread: Sendable {
    /// Some minutes of a busy log, about 2 MB.
    private static let bound = 10_000

    private let lines: Mailbox<String>
    private let thread: Mutex<NamedThread?>
    private let isStopping = Atomic(false)

    init() throws {
        lines = try Mailbox(bound: Self.bound)
        thread = Mutex(nil)
        let started = try NamedThread("log") { [unowned self] in loop() }
        thread.withLock { $0 = started }
    }

    /// From any thread; never blocks on the reader of the log.
    func write(_ line: String) {
        lines.put(line)
    }

    /// Writes what is left and ends the thread.
    func finish() async {
        isStopping.store(true, ordering: .releasing)
        lines.wakeup.signal()
        await thread.withLock { $0 }?.finished()
    }

    private func loop() {
        while true {
            let isLast = isStopping.load(ordering: .acquiring)
            let (waiting, dropped) = lines.take()
            if dropped > 0 {
                StandardStream.error.write("level=warning message=\"log lines dropped\" count=\(dropped)")
            }
            if !waiting.isEmpty { StandardStream.error.write(waiting.joined(separator: "\n")) }
            if isLast { return }
            if waiting.isEmpty { _ = Poll.wait([Poll.Interest(lines.wakeup.descriptor)], timeout: nil) }
        }
    }
}
