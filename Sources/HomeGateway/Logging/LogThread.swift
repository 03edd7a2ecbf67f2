import Hub
import RealTime

/// Writes log lines to standard error on a thread of its own.
///
/// A log that is not read (a stopped terminal, a hung journal) blocks only this thread. Lines that do not fit in the
/// meantime are dropped, oldest first, and counted in the next line written.
final class LogThread: Sendable {
    /// Maximum number of waiting lines: some minutes of a busy log, about 2 MB.
    private static let bound = 10_000

    private let writer: Worker<String>
    private let thread: NamedThread

    init() throws {
        writer = try Worker("log", bound: Self.bound) { lines, dropped in
            if dropped > 0 {
                StandardStream.error.write("level=warning message=\"log lines dropped\" count=\(dropped)")
            }
            StandardStream.error.write(lines.joined(separator: "\n"))
        }
        thread = try writer.start()
    }

    /// Queues a line. From any thread; never blocks on the reader of the log.
    func write(_ line: String) {
        writer.put(line)
    }

    /// Writes the remaining lines and ends the thread.
    func finish() async {
        writer.stop()
        await thread.finished()
    }
}
