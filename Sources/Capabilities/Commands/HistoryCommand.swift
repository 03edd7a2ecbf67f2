import ArgumentParser
import Contract
import ControlContract
import ControlLink
import ControlSocket
import FoundationEssentials
import GatewayModel
import Glibc
import Hub
import RealTime
import Vault

/// `homegateway history …`
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the readings and positions that are kept in the house.",
        discussion: "The running gateway, which has the key, answers. The output is personal data.",
        subcommands: [HistoryShow.self, HistoryLocations.self, HistoryRotateKey.self],
        defaultSubcommand: HistoryShow.self)
}

/// `homegateway history rotate-key`
struct HistoryRotateKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Make a new key for the history, and encrypt everything with it.",
        discussion: """
            For a key that the gateway made itself. Change a key of your own in the
            settings: key_file and previous_key_file of [history].
            """)

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(Verb.RotateHistoryKey())
    }
}

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
        // The same resolution for all pages.
        let resolution =
            resolution
            ?? .fitting(
                from: WallTime(millisecondsSince1970: begin), to: WallTime(millisecondsSince1970: end))
        var points: [HistoryPoint] = []
        var unreadable = 0
        var next: Int64? = begin
        while let from = next {
            let page = try gateway.place.page(
                for: Verb.History(
                    person: person, kind: kind, from: WallTime(millisecondsSince1970: from),
                    to: WallTime(millisecondsSince1970: end), resolution: resolution)
            ) { if case .history(let page) = $0 { page } else { nil } }
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

    /// Parses a date or time of RFC 3339 in UTC.
    static func time(_ text: String) throws -> WallTime {
        guard let time = WallTime(dateOrTime: text) else {
            throw ValidationError("'\(text)' is no date; expected one such as 2026-03-01 or 2026-03-01T08:30")
        }
        return time
    }
}

/// `homegateway history locations`
struct HistoryLocations: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locations", abstract: "Print one person's positions, by time.",
        discussion: "Positions are kept where [location] sample_seconds is above 0.")

    @Option(name: .long, help: ArgumentHelp("The person, by the id in the settings.", valueName: "id"))
    var person: String

    @Option(
        name: .long, help: ArgumentHelp("The start, UTC. Default: a day before the end.", valueName: "date"),
        transform: HistoryShow.time)
    var from: WallTime?

    @Option(
        name: .long, help: ArgumentHelp("The end. Default: now.", valueName: "date"),
        transform: HistoryShow.time)
    var to: WallTime?

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var gateway: GatewayOption

    func validate() throws {
        if let from, let to, to <= from { throw ValidationError("--to must be later than --from") }
    }

    func run() throws {
        let end = to ?? Clock.wall()
        let begin = from?.millisecondsSince1970 ?? end.millisecondsSince1970 - 86_400_000
        var rows: [ExportLocation] = []
        var unreadable = 0
        var next: Int64? = begin
        while let from = next {
            let page = try gateway.place.page(
                for: Verb.History(
                    person: person, kind: DataKind.location.rawValue,
                    from: WallTime(millisecondsSince1970: from), to: end, resolution: nil)
            ) { if case .locations(let page) = $0 { page } else { nil } }
            rows += page.points.map(ExportLocation.init)
            unreadable += page.unreadable
            next = page.next
        }
        if unreadable > 0 { SettingsOption.complain("\(unreadable) rows cannot be read and are left out") }
        guard !json else {
            return Shown.line(ExportJSON.text(["locations": rows], isPretty: true))
        }
        guard !rows.isEmpty else { return Shown.line("no positions in this time") }
        Shown.table([["TIME", "LATITUDE", "LONGITUDE", "± M", "DEVICE"]] + rows.map(\.fields)).forEach(
            Shown.line)
    }
}

extension GatewaySocket {
    fileprivate func page<Page>(
        for request: @autoclosure () throws(ControlError) -> Verb.History,
        in document: (StoredPage) -> Page?
    ) throws -> Page {
        do {
            let history = try request()
            var client = try client()
            let reply = try client.ask(history)
            if let page = reply.document.flatMap(document) { return page }
            for line in reply.lines { SettingsOption.complain(line) }
        } catch let error as ControlError {
            SettingsOption.complain(error.description)
        }
        throw ExitCode(1)
    }
}

/// Requested part of the history, as text for people and as JSON for programs.
struct ShownHistory: Encodable {
    private struct Point: Encodable {
        let at: String
        let count: Int
        let min, mean, max: Double
        let device: String?
        let contact: SensorContact?
        let currency: Reading.Currency?
        let doubt: Doubts?
        let doubtful: Int?
    }

    private let person: String
    private let kind: String
    /// Unit in UCUM.
    private let unit: String?
    private let resolution: HistoryResolution
    private let points: [Point]

    init(person: String, kind: String, resolution: HistoryResolution, points: [HistoryPoint]) {
        (self.person, self.kind, self.resolution) = (person, kind, resolution)
        unit = QuantityKind(rawValue: kind)?.coding.unit
        self.points = points.map { point in
            Point(
                at: WallTime(millisecondsSince1970: point.at).rfc3339, count: point.count, min: point.min,
                mean: point.mean, max: point.max, device: point.device, contact: point.contact,
                currency: point.currency, doubt: point.doubt, doubtful: point.doubtful)
        }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    var lines: [String] {
        guard !points.isEmpty else { return ["no readings in this time"] }
        guard resolution != .raw else {
            let rows = points.map { point in
                [
                    point.at, Self.text(point.mean), point.device ?? "-",
                    point.contact == .lost ? "off the skin" : "", Self.word(for: point.currency),
                    point.doubt?.words.joined(separator: ", ") ?? "",
                ]
            }
            return Shown.table([["TIME", "VALUE", "DEVICE", "", "", ""]] + rows)
        }
        let rows = points.map { point in
            [
                point.at, Self.text(point.min), Self.text(point.mean), Self.text(point.max),
                "\(point.count)", point.doubtful.map { "\($0) doubtful" } ?? "",
            ]
        }
        return Shown.table([["FROM", "LEAST", "MEAN", "MOST", "READINGS", ""]] + rows)
    }

    private static func word(for currency: Reading.Currency?) -> String {
        switch currency {
        case .live, nil: ""
        case .history: "stored"
        case .undated: "its clock is not set"
        }
    }

    /// Value to a tenth, finer than the resolution of the sensors.
    private static func text(_ value: Double) -> String {
        "\((value * 10).rounded() / 10)"
    }
}

extension WallTime {
    /// Parses `2026-03-01`, `2026-03-01T08:30` or with seconds, in UTC with or without a `Z`; nil for any other text.
    init?(dateOrTime text: String) {
        let form = /(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?Z?)?/
        guard let match = text.wholeMatch(of: form) else { return nil }
        func number(_ digits: Substring?) -> Int32 { digits.flatMap { Int32($0) } ?? 0 }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
            number(match.1) - 1_900, number(match.2) - 1, number(match.3)
        )
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(match.4), number(match.5), number(match.6))
        let asked = parts
        let seconds = timegm(&parts)
        // timegm turns a 30th of February into another day; such a date is refused.
        guard asked.tm_mon == parts.tm_mon, asked.tm_mday == parts.tm_mday, asked.tm_hour == parts.tm_hour,
            asked.tm_min == parts.tm_min, asked.tm_sec == parts.tm_sec
        else { return nil }
        self.init(millisecondsSince1970: Int64(seconds) * 1_000)
    }
}
