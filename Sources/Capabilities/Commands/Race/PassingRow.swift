import Contract
import Foundation
import GatewayModel
import RunBeacon

/// One passing of an export: a line of CSV, or a JSON object with the same members.
struct PassingRow: Hashable, Codable {
    /// Names in the heading of a CSV file and in the JSON objects.
    enum CodingKeys: String, CodingKey, CaseIterable {
        case run, checkpoint, bib, order, time
        case bound = "bound_ms"
        case first, last, clock
        case clockBound = "clock_bound_ms"
        case hits, rssi, method, flags, box, id, told
        case backupOf = "backup_of"
        case disputes
    }

    let run: RunID
    let checkpoint: CheckpointID
    let bib: Bib
    /// Number of the passing at this checkpoint, from 1; nil where it does not count.
    let order: Int?
    /// RFC 3339 with milliseconds in UTC, as are `first`, `last` and `told`.
    let time: String
    /// Error bound in milliseconds; nil where it is unknown.
    let bound: Int64?
    let first, last: String
    let clock: ClockSource
    let clockBound: Int64?
    let hits: Int
    /// dBm.
    let rssi: Int8
    let method: Passing.Method
    let flags: [Passing.Flag]
    let box: GatewayID
    let id: MessageID
    /// Time that was published before the clock was set; nil where it equals `time`.
    var told: String?
    /// In a merged list: the passing that counts in its place.
    var backupOf: MessageID?
    /// In a merged list: the facts on which the boxes disagree.
    var disputes: [MergedPassing.Dispute]?

    init(_ passing: Passing) {
        (run, checkpoint, bib, order) = (passing.run, passing.checkpoint, passing.bib, passing.order)
        (time, first, last) = (passing.time.rfc3339, passing.first.rfc3339, passing.last.rfc3339)
        (bound, clockBound) = (passing.bound?.boundMilliseconds, passing.clock.bound?.boundMilliseconds)
        (clock, hits, rssi, method) = (passing.clock.source, passing.hits, passing.strongest, passing.method)
        flags = passing.flags.sorted { $0.rawValue < $1.rawValue }
        (box, id) = (passing.gateway, passing.id)
    }

    /// - Parameter told: the passing as it was published first.
    init(_ passing: Passing, told: Passing) {
        self.init(passing)
        if told.time != passing.time { self.told = told.time.rfc3339 }
    }

    init(_ merged: MergedPassing) {
        self.init(merged.passing)
        backupOf = merged.backupOf
        if !merged.disputes.isEmpty { disputes = merged.disputes.sorted { $0.rawValue < $1.rawValue } }
    }

    /// Passing for another merge and for the standings. Nil where one of its times, bounds, orders or counts is
    /// invalid.
    var listed: MergedPassing? {
        passing.map { MergedPassing(passing: $0, backupOf: backupOf, disputes: Set(disputes ?? [])) }
    }

    private var passing: Passing? {
        guard let time = Self.time(time), let first = Self.time(first), let last = Self.time(last),
            order ?? 1 > 0, hits >= 0,
            [bound ?? 0, clockBound ?? 0].allSatisfy({ (0...1_000_000_000).contains($0) })
        else { return nil }
        return Passing(
            id: id, run: run, checkpoint: checkpoint, gateway: box, bib: bib, order: order, time: time,
            first: first, last: last,
            clock: ClockState(source: clock, bound: clockBound.map { .milliseconds($0) }),
            bound: bound.map { .milliseconds($0) }, hits: hits, strongest: rssi, method: method,
            flags: Set(flags))
    }

    /// Parses the time format of exports: `2026-05-10T09:41:08.377Z`.
    private static func time(_ text: String) -> WallTime? {
        let form = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard text.utf8.count == 24, let date = try? form.parse(text) else { return nil }
        let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
        return times.contains(milliseconds) ? WallTime(millisecondsSince1970: milliseconds) : nil
    }

    /// Valid times in milliseconds: from 1970, where a clock starts that was never set, to 2199. A time 292 years from
    /// the start of a run would overflow the 64-bit nanoseconds.
    private static let times = 0..<Int64(7_258_118_400_000)
}

// MARK: As a line of CSV

extension PassingRow {
    static let columns = CodingKeys.allCases.map(\.rawValue)

    /// Cells in the order of `columns`. No cell needs quotes, and no cell except a number can begin a formula.
    var fields: [String] {
        CodingKeys.allCases.map { key in
            switch key {
            case .run: run.text
            case .checkpoint: checkpoint.text
            case .bib: "\(bib)"
            case .order: order.map(String.init) ?? ""
            case .time: time
            case .bound: bound.map(String.init) ?? ""
            case .first: first
            case .last: last
            case .clock: clock.rawValue
            case .clockBound: clockBound.map(String.init) ?? ""
            case .hits: "\(hits)"
            case .rssi: "\(rssi)"
            case .method: method.rawValue
            case .flags: flags.map(\.rawValue).joined(separator: " ")
            case .box: box.text
            case .id: id.description
            case .told: told ?? ""
            case .backupOf: backupOf?.description ?? ""
            case .disputes: disputes?.map(\.rawValue).joined(separator: " ") ?? ""
            }
        }
    }

    /// Columns that some exports lack.
    private static let optional: Set<CodingKeys> = [.told, .backupOf, .disputes]

    /// Returns the required columns that the heading lacks.
    static func missing(in heading: [String]) -> [String] {
        CodingKeys.allCases.filter { !optional.contains($0) && !heading.contains($0.rawValue) }.map(\.rawValue)
    }

    /// Error for a cell with a text that is invalid in its column.
    struct Fault: Error, Hashable {
        let column, saw, expected: String
    }

    /// - Parameter cells: texts by column.
    init(_ cells: [String: String]) throws(Fault) {
        func text(_ key: CodingKeys) -> String { cells[key.rawValue] ?? "" }
        func read<Value>(
            _ key: CodingKeys, _ expected: String, _ make: (String) -> Value?
        ) throws(Fault) -> Value {
            guard let value = make(text(key)) else {
                throw Fault(column: key.rawValue, saw: text(key), expected: expected)
            }
            return value
        }
        func readIfThere<Value>(
            _ key: CodingKeys, _ expected: String, _ make: (String) -> Value?
        ) throws(Fault) -> Value? {
            text(key).isEmpty ? nil : try read(key, expected, make)
        }
        run = try read(.run, RunID.form) { RunID($0) }
        checkpoint = try read(.checkpoint, CheckpointID.form) { CheckpointID($0) }
        bib = try read(.bib, "1 to 99999") { Int($0).flatMap { Bib($0) } }
        order = try readIfThere(.order, "a whole number from 1, or nothing") {
            Int($0).flatMap { $0 > 0 ? $0 : nil }
        }
        let (form, milliseconds) = ("2026-05-10T09:41:08.377Z", "whole milliseconds, or nothing")
        func time(_ text: String) -> String? { Self.time(text) == nil ? nil : text }
        self.time = try read(.time, form, time)
        (first, last) = (try read(.first, form, time), try read(.last, form, time))
        bound = try readIfThere(.bound, milliseconds) { Int64($0) }
        clock = try read(.clock, Self.words(ClockSource.self)) { ClockSource(rawValue: $0) }
        clockBound = try readIfThere(.clockBound, milliseconds) { Int64($0) }
        hits = try read(.hits, "a whole number") { Int($0) }
        rssi = try read(.rssi, "dBm, -128 to 127") { Int8($0) }
        method = try read(.method, Self.words(Passing.Method.self)) { Passing.Method(rawValue: $0) }
        flags = try read(.flags, "words out of \(Self.words(Passing.Flag.self))") { Self.list($0) }
        box = try read(.box, GatewayID.form) { GatewayID($0) }
        id = try read(.id, "a UUID") { MessageID($0) }
        backupOf = try readIfThere(.backupOf, "a UUID, or nothing") { MessageID($0) }
        disputes = try readIfThere(.disputes, "words out of \(Self.words(MergedPassing.Dispute.self))") {
            Self.list($0)
        }
    }

    /// Returns nil where one of the words is unknown.
    private static func list<Word: RawRepresentable>(_ text: String) -> [Word]? where Word.RawValue == String {
        let words = text.split(separator: " ").map { Word(rawValue: String($0)) }
        return words.contains { $0 == nil } ? nil : words.compactMap(\.self)
    }

    private static func words<Word: CaseIterable & RawRepresentable>(_: Word.Type) -> String
    where Word.RawValue == String {
        Word.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
