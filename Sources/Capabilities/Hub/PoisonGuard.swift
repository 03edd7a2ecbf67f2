package import GatewayModel
package import Logging
package import RealTime
import Synchronization
package import Vault

/// Keeps an input that ended the gateway from ending it again.
///
/// Each input is recorded while it is handled (`FlightRecorder`). An input that is found at the start was being
/// handled when the process died: it is written down, reported, and refused from then on. A broker redelivers
/// by itself, so its message is refused at once. A person repeats a request at the control socket, which may
/// cancel an alarm: that is refused after the second death.
package final class PoisonGuard: Sendable {
    package typealias Slot = FlightRecorder.Slot

    private let recorder: FlightRecorder?
    /// Numbers of requests that nobody has.
    private let free = Mutex(Array(0..<FlightRecorder.requestsAtOnce))
    private let deaths: [InputDigest: Int]
    private let report: @Sendable (Slot, _ message: Logger.Message, InputDigest) -> Void

    /// Records and refuses nothing.
    package static let none = PoisonGuard(recorder: nil, deaths: [:]) { _, _, _ in }

    private init(
        recorder: FlightRecorder?, deaths: [InputDigest: Int],
        report: @escaping @Sendable (Slot, Logger.Message, InputDigest) -> Void
    ) {
        (self.recorder, self.deaths, self.report) = (recorder, deaths, report)
    }

    /// Blocks for the disk where an earlier process died in handling an input. No failure stops the start.
    ///
    /// - Parameters:
    ///   - path: of the recorder's file, in a directory in memory.
    ///   - set: raises a condition.
    package convenience init(
        recordingAt path: String, file: SetAsideFile, log: Logger,
        set: @escaping @Sendable (HealthCondition) -> Void
    ) {
        var entries: [SetAsideFile.Entry] = []
        do throws(DiskFailure) {
            entries = try file.load()
        } catch {
            log.error("inputs that were set aside cannot be read", metadata: ["reason": "\(error)"])
        }
        var recorder: FlightRecorder?
        do throws(SystemCallError) {
            recorder = try FlightRecorder(path: path)
        } catch {
            // ENOTSUP: the control socket lies on a disk, as in a trial.
            log.notice(
                "an input that ends the gateway will not be set aside",
                metadata: ["file": "\(path)", "reason": "\(error)"])
        }
        let found = recorder?.found ?? []
        entries = Self.counting(found.map { InputDigest(of: $0.bytes) }, in: entries, at: Clock.wall())
        self.init(
            recorder: recorder,
            deaths: Dictionary(entries.map { ($0.digest, $0.deaths) }) { first, second in max(first, second) },
            report: { slot, message, digest in
                set(HealthCondition(.inputSetAside, subject: slot.name))
                log.error(message, metadata: ["input": "\(slot.name)", "sha256": "\(digest)"])
            })
        guard !found.isEmpty else { return }
        for input in found {
            report(
                input.slot, "the gateway ended while it handled an input; the input is set aside",
                InputDigest(of: input.bytes))
        }
        do throws(DiskFailure) {
            try file.save(entries)
        } catch {
            log.error("the input set aside cannot be written down", metadata: ["reason": "\(error)"])
        }
    }

    /// One death more for each of `digests`; these become the newest.
    package static func counting(
        _ digests: [InputDigest], in entries: [SetAsideFile.Entry], at now: WallTime
    ) -> [SetAsideFile.Entry] {
        var entries = entries
        for digest in Set(digests) {
            let before = entries.first { $0.digest == digest }?.deaths ?? 0
            entries.removeAll { $0.digest == digest }
            entries.append(SetAsideFile.Entry(digest: digest, deaths: before + 1, at: now))
        }
        return entries
    }

    /// Deaths after which an input is refused.
    package static func limit(of slot: Slot) -> Int {
        switch slot {
        case .message, .command, .verification, .source: 1
        case .request: 2
        }
    }

    /// Whether the input is refused, which is reported. Costs nothing while no input was ever set aside.
    package func isSetAside(_ slot: Slot, _ bytes: [UInt8]) -> Bool {
        guard !deaths.isEmpty else { return false }
        let digest = InputDigest(of: bytes.prefix(FlightRecorder.room))
        guard deaths[digest] ?? 0 >= Self.limit(of: slot) else { return false }
        report(slot, "an input that ended the gateway came again; it is not handled", digest)
        return true
    }

    /// Records a request until `Recording.end`: a verb may answer later, on another thread. One beyond
    /// `FlightRecorder.requestsAtOnce` is not recorded.
    package func record(request bytes: [UInt8]) -> Recording {
        guard let recorder, let number = free.withLock({ $0.popLast() }) else { return Recording {} }
        recorder.begin(.request, number: number, bytes)
        return Recording { [self] in
            recorder.end(.request, number: number)
            free.withLock { $0.append(number) }
        }
    }

    /// A request that is being handled. Ends by itself where nobody has it any more.
    package final class Recording: Sendable {
        private let atEnd: @Sendable () -> Void
        private let isOver = Atomic(false)

        fileprivate init(atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }

        deinit { end() }

        package func end() {
            guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
            atEnd()
        }
    }

    /// Handles an input that is no request, and not set aside. One at a time in each slot.
    package func handle<Result>(_ slot: Slot, _ bytes: [UInt8], _ body: () -> Result) -> Result {
        recorder?.begin(slot, bytes)
        defer { recorder?.end(slot) }
        return body()
    }

    package func handle<Result>(
        _ slot: Slot, _ bytes: [UInt8], isolation: isolated (any Actor)? = #isolation,
        _ body: () async -> Result
    ) async -> Result {
        recorder?.begin(slot, bytes)
        defer { recorder?.end(slot) }
        return await body()
    }
}

extension FlightRecorder.Slot {
    /// The subject of the condition.
    package var name: String {
        switch self {
        case .message: "broker-message"
        case .command, .verification: "command"
        case .request: "control-request"
        case .source: "source-entry"
        }
    }
}
