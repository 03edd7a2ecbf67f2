import GatewayModel
import Glibc
import RealTime

/// State machine that gets advertisements heard, beside a bluetoothd with plans of its own: decisions only,
/// told the instant.
///
/// There is one scan per controller, and everybody sees its reports: commands and reports of all are on the
/// monitor channel. So the scanner starts its own scan when there is none, and otherwise makes the best of the
/// one that runs, without taking anything from its owner:
/// - A discovery (active) is left to run. The kernel has the controller report each device once only, which
///   would hide the second press of a button: that is switched off in the running scan.
/// - The kernel's waiting for bonded devices (passive, listed devices only) is replaced by the own scan. It
///   hears those devices too, and the kernel connects to them as before.
struct ScanMachine: Sendable {
    enum Action: Hashable, Sendable {
        case openMonitor, closeMonitor, listAdapters
        case watch(UInt16?)
        case send(ScanCommand, to: UInt16)
        case emit(HCIScanEvent)
    }

    enum Phase: Hashable, Sendable {
        /// The monitor is not open; the deadline is the next try.
        case closed
        /// No adapter, or it is off; the deadline is the next look, though the kernel tells.
        case away
        /// Nobody scans; the deadline is when to begin.
        case resting
        /// A command of ours is on its way; the deadline is when its answer is late.
        case asking(ScanCommand)
        /// Our own scan runs; the deadline is when silence is suspicious.
        case scanning
        /// Somebody else's scan runs, or so the controller said; the deadline is when to try ours.
        case listening
        /// Our scan is being ended; the deadline is when that is given up.
        case stopping
        case stopped
    }

    /// After somebody else's scan ended or began, before ours takes its place: the kernel stops and starts in
    /// one go when it changes a scan, within milliseconds, and must find the controller free. Longer than
    /// that, and shorter than the second or so for which a button repeats its press.
    static let restPause = Duration.milliseconds(250)
    /// The kernel's own limit for a command (HCI_CMD_TIMEOUT), and as much again for its queue.
    static let answerLimit = Duration.seconds(4)
    /// In a house at the end of the road nothing may advertise for long; starting anew costs two commands.
    static let silenceLimit = Duration.seconds(30)
    /// Reports before the silence of a radio means much, as in `RadioRecovery.noise`: a visitor's telephone that passes
    /// by sends fewer.
    static let noise = 50
    /// The kernel tells when an adapter comes; this is in case that was lost.
    static let lookPause = Duration.seconds(5)
    /// For the goodbye: the controller answers in milliseconds.
    static let stopLimit = Duration.milliseconds(500)
    /// Core 5.4, Vol 1, Part F, 2.12: here, that a scan runs already.
    static let disallowed: UInt8 = 0x0C

    private let wanted: String?
    private let ownScan: Bool
    private(set) var phase = Phase.closed
    private(set) var deadline: BootInstant?
    private var adapter: LocalAdapter?
    private var dialect: ScanDialect?
    private var openBackoff = Backoff(first: .seconds(1), limit: .seconds(60))
    private var scanBackoff = Backoff(first: .seconds(1), limit: .seconds(30))
    private var jitter: Jitter
    private var told: HCIScanEvent?
    private var radio = RadioState()
    /// Number of times that reports came, up to `noise`.
    private var hearings = 0
    private var isSilent = false
    /// Last report, or the instant from which reports were expected.
    private var quietSince: BootInstant?
    /// While somebody else's scan runs: the next attempt to start ours; nil for none.
    private var retry: BootInstant?
    /// Somebody else's scan has been asked to report duplicates: once is enough.
    private var hasWidened = false
    /// Our scan stands for one that the kernel had started, and still relies on.
    private var standsIn = false

    /// - Parameters:
    ///   - wanted: name or address of the adapter; nil takes the first.
    ///   - ownScan: false only ever listens, and sends no command.
    init(wanted: String?, ownScan: Bool, seed: UInt64) {
        self.wanted = wanted
        self.ownScan = ownScan
        jitter = Jitter(seed: seed)
    }

    /// Adapter with packets that count.
    var watched: UInt16? { adapter?.number }
}

// MARK: Socket and adapters

extension ScanMachine {
    mutating func start() -> [Action] { [.openMonitor] }

    mutating func monitorOpened(at now: BootInstant) -> [Action] {
        phase = .away
        deadline = now.advanced(by: Self.lookPause)
        return [.listAdapters]
    }

    /// The monitor could not be opened, or reading from it failed.
    mutating func monitorFailed(_ error: SystemCallError, at now: BootInstant) -> [Action] {
        phase = .closed
        adapter = nil
        radio = RadioState()
        deadline = now.advanced(by: openBackoff.next(using: &jitter))
        return [.closeMonitor] + tell(.unavailable(.socket(error)))
    }

    mutating func adaptersChanged() -> [Action] { phase == .closed ? [] : [.listAdapters] }

    mutating func listFailed(_ failure: LocalAdapters.Failure, at now: BootInstant) -> [Action] {
        leave(at: now) + tell(.unavailable(.list(failure)))
    }

    mutating func listed(_ adapters: [LocalAdapter], at now: BootInstant) -> [Action] {
        openBackoff.reset()
        let chosen = adapters.first { adapter in
            wanted.map { $0 == adapter.name || $0.uppercased() == adapter.address.description } ?? true
        }
        guard let chosen else {
            return leave(at: now) + tell(.unavailable(.noAdapter(wanted: wanted, present: adapters)))
        }
        guard chosen.isUp else { return leave(at: now) + tell(.unavailable(.down(chosen.name))) }
        // Also when another adapter has got the number: the knowledge of the old one is void.
        guard chosen != adapter else { return phase == .away ? rest(at: now, for: .zero) : [] }
        adapter = chosen
        dialect = nil
        quietSince = nil
        radio = RadioState()
        return [.watch(chosen.number)] + rest(at: now, for: .zero)
    }

    private mutating func leave(at now: BootInstant) -> [Action] {
        let wasWatching = adapter != nil
        adapter = nil
        quietSince = nil
        radio = RadioState()
        phase = .away
        deadline = now.advanced(by: Self.lookPause)
        return wasWatching ? [.watch(nil)] : []
    }
}

// MARK: Packets of the monitor

extension ScanMachine {
    /// An advertising report came.
    mutating func heard(at now: BootInstant) -> [Action] {
        hearings = min(hearings + 1, Self.noise)
        quietSince = now
        guard let adapter else { return [] }
        let end: [Action] = isSilent ? [.emit(.heardAgain(adapter: adapter.name))] : []
        isSilent = false
        guard phase == .scanning else { return end }
        deadline = now.advanced(by: Self.silenceLimit)
        return end + tell(.scanning(adapter: adapter.name))
    }

    /// A scan command was sent, by whomever. It counts when the controller has agreed.
    mutating func observed(_ command: ObservedCommand) {
        dialect = command.dialect
        radio.sent(command)
    }

    /// The controller has answered a command, whosever it was.
    mutating func completed(
        opcode: UInt16, status: UInt8, hasExtendedScan: Bool?, at now: BootInstant
    ) -> [Action] {
        let change = radio.completed(opcode: opcode, status: status)
        if case .asking(let command) = phase, command.opcode == opcode {
            return answered(command, status, hasExtendedScan, at: now)
        }
        guard let change else { return [] }
        switch (phase, change) {
        case (.stopping, .ended):
            end()
            return []
        case (.scanning, .began), (.resting, .began), (.listening, .began):
            hasWidened = false
            return listen(at: now)
        case (.scanning, .ended), (.listening, .ended): return rest(at: now, for: Self.restPause)
        default: return []
        }
    }

    private mutating func answered(
        _ command: ScanCommand, _ status: UInt8, _ hasExtendedScan: Bool?, at now: BootInstant
    ) -> [Action] {
        switch command {
        case .readSupportedCommands where status == 0:
            // Commands that somebody was seen to use have precedence: the kernel knows controllers that lie.
            let chosen = dialect ?? (hasExtendedScan == true ? .extended : .legacy)
            dialect = chosen
            return ask(.setParameters(chosen), at: now)
        case .setParameters(let dialect) where status == 0: return ask(.enable(dialect), at: now)
        case .enable where status == 0 && radio.scan == .own: return succeed(at: now)
        case .enable where status == 0: return listen(at: now)
        // Of the disabling before a new start: there may have been nothing to disable.
        case .disable(let dialect): return ask(.setParameters(dialect), at: now)
        case _ where status == Self.disallowed: return listen(at: now)
        case _:
            deadline = now.advanced(by: scanBackoff.next(using: &jitter))
            phase = .resting
            return tell(.unavailable(.refused(command, status: status)))
        }
    }

    private mutating func succeed(at now: BootInstant) -> [Action] {
        phase = .scanning
        scanBackoff.reset()
        quietSince = now
        deadline = now.advanced(by: Self.silenceLimit)
        // After a silence it is the first advertisement that says so.
        guard let adapter else { return [] }
        if case .silent(adapter.name, _)? = told { return [] }
        return tell(.scanning(adapter: adapter.name))
    }

    /// Makes the best of somebody else's scan.
    private mutating func listen(at now: BootInstant) -> [Action] {
        phase = .listening
        quietSince = quietSince ?? now
        guard ownScan else {
            attend(until: nil)
            return tellListening()
        }
        guard let scan = radio.scan else {
            attend(until: now.advanced(by: scanBackoff.next(using: &jitter)))
            return tellListening()
        }
        if scan.isActive, scan.filtersDuplicates, !hasWidened, let dialect {
            hasWidened = true
            return ask(.enable(dialect), at: now)
        }
        // Of a discovery the end is seen; this is in case it was not.
        attend(until: now.advanced(by: scan.isActive ? scanBackoff.limit : Self.restPause))
        return tellListening()
    }

    /// Waits in somebody else's scan for the next attempt to start ours, or for the silence that has to be reported.
    private mutating func attend(until retry: BootInstant?) {
        self.retry = retry
        // One that sends no command cannot know whether anybody scans.
        let silence = isSilent || !ownScan ? nil : quietSince?.advanced(by: Self.silenceLimit)
        deadline = [retry, silence].compactMap(\.self).min()
    }

    private mutating func tellListening() -> [Action] {
        // After a silence it is the first advertisement that says so.
        if isSilent { return [] }
        return adapter.map { tell(.listening(adapter: $0.name, radio.scan)) } ?? []
    }

    private mutating func rest(at now: BootInstant, for pause: Duration) -> [Action] {
        guard ownScan else { return listen(at: now) }
        standsIn = false
        phase = .resting
        deadline = now.advanced(by: pause)
        return []
    }
}

// MARK: Time, and the end

extension ScanMachine {
    mutating func tick(at now: BootInstant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        switch phase {
        case .closed: return [.openMonitor]
        case .away:
            self.deadline = now.advanced(by: Self.lookPause)
            return [.listAdapters]
        case .listening: return overhear(at: now)
        case .resting: return ask(dialect.map { .setParameters($0) } ?? .readSupportedCommands, at: now)
        case .asking(let command):
            phase = .resting
            self.deadline = now.advanced(by: scanBackoff.next(using: &jitter))
            return tell(.unavailable(.unanswered(command)))
        case .scanning: return startAnew(at: now)
        case .stopping:
            end()
            return []
        case .stopped: return []
        }
    }

    /// Somebody else's scan is due for a look.
    private mutating func overhear(at now: BootInstant) -> [Action] {
        let isQuiet = quietSince.map { $0.duration(to: now) >= Self.silenceLimit } ?? false
        let isNews = isQuiet && !isSilent && ownScan
        if isNews {
            // Nobody was seen to begin this scan: it may be left over from a gateway that was killed.
            if radio.scan == nil, dialect != nil { return startAnew(at: now) }
            isSilent = true
        }
        let news = isNews ? adapter.map { reportSilence(of: $0) } ?? [] : []
        guard let retry, retry <= now else {
            attend(until: retry)
            return news
        }
        if radio.scan?.isActive == false { return news + standIn(at: now) }
        return news + ask(dialect.map { .setParameters($0) } ?? .readSupportedCommands, at: now)
    }

    private mutating func reportSilence(of adapter: LocalAdapter) -> [Action] {
        tell(.silent(adapter: adapter.name, hasHeard: hearings >= Self.noise))
    }

    /// Nothing was heard for long: a controller that has forgotten its scan does not say so.
    private mutating func startAnew(at now: BootInstant) -> [Action] {
        guard let adapter, let dialect else { return [] }
        isSilent = true
        return reportSilence(of: adapter) + ask(.disable(dialect), at: now)
    }

    /// Replaces a passive scan that hears less than ours would.
    private mutating func standIn(at now: BootInstant) -> [Action] {
        guard let dialect else { return [] }
        standsIn = true
        return ask(.disable(dialect), at: now)
    }

    /// A command could not even be sent.
    mutating func sendFailed(_ error: SystemCallError, at now: BootInstant) -> [Action] {
        if phase == .stopping {
            end()
            return []
        }
        phase = .resting
        deadline = now.advanced(by: scanBackoff.next(using: &jitter))
        // The adapter went at this moment, and the list will say so.
        let isGone = error.number == ENETDOWN || error.number == ENODEV
        return (isGone ? [] : tell(.unavailable(.socket(error)))) + [.listAdapters]
    }

    /// Ends our own scan, and nobody else's. One that stands in for the kernel's goes on: the kernel believes
    /// that it scans, connects to a device that it hears, and ends it when it needs it no more. Goes on until
    /// the phase is `.stopped`.
    mutating func stop(at now: BootInstant) -> [Action] {
        let isOurs: Bool =
            switch phase {
            case .scanning, .asking(.enable): true
            default: false
            }
        guard isOurs, !standsIn, let adapter, let dialect else {
            end()
            return []
        }
        phase = .stopping
        deadline = now.advanced(by: Self.stopLimit)
        return [.send(.disable(dialect), to: adapter.number)]
    }

    private mutating func end() {
        phase = .stopped
        deadline = nil
    }

    private mutating func ask(_ command: ScanCommand, at now: BootInstant) -> [Action] {
        guard let adapter else { return [] }
        phase = .asking(command)
        deadline = now.advanced(by: Self.answerLimit)
        return [.send(command, to: adapter.number)]
    }

    private mutating func tell(_ event: HCIScanEvent) -> [Action] {
        guard event != told else { return [] }
        told = event
        return [.emit(event)]
    }
}

/// State of the controller's scanner, as pieced together from everybody's commands and the answers.
struct RadioState: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        case began, ended
    }

    /// The scan that runs; nil where none does, or none was seen to start.
    private(set) var scan: ScanConditions?
    private var sentParameters: ObservedCommand?
    private var sentEnable: ObservedCommand?
    /// Conditions that the controller has agreed to.
    private var parameters: ObservedCommand?

    mutating func sent(_ command: ObservedCommand) {
        switch command {
        case .parameters: sentParameters = command
        case .enable: sentEnable = command
        }
    }

    /// - Returns: whether a scan began or ended with it. Ended is told though none was known to run.
    mutating func completed(opcode: UInt16, status: UInt8) -> Change? {
        guard status == 0 else { return nil }
        switch opcode {
        case ScanCommand.Opcode.setParameters, ScanCommand.Opcode.setExtendedParameters:
            parameters = sentParameters
            return nil
        case ScanCommand.Opcode.setEnable, ScanCommand.Opcode.setExtendedEnable:
            guard case .enable(_, let isOn, let filtersDuplicates)? = sentEnable else { return nil }
            scan = isOn ? conditions(filtersDuplicates: filtersDuplicates) : nil
            return isOn ? .began : .ended
        default: return nil
        }
    }

    private func conditions(filtersDuplicates: Bool) -> ScanConditions? {
        guard case .parameters(_, let isActive, let interval, let window, let listedOnly)? = parameters
        else { return nil }
        return ScanConditions(
            isActive: isActive, interval: interval, window: window, hearsListedOnly: listedOnly,
            filtersDuplicates: filtersDuplicates)
    }
}
