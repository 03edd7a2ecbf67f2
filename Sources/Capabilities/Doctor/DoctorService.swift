package import ControlContract
import ControlLink
package import GatewayModel
import Glibc
package import Hub
import Logging
package import OutboxService
import RealTime
package import ServiceLifecycle
import Synchronization

/// `homegateway check` on demand, for installers at the pages, as a process of its own.
///
/// A library that hangs or crashes in a probe ends that process alone. It has the lowest priority of the processor, leaves
/// the sound card alone, and is killed when an alarm opens, at its limit, or with the gateway.
package final class DoctorService: Capability {
    private struct State {
        var machine = DoctorMachine()
        var isStopRequested = false
    }

    /// Of the unit's protocol and of socket activation: the daemon's own.
    private static let withheldVariables: Set<String> = [
        "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
    ]
    /// Bytes of all reports of one check. A report has some kilobytes, and there is one a probe.
    private static let mostOutput = 4 << 20
    /// How often the process looks whether the check has to end.
    private static let pause = Duration.milliseconds(50)

    private let core: GatewayCore
    private let settingsFile: String
    private let isAlarmOpen: @Sendable () -> Bool
    private let state = Mutex(State())
    private let starts: AsyncStream<Void>
    private let start: AsyncStream<Void>.Continuation

    /// - Parameter isAlarmOpen: must return at once.
    package init(
        _ core: GatewayCore, settingsFile: String, isAlarmOpen: @escaping @Sendable () -> Bool
    ) {
        (self.core, self.settingsFile, self.isAlarmOpen) = (core, settingsFile, isAlarmOpen)
        // The machine starts one check at a time.
        (starts, start) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    package var services: [any Service] { [ThreadService(run: run, stop: stop)] }

    package var controls: [ControlHandler] {
        [
            ControlHandler(Verb.StartCheck.self) { [self] reply in reply(begin()) },
            ControlHandler(Verb.CheckReport.self) { [self] reply in reply(report) },
            ControlHandler(Verb.RecentEvents.self) { [core] reply in
                reply(.done(with: core.feed.recent))
            },
        ]
    }

    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) {
        let report = state.withLock(\.machine.report)
        if report.started != nil { snapshot.check = HouseSnapshot.CheckSummary(report) }
    }

    private func begin() -> ControlReply<CheckReport> {
        do throws(ControlError) {
            try state.withLock { state throws(ControlError) in
                try state.machine.begin(at: Clock.moment(), isAlarmOpen: isAlarmOpen())
            }
        } catch {
            return .refused(error.description)
        }
        core.log.notice("a check was asked for")
        start.yield()
        return report
    }

    private var report: ControlReply<CheckReport> { .done(with: state.withLock(\.machine.report)) }

    // MARK: The process

    private func run() async throws {
        for await _ in starts {
            let thread = try NamedThread("doctor") { [self] in
                let end = check()
                state.withLock { $0.machine.end(end, at: Clock.wall()) }
            }
            await thread.finished()
        }
    }

    private func stop() {
        state.withLock { $0.isStopRequested = true }
        start.finish()
    }

    /// Runs the process to its end. Blocks.
    private func check() -> DoctorMachine.End {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            return .failed("\(SystemCallError("socketpair"))")
        }
        let output = ends[0]
        defer { close(output) }
        let process: SpawnedProcess
        do throws(SystemCallError) {
            defer { close(ends[1]) }
            process = try SpawnedProcess(
                "/proc/self/exe", named: "homegateway",
                ["check", "--json-lines", "--no-sound", "--config", settingsFile],
                descriptors: [.init(ends[1], as: STDOUT_FILENO)],
                environment: .inherited(without: Self.withheldVariables, and: []))
        } catch {
            return .failed("no process for the check: \(error)")
        }
        // The alarms and the radio first.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process.pid), 19)
        let verdict = read(output)
        if verdict != nil { process.kill() }
        let end = process.waitForEnd(upTo: .seconds(2))
        return verdict ?? .ended("\(end)")
    }

    /// Takes the reports until the process closes its output.
    ///
    /// - Returns: the reason to kill the process; nil where it has ended by itself.
    private func read(_ output: Int32) -> DoctorMachine.End? {
        let limit = Clock.boot().advanced(by: DoctorMachine.limit)
        var line: [UInt8] = []
        var left = Self.mostOutput
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            if isAlarmOpen() { return .alarm }
            if state.withLock(\.isStopRequested) { return .failed("the gateway stops") }
            guard Clock.boot() < limit else {
                return .failed("the check did not end within \(DoctorMachine.limit.components.seconds) s")
            }
            guard Poll.wait([Poll.Interest(output)], timeout: Self.pause).readable[0] else { continue }
            let count = Glibc.read(output, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            left -= count
            guard left > 0 else { return .failed("the check wrote more than \(Self.mostOutput) bytes") }
            line += chunk.prefix(count)
            while let mark = line.firstIndex(of: UInt8(ascii: "\n")) {
                if let report = try? ControlJSON.decode(
                    CheckReport.self, from: Array(line[..<mark]), limit: Self.mostOutput)
                {
                    state.withLock { $0.machine.report(report) }
                }
                line.removeSubrange(...mark)
            }
        }
    }
}
