import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import Hub
import SOSLocal

/// `homegateway watch`
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show readings, alarms and conditions as they occur, until Ctrl-C.",
        discussion: """
            For the installer in the house. It begins with the open alarms. It shows
            personal data, and sends none of it anywhere.
            """)

    @OptionGroup var gateway: GatewayOption

    @Flag(name: .long, help: "Print one JSON object a line, for programs.")
    var json = false

    func run() throws {
        do {
            var client = try gateway.place.client(limit: nil)
            try client.send(Verb.Watch())
            while let line = try client.nextLine() { show(line) }
            SettingsOption.complain("the gateway has stopped")
            throw ExitCode(1)
        } catch let error as ControlError {
            SettingsOption.complain(error.description)
            throw ExitCode(1)
        }
    }

    private func show(_ line: [UInt8]) {
        if json {
            StandardStream.output.write(String(decoding: line, as: UTF8.self))
        } else if let event = try? ControlJSON.decode(FeedRecord.self, from: line) {
            StandardStream.output.write(WatchLine(event).description)
        }
    }
}

/// One event of the feed as a person reads it.
struct WatchLine: CustomStringConvertible {
    let description: String

    init(_ event: FeedRecord) {
        // People in the room know the day.
        description = "\(event.at.onTheClock)  \(Self.words(for: event))"
    }

    private static func words(for event: FeedRecord) -> String {
        let person = event.person ?? "?"
        let value = "\(event.value.map(plain) ?? "?") \(event.unit ?? "")"
        switch event.event {
        case "reading":
            return "\(person): \(event.kind ?? "?") \(value) from \(event.device ?? "?")"
                + (event.notJudged.map { "; not judged: \(reason($0))" } ?? "")
        case "position":
            return "position \(event.latitude.map(plain) ?? "?"), \(event.longitude.map(plain) ?? "?")"
        case "crossing":
            return "\(person): \(event.rule ?? "?") crossed, \(value) from \(event.device ?? "?"); "
                + "waiting for confirmation"
        case "recovered": return "\(person): \(event.rule ?? "?") is inside its limit again"
        case "open-alarm", "no-open-alarm": return event.text ?? event.event
        case "alarm": return alarm(event, person, value)
        case "annunciated":
            return "the house was told, \(event.afterConfirmationMs ?? 0) ms after confirmation"
        case "dispatch":
            let what = isNotice(event) ? "early notice" : "call for help"
            return "\(person): \(what) given to \(event.channel ?? "?"), "
                + "\(event.afterCrossingMs ?? 0) ms after the crossing, to \(place(event.location))"
        case "handed-over":
            let what = isNotice(event) ? "early notice" : "call for help"
            return
                "\(event.channel ?? "?") has the \(what), \(event.afterCrossingMs ?? 0) ms after the crossing"
        case "not-called": return "\(person): NOBODY CALLED, \(event.text ?? "?")"
        case "accepted": return "\(person): accepted by \(event.by ?? "?") at \(event.channel ?? "?")"
        case "aborted":
            return "\(person): cancelled by \(event.by ?? "?")"
                + (event.beforeDispatch == true ? ", nobody was called" : "")
        case "resolved": return "\(person): dealt with by \(event.by ?? "?")"
        case "closed": return "\(person): ended by \(event.by ?? "?")"
        case "call-failed":
            return "\(event.channel ?? "?") could not pass on the call: \(event.text ?? "?")"
        case "cancelled":
            return event.text == "accepted"
                ? "\(event.channel ?? "?") is told that \(event.by ?? "?") has taken the call"
                : "\(event.channel ?? "?") is given the word that it has ended"
        case "refused": return "refused: \(event.text ?? "?")"
        case "passing": return passing(event)
        case "overdue": return overdue(event)
        case "runner": return runner(event)
        case "health":
            return (event.raised == true ? "! " : "ok: no longer: ")
                + "\(event.title ?? event.code ?? "?")\(event.subject.map { " (\($0))" } ?? "")"
        default: return event.event
        }
    }

    private static func isNotice(_ event: FeedRecord) -> Bool {
        event.stage == DispatchStage.pending.rawValue
    }

    private static func reason(_ notJudged: String) -> String {
        switch SOSAction.Unjudged(rawValue: notJudged) {
        case .contactLost: "the sensor has no skin contact"
        case .implausible: "the value is implausible"
        case .history: "a stored record"
        case .unwatched, nil: notJudged
        }
    }

    private static func alarm(_ event: FeedRecord, _ person: String, _ value: String) -> String {
        let cause = "\(event.rule ?? "?")" + (event.value == nil ? "" : ", \(value)")
        guard event.repetition ?? 0 == 0 else {
            return "\(person): ALARM again, \(cause): nobody has accepted or ended it"
        }
        guard let window = event.abortWindowMs else { return "\(person): ALARM \(cause)" }
        return "\(person): ALARM \(cause); it can be cancelled for \(plain(Double(window) / 1_000)) s: "
            + "homegateway abort"
    }

    private static func place(_ place: FeedRecord.Place?) -> String {
        guard let place else { return "an unknown place" }
        let point = [place.latitude, place.longitude].compactMap { $0.map(plain) }.joined(separator: ", ")
        let owner = place.of.map { $0 == "box" ? " of the box" : " of the person's wearable" } ?? ""
        let age = place.ageSeconds.map { ", \(Int64($0)) s old" } ?? ""
        let accuracy = place.errorM.map { ", within \(plain($0)) m" } ?? ""
        return "\(place.source)\(owner) \(place.address ?? point)\(age)\(accuracy)"
    }

    private static func plain(_ number: Double) -> String {
        // Five decimals of a degree are a metre; whole numbers stand without a fraction.
        let rounded = (number * 1e5).rounded() / 1e5
        return rounded == rounded.rounded() ? String(Int64(rounded)) : String(rounded)
    }
}

extension WatchLine {
    /// `milan: bib 17 at 4210 m, 5:41 min/km, bridge at 09:41:08 ±12 s`
    static func runner(_ event: FeedRecord) -> String {
        let place = event.distanceM.map { "at \(Int($0)) m" } ?? "on no course"
        let pace = event.paceSPerKm.map { ", \(PositionTable.pace(Int($0)))" } ?? ""
        let next = event.checkpoint.map { checkpoint in
            let bound = event.boundMs.map { " ±\(($0 + 999) / 1_000) s" } ?? ""
            return ", \(checkpoint) at \(event.time?.onTheClock ?? "?")\(bound)"
        }
        let flags = event.flags.map { $0.isEmpty ? "" : " (\($0.joined(separator: ", ")))" } ?? ""
        return
            "\(event.run ?? "?"): bib \(event.bib.map(String.init) ?? "?") \(place)\(pace)\(next ?? "")\(flags)"
    }

    static func overdue(_ event: FeedRecord) -> String {
        let heard =
            event.time.map { "last heard \($0.onTheClock)" } ?? "never heard: the tag may be lost"
        return "\(event.run ?? "?"): bib \(event.bib.map(String.init) ?? "?") should have passed "
            + "\(event.checkpoint ?? "?") by now, time \(event.order ?? 1); \(heard)"
    }

    static func passing(_ event: FeedRecord) -> String {
        let bound = event.boundMs.map { "±\($0) ms" } ?? "of a clock that was never set"
        let count = event.order.map { "time \($0) at" } ?? "does not count at"
        let flags = event.flags.map { $0.isEmpty ? "" : " (\($0.joined(separator: ", ")))" } ?? ""
        return
            "\(event.run ?? "?"): bib \(event.bib.map(String.init) ?? "?"), \(count) \(event.checkpoint ?? "?"), "
            + "\(event.time?.onTheClockExactly ?? "?") \(bound)\(flags)"
    }
}
