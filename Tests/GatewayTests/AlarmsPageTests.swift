import Foundation
import GatewayModel
import SOSLocal
import Testing

/// The table of docs/installer/alarms.md against the defaults.
@Suite struct AlarmsPageTests {
    private static let names: [QuantityKind: String] = [
        .heartRate: "heart rate, /min", .oxygenSaturation: "oxygen saturation, %",
        .systolicPressure: "systolic, mmHg", .diastolicPressure: "diastolic, mmHg",
        .bodyTemperature: "temperature, °C", .glucose: "glucose, mg/dL",
    ]

    private static func cells(of kind: QuantityKind) throws -> [String] {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/installer/alarms.md")
        let name = try #require(names[kind])
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let row = try #require(rows.first(where: { $0.hasPrefix("| \(name) |") }), "no row of \(name)")
        return row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// As people write it: 40, 39.1.
    private static func text(_ limit: Double) -> String {
        limit == limit.rounded() ? "\(Int(limit))" : "\(limit)"
    }

    @Test(arguments: RuleDefaults.all)
    func `tells each limit and how long it has to last`(defaults: RuleDefaults) throws {
        let cells = try Self.cells(of: defaults.kind)
        try #require(cells.count == 5)
        for (cell, slots, isOn) in [
            (cells[1], [LimitSlot.low, .high], defaults.areEmergenciesOn),
            (cells[2], [LimitSlot.warningLow, .warningHigh], defaults.areWarningsOn),
        ] {
            let limits = slots.compactMap { slot in defaults.limits[slot].map { (slot, Self.text($0.value)) } }
            let told =
                isOn
                ? limits.map { "\($0.0.side == .low ? "≤" : "≥") \($0.1)" }.joined(separator: ", ")
                : "off (\(limits.map { $0.1 }.joined(separator: ", ")))"
            #expect(cell == told)
        }
        let lasting = defaults.warningConfirmation.within
        let isWaited = defaults.areWarningsOn && lasting > .zero
        #expect(cells[3].contains("warning") == isWaited)
        if isWaited { #expect(cells[3].hasSuffix(" \(lasting.components.seconds) s")) }
        let streams = defaults.areEmergenciesOn && defaults.confirmation.readings > 1
        #expect(cells[3].hasPrefix("\(defaults.confirmation.readings) readings") == streams)
    }
}
