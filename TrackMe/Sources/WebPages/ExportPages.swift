import Accounts
import CSVTables
import Contract
import ContractReading
import GatewayModel
import HTML
import Store

/// Form of an export.
enum ExportFormat: String, CaseIterable, Hashable, Sendable {
    case json, csv, fhir

    var type: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv; charset=utf-8"
        case .fhir: "application/fhir+json"
        }
    }

    var ending: String { self == .csv ? "csv" : "json" }
}

/// All data of an account and of its linked persons as one file, which is written while it is read.
struct ExportPages: Sendable {
    static func place(_ format: ExportFormat) -> HTML.Place {
        Places.account.adding("/export").appending(format.rawValue)
    }

    let parts: SiteParts

    var routes: [Route] {
        ExportFormat.allCases.map { format in
            Route(.get, Self.place(format).text, access: .signedIn) { context in
                let account = try context.signedIn()
                let links = try await parts.stores.links.links(of: account.id)
                for link in links where link.state == .linked {
                    try await parts.recordLook(.export, context, of: link)
                }
                let export = AccountExport(parts: parts, account: account, links: links)
                var answer = WebAnswer.file(type: format.type) { send in
                    try await export.write(format, to: send)
                }
                answer.headers.append(
                    (
                        "Content-Disposition",
                        "attachment; filename=\"trackme-\(account.user)-\(format.rawValue).\(format.ending)\""
                    ))
                return answer
            }
        }
    }
}

/// Writes an export. At most one page of rows, or the short lists of one account or person, are in memory.
struct AccountExport: Sendable {
    /// Rows of one read.
    static let pageRows = 1_000
    /// Documents of one read: each has up to 64 KB.
    static let pageDocuments = 100
    /// Bytes from which a piece is sent.
    static let pieceBytes = 32_768

    /// Text of the file that waits to be sent.
    private struct Piece {
        private(set) var bytes: [UInt8] = []

        mutating func add(_ text: String, _ send: WebAnswer.Send) async throws {
            bytes += text.utf8
            if bytes.count >= AccountExport.pieceBytes { try await flush(send) }
        }

        mutating func flush(_ send: WebAnswer.Send) async throws {
            guard !bytes.isEmpty else { return }
            try await send(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
    }

    /// Entry of a list, which a comma separates from the one before.
    private struct Separator {
        private var isFirst = true

        mutating func next() -> String {
            defer { isFirst = false }
            return isFirst ? "" : ",\n"
        }
    }

    let parts: SiteParts
    let account: Account
    let links: [Link]

    func write(_ format: ExportFormat, to send: WebAnswer.Send) async throws {
        var piece = Piece()
        switch format {
        case .json: try await writeJSON(&piece, send)
        case .csv: try await writeCSV(&piece, send)
        case .fhir: try await writeFHIR(&piece, send)
        }
        try await piece.flush(send)
    }

    private var linked: [Link] { links.filter { $0.state == .linked } }

    // MARK: Reading

    /// Whether the person's yes still holds: it is asked before each page of rows.
    private func isOpen(_ link: Link) async throws -> Bool {
        try await parts.stores.links.link(link.id, of: account.id)?.state == .linked
    }

    /// Calls `body` for each row, page by page, until the last one or the person's no.
    ///
    /// - Parameter read: returns the rows after a row; nil begins with the first.
    private func each<Row>(
        of link: Link, _ read: (_ after: Row?) async throws -> [Row], _ body: (Row) async throws -> Void
    ) async throws {
        var last: Row?
        while try await isOpen(link) {
            let page = try await read(last)
            for row in page { try await body(row) }
            guard let end = page.last else { return }
            last = end
        }
    }

    /// Calls `body` for each reading of the person that is kept.
    private func eachSample(
        of link: Link, in series: Series, _ body: (StoredSample) async throws -> Void
    ) async throws {
        try await each(
            of: link,
            {
                try await parts.stores.samples.samples(
                    of: link.subject, in: series, after: $0?.id, most: Self.pageRows)
            }, body)
    }

    /// Calls `body` for the hours until the minutes begin, and for the minutes until the readings begin. The minute in which
    /// the readings begin is in both.
    private func eachSummary(
        of link: Link, in series: Series, _ body: (RollUp, Summary) async throws -> Void
    ) async throws {
        let kept = try await parts.stores.samples.keptSince()
        let change = WallTime(millisecondsSince1970: max(kept.raw, kept.minutes).millisecondsSince1970)
        let spans: [(RollUp, WallTime, WallTime)] = [
            (.hour, WallTime(millisecondsSince1970: 0), kept.minutes), (.minute, kept.minutes, change),
        ]
        for (length, begin, end) in spans {
            try await each(
                of: link,
                { (last: Summary?) in
                    try await parts.stores.samples.rollUps(
                        of: link.subject, in: series, length,
                        from: last?.begin.advanced(by: .milliseconds(length.rawValue)) ?? begin, to: end,
                        most: Self.pageRows)
                }, { try await body(length, $0) })
        }
    }

    private func eachDocument(of link: Link, _ body: (StoredDocument) async throws -> Void) async throws {
        try await each(
            of: link,
            {
                try await parts.stores.records.documents(
                    of: link.subject, after: $0?.id, most: Self.pageDocuments)
            }, body)
    }

    // MARK: JSON

    private func writeJSON(_ piece: inout Piece, _ send: WebAnswer.Send) async throws {
        let name = try parts.sealer.open(account.identity, of: account.user).name
        try await piece.add(
            #"{"account":{"user":\#(JSONText.quoted(account.user.text)),"name":\#(JSONText.quoted(name)),"#
                + #""language":"\#(account.language.rawValue)","time_zone":\#(account.zone.map(JSONText.quoted) ?? "null"),"#
                + #""agreement":{"version":\#(account.agreement.version),"accepted":"\#(account.agreement.at.rfc3339)"},"#
                + #""role":"\#(account.role.rawValue)","created":"\#(account.created.rfc3339)"}"#, send)
        try await write(try await parts.stores.exports.lists(of: account.id), &piece, send)
        try await piece.add(#","people":["#, send)
        var people = Separator()
        for link in linked {
            try await piece.add(people.next(), send)
            try await writeJSON(link, &piece, send)
        }
        try await piece.add("]}\n", send)
    }

    /// Members of the object that is open.
    private func write(
        _ lists: [ExportedList], _ piece: inout Piece, _ send: WebAnswer.Send
    ) async throws {
        for list in lists {
            try await piece.add(#","\#(list.name)":["#, send)
            var separator = Separator()
            for row in list.rows {
                let fields = try row.map { #""\#($0.name)":\#(try text(of: $0.value))"# }
                try await piece.add(separator.next() + "{\(fields.joined(separator: ","))}", send)
            }
            try await piece.add("]", send)
        }
    }

    private func text(of value: ExportValue) throws -> String {
        switch value {
        case .none: "null"
        case .text(let text): JSONText.quoted(text)
        case .number(let number): "\(number)"
        case .integer(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .time(let time): #""\#(time.rfc3339)""#
        case .json(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Limits of alarms that the person shares with this server.
    private func limits(of link: Link) async throws -> String {
        let shared = try await parts.stores.facts.sharing(.limits, of: link.subject)?.limits ?? []
        let rows = shared.map { limits in
            let sides = [
                ("low", limits.low), ("high", limits.high), ("warning_low", limits.warningLow),
                ("warning_high", limits.warningHigh),
            ]
            return #"{"kind":"\#(limits.kind.rawValue)","unit":\#(JSONText.quoted(limits.kind.coding.unit))"#
                + sides.compactMap { name, value in value.map { #","\#(name)":\#($0)"# } }.joined() + "}"
        }
        return "[\(rows.joined(separator: ","))]"
    }

    private func writeJSON(_ link: Link, _ piece: inout Piece, _ send: WebAnswer.Send) async throws {
        try await piece.add(
            #"{"house":"\#(link.subject.gateway)","person":"\#(link.subject.person)","limits":\#(try await limits(of: link)),"readings":["#,
            send)
        let records = parts.stores.records
        let series = try await parts.stores.samples.series(of: link.subject)
        var separator = Separator()
        for series in series {
            try await eachSample(of: link, in: series) { sample in
                let beats = sample.beatIntervals.map { "\($0)" }.joined(separator: ",")
                let doubts = sample.flags.doubts.words.map { JSONText.quoted($0) }.joined(separator: ",")
                try await piece.add(
                    separator.next()
                        + #"{"kind":"\#(sample.kind.rawValue)","device":"\#(sample.device)","id":"\#(sample.id)","#
                        + #""time":"\#(sample.time.rfc3339)","value":\#(sample.value),"#
                        + #""unit":\#(JSONText.quoted(sample.kind.coding.unit))"#
                        + (beats.isEmpty ? "" : #","rr_ms":[\#(beats)]"#)
                        + (doubts.isEmpty ? "" : #","doubt":[\#(doubts)]"#)
                        + (sample.flags.contains(.contactLost) ? #","contact":"lost""# : "")
                        + (sample.flags.contains(.history) ? #","history":true"# : "")
                        + (sample.flags.contains(.app) ? #","source":"app""# : "") + "}", send)
            }
        }
        try await piece.add(#"],"summaries":["#, send)
        separator = Separator()
        for series in series {
            try await eachSummary(of: link, in: series) { length, summary in
                try await piece.add(
                    separator.next()
                        + #"{"kind":"\#(series.kind.rawValue)","device":"\#(series.device)","#
                        + #""from":"\#(summary.begin.rfc3339)","seconds":\#(length.rawValue / 1_000),"#
                        + #""count":\#(summary.count),"min":\#(summary.min),"mean":\#(summary.mean),"#
                        + #""max":\#(summary.max),"unit":\#(JSONText.quoted(series.kind.coding.unit))}"#, send)
            }
        }
        try await piece.add(#"],"gaps":["#, send)
        separator = Separator()
        try await each(
            of: link,
            { try await records.gaps(of: link.subject, after: $0?.id, most: Self.pageRows) },
            { try await piece.add(separator.next() + PersonRecords.json($0), send) })
        try await piece.add(#"],"alarms":["#, send)
        separator = Separator()
        try await each(
            of: link,
            { try await records.alarms(of: link.subject, after: $0?.alarm, most: Self.pageRows) },
            { alarm in
                try await piece.add(
                    separator.next()
                        + #"{"alarm":"\#(alarm.alarm)","begin":"\#(alarm.begin.rfc3339)","#
                        + #""state":"\#(alarm.state.rawValue)","drill":\#(alarm.isDrill)}"#, send)
            })
        try await piece.add(#"],"notices":["#, send)
        separator = Separator()
        try await each(
            of: link,
            { try await records.notices(of: link.subject, before: $0?.id, most: Self.pageRows) },
            { try await piece.add(separator.next() + PersonRecords.json($0), send) })
        try await piece.add(#"],"documents":["#, send)
        separator = Separator()
        try await eachDocument(of: link) { document in
            try await piece.add(separator.next() + String(decoding: document.resource, as: UTF8.self), send)
        }
        try await piece.add(#"],"looks":["#, send)
        separator = Separator()
        try await each(
            of: link,
            { try await parts.stores.views.views(of: link.subject, after: $0, most: Self.pageRows) },
            { view in
                try await piece.add(
                    separator.next()
                        + #"{"user":\#(view.user.map { JSONText.quoted($0.text) } ?? "null"),"#
                        + #""manner":"\#(view.manner.rawValue)","count":\#(view.count),"#
                        + #""last":"\#(view.last.rfc3339)"}"#, send)
            })
        try await piece.add("]", send)
        if try await isOpen(link) {
            try await write(try await parts.stores.exports.lists(of: link.subject), &piece, send)
        }
        try await piece.add("}", send)
    }

    // MARK: CSV

    private func writeCSV(_ piece: inout Piece, _ send: WebAnswer.Send) async throws {
        let head = [
            "house", "person", "kind", "device", "time", "seconds", "count", "min", "mean", "max", "unit", "id",
            "rr_ms", "doubt",
        ]
        try await piece.add(CSVRow(head).line + "\r\n", send)
        for link in linked {
            for series in try await parts.stores.samples.series(of: link.subject) {
                let names = [
                    link.subject.gateway.text, link.subject.person.text, series.kind.rawValue,
                    series.device.text,
                ]
                let unit = series.kind.coding.unit
                try await eachSummary(of: link, in: series) { length, summary in
                    let figures = [
                        summary.begin.rfc3339, "\(length.rawValue / 1_000)", "\(summary.count)",
                        "\(summary.min)", "\(summary.mean)", "\(summary.max)", unit, "", "", "",
                    ]
                    try await piece.add(CSVRow(names + figures).line + "\r\n", send)
                }
                try await eachSample(of: link, in: series) { sample in
                    let value = "\(sample.value)"
                    let beats = sample.beatIntervals.map { "\($0)" }.joined(separator: " ")
                    let figures = [
                        sample.time.rfc3339, "0", "1", value, value, value, unit, sample.id.description, beats,
                        sample.flags.doubts.words.joined(separator: " "),
                    ]
                    try await piece.add(CSVRow(names + figures).line + "\r\n", send)
                }
            }
        }
    }

    // MARK: FHIR

    private func writeFHIR(_ piece: inout Piece, _ send: WebAnswer.Send) async throws {
        try await piece.add(FHIRExport.opening, send)
        var separator = Separator()
        for link in linked {
            let fhir = FHIRExport(link.subject.person, at: link.subject.gateway)
            try await piece.add(separator.next() + fhir.patient(), send)
            let series = try await parts.stores.samples.series(of: link.subject)
            for device in Set(series.map(\.device)).sorted(by: { $0.text < $1.text }) {
                try await piece.add(separator.next() + fhir.device(device), send)
            }
            for series in series {
                try await eachSummary(of: link, in: series) { length, summary in
                    let end = WallTime(
                        millisecondsSince1970: summary.begin.millisecondsSince1970 + length.rawValue)
                    let entry = fhir.summary(
                        of: series.kind, from: summary.begin, to: end, count: summary.count, min: summary.min,
                        mean: summary.mean, max: summary.max)
                    try await piece.add(separator.next() + entry, send)
                }
                // Two readings of one instant are told apart by a number.
                var (last, number): (WallTime?, Int) = (nil, 0)
                try await eachSample(of: link, in: series) { sample in
                    number = sample.time == last ? number + 1 : 0
                    last = sample.time
                    let entry = fhir.reading(
                        Quantity(sample.kind, sample.value), of: sample.device, at: sample.time, number: number,
                        isOfTheBody: !sample.flags.contains(.contactLost), intervals: sample.beatIntervals,
                        doubts: sample.flags.doubts)
                    try await piece.add(separator.next() + entry, send)
                }
            }
            try await eachDocument(of: link) { document in
                try await piece.add(
                    separator.next()
                        + #"{"fullUrl":"https://trackme.invalid/\#(link.subject.gateway)/Observation/\#(document.id)","#
                        + #""resource":"# + String(decoding: document.resource, as: UTF8.self) + "}", send)
            }
        }
        try await piece.add(FHIRExport.closing, send)
    }
}
