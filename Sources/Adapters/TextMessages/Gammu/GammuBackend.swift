import GatewayModel
import Glibc
import HelpLine
import RealTime

/// Texts through gammu-smsd: a file in its outbox each, which it moves to its folder for sent ones or for
/// failed ones. `gammu-smsd-inject` makes the same files, and tells nothing more.
///
/// One file at a time: gammu-smsd 1.42 tries one that the network refuses again each second without end (its
/// `MaxRetries` counts with SQL services only), always the first by name, so that all behind it would wait.
final class GammuBackend: SMSBackend {
    struct Settings: Hashable, Sendable {
        let channel: ChannelID
        let folders: GammuFolders
        /// Folder of the texts that came in.
        let inbox: String
        let daemon: GammuDaemon
        let attemptLimit: Duration
    }

    private struct Given {
        let file: String
        let limit: BootInstant
        /// Since when it is in none of the folders.
        var missing: BootInstant?
    }

    /// 200 ms between looks at the folders while a text is on its way: nothing beside the seconds that it takes.
    static let pause = Duration.milliseconds(200)
    /// A move from one disk to another is a copy and a removal; a file that is nowhere for longer is lost.
    /// 1 s between looks for texts that came in, while a call can be accepted by one. A file is read at the second look that
    /// finds it with the same length: the daemon writes it under its name.
    private static let listenInterval = Duration.seconds(1)
    private static let moveLimit = Duration.seconds(3)
    /// Files that wait for longer than this say that nothing is sent. The daemon's own time limits are 30 s.
    private static let stuck = 120

    let atOnce = 1
    private let settings: Settings
    private var given: [Int: Given] = [:]
    private var events: [TextWayEvent] = []
    private var next: BootInstant?
    private var nextListen: BootInstant?
    /// Length in bytes of each file in the inbox at the last look; nil for one that was read.
    private var incoming: [String: Int?] = [:]

    init(_ settings: Settings) {
        self.settings = settings
    }

    /// Texts that an earlier run left behind would be sent out of their time; those that still hold are given
    /// again.
    func sweep() {
        let mark = GammuFile.mark(settings.channel)
        let outbox = settings.folders.outbox
        for name in settings.folders.names(in: outbox)
        where name.contains("_\(mark)") && (name.hasPrefix("OUTA") || name.hasPrefix(".OUTA")) {
            unlink("\(outbox)/\(name)")
        }
    }

    func start(_ number: Int, _ text: OutgoingText) {
        let file = GammuFile(text, number: number, of: settings.channel, at: Clock.wall())
        do throws(GammuFile.Failure) {
            try file.write(into: settings.folders.outbox)
        } catch {
            let hint = settings.folders.problem.map { "; \($0)" } ?? ""
            events.append(.ended(number, .failed(.way(error.reason + hint))))
            return
        }
        let now = Clock.boot()
        given[number] = Given(file: file.name, limit: now.advanced(by: settings.attemptLimit))
        next = now.advanced(by: Self.pause)
    }

    func look() {
        events.append(.looked(finding))
    }

    private var answers: String {
        access(settings.inbox, R_OK | W_OK | X_OK) == 0
            ? ""
            : "; ANSWERS ARE NOT READ: \(settings.inbox): \(String(cString: strerror(errno))); set gammu_inbox to its "
                + "inboxpath"
    }

    private var finding: ChannelTest {
        if let problem = settings.folders.problem { return .fails(reason: problem) }
        if case .isDead(let seen) = settings.daemon.state {
            return .fails(reason: "\(seen); check: systemctl status gammu-smsd, and gammu_pid_file")
        }
        let now = Int(Clock.wall().millisecondsSince1970 / 1_000)
        if let age = settings.folders.oldestWaiting(now: now), age > Self.stuck {
            return .fails(
                reason:
                    "a text has waited for \(age) s in \(settings.folders.outbox): gammu-smsd does not send; "
                    + "see: journalctl -u gammu-smsd")
        }
        return .works(
            detail:
                "gammu-smsd runs and its folders are usable; whether it has a network it does not tell\(answers)"
        )
    }

    func listen(_ isOn: Bool) {
        guard isOn != (nextListen != nil) else { return }
        nextListen = isOn ? Clock.boot() : nil
        incoming = [:]
    }

    func discard(_ text: IncomingText) { unlink("\(settings.inbox)/\(text.id)") }

    private func readInbox() {
        var found: [String: Int?] = [:]
        for name in settings.folders.names(in: settings.inbox) {
            guard let sender = GammuFile.sender(ofIncoming: name) else { continue }
            let path = "\(settings.inbox)/\(name)"
            switch (incoming[name], GammuFile.length(of: path)) {
            case (.some(nil), _): found[name] = .some(nil)
            case (.some(let before?), let length?) where before == length && length > 0:
                found[name] = .some(nil)
                events.append(
                    .received(IncomingText(id: name, sender: sender, text: GammuFile.text(ofIncoming: path))))
            case (_, let length?): found[name] = length
            case (_, nil): break
            }
        }
        incoming = found
    }

    let interests: [Poll.Interest] = []

    var deadline: BootInstant? {
        events.isEmpty ? [next, nextListen].compactMap(\.self).min() : Clock.boot()
    }

    func advance(at now: BootInstant) -> [TextWayEvent] {
        if let next, next <= now {
            for (number, text) in given {
                if let outcome = outcome(number, text, at: now) {
                    given[number] = nil
                    events.append(.ended(number, outcome))
                }
            }
            self.next = given.isEmpty ? nil : now.advanced(by: Self.pause)
        }
        if let due = nextListen, due <= now {
            nextListen = now.advanced(by: Self.listenInterval)
            readInbox()
        }
        defer { events = [] }
        return events
    }

    /// Nil while it is on its way.
    private func outcome(_ number: Int, _ text: Given, at now: BootInstant) -> TextOutcome? {
        let folders = settings.folders
        switch folders.place(of: text.file) {
        case .sent:
            // It names a person: not to be kept by the daemon for good.
            unlink("\(folders.sent)/\(text.file)")
            return .sent
        case .error:
            unlink("\(folders.error)/\(text.file)")
            return .failed(
                .number(
                    "gammu-smsd could not send it; check the number and the SIM card's credit, and see: "
                        + "journalctl -u gammu-smsd", mayHaveArrived: false))
        case .outbox:
            given[number]?.missing = nil
            return text.limit <= now ? timeOut(text) : nil
        case .nowhere:
            let missing = text.missing ?? now
            given[number]?.missing = missing
            guard missing.duration(to: now) >= Self.moveLimit else { return nil }
            return .failed(
                .way(
                    "gammu-smsd took a text out of \(folders.outbox) and put it into none of \(folders.sent) and "
                        + "\(folders.error): set sentsmspath and errorsmspath to these", mayHaveArrived: true))
        }
    }

    /// Taken back: a daemon that comes to life again is not to send it out of its time.
    private func timeOut(_ text: Given) -> TextOutcome? {
        guard unlink("\(settings.folders.outbox)/\(text.file)") == 0 else { return nil }
        let limit = settings.attemptLimit.components.seconds
        guard case .isDead(let seen) = settings.daemon.state else {
            // A number that is refused looks the same from here, so the next one is tried.
            return .failed(
                .number(
                    "gammu-smsd did not send it within \(limit) s; check the number, the SIM card's credit and the "
                        + "network, and see: journalctl -u gammu-smsd", mayHaveArrived: true))
        }
        return .failed(.way("\(seen); check: systemctl status gammu-smsd"))
    }
}
