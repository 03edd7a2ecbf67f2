import ArgumentParser
import Contract
import ControlSocket
import GatewayModel
import Hub
import RealTime
import Vault

/// `homegateway history show`
struct HistoryShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print one person's readings of one kind, by time.")

    @Option(name: .long, help: ArgumentHelp("The person, by the id in the settings.", valueName: "id"))
    var person: String

    @Option(name: .long, help: ArgumentHelp("The kind: heart-rate, oxygen-saturation, …", valueName: "kind"))
    var kind: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The start, UTC: 2026-03-01 or 2026-03-01T08:30. Default: a day before the end.",
            valueName: "date"), transform: HistoryShow.time)
    var from: WallTime?

    @Option(
        name: .long, help: ArgumentHelp("The end. Default: now.", valueName: "date"),
        transform: HistoryShow.time)
    var to: WallTime?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "raw, minute, hour or day. Default: the finest with about 1,000 points at most.",
            valueName: "resolution"), transform: HistoryShow.resolution)
    var resolution: HistoryResolution?

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var gateway: GatewayOption

    func validate() throws {
        if let from, let to, to <= from { throw ValidationError("--to must be later than --from") }
    }

    func run() throws {
        let end = (to ?? Clock.wall()).millisecondsSince1970
        let begin = from?.millisecondsSince1970 ?? end - 86_400_000
        // One for all pages.
        let resolution =
            resolution
            ?? .fitting(
                from: WallTime(millisecondsSince1970: begin), to: WallTime(millisecondsSince1970: end))
        var points: [HistoryPoint] = []
        var unreadable = 0
        var next: Int64? = begin
        while let from = next {
            let page = try gateway.place.askForHistory(
                ControlRequest(
                    .history, person: person, kind: kind, from: from, to: end,
                    resolution: resolution.rawValue))
            points += page.points
            unreadable += page.unreadable
            next = page.next
        }
        if unreadable > 0 { SettingsOption.complain("\(unreadable) rows cannot be read and are left out") }
        let shown = ShownHistory(person: person, kind: kind, resolution: resolution, points: points)
        if json { Shown.line(try shown.json()) } else { shown.lines.forEach(Shown.line) }
    }

    static func resolution(_ text: String) throws -> HistoryResolution {
        guard let resolution = HistoryResolution(rawValue: text) else {
            let known = HistoryResolution.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)' is no resolution; expected one of \(known)")
        }
        return resolution
    }

    /// Of RFC 3339, in UTC.
    static func time(_ text: String) throws -> WallTime {
        guard let time = WallTime(dateOrTime: text) else {
            throw ValidationError("'\(text)' is no date; expected one such as 2026-03-01 or 2026-03-01T08:30")
        }
        return time
    }
}

extension GatewaySocket {
    fileprivate func askForHistory(_ request: ControlRequest) throws -> HistoryPage {
        do {
            var client = try client()
            let reply = try client.ask(request)
            if let page = reply.history { return page }
            for line in reply.lines { SettingsOption.complain(line) }
        } catch let error as ControlError {
            SettingsOption.complain(error.description)
        }
        throw ExitCode(1)
    }
}
