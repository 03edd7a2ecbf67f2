import Foundation
import GatewayModel
import HomeGateway
import Testing

@testable import Hub
@testable import Supervision

/// Directories as the kernel makes them: of a laptop (mains `AC`, battery `BAT0`), a tablet (`usb`) and a box
/// that shows nothing.
@Suite struct `The power of the box` {
    private func supply(_ files: [String: [String: String]]) throws -> PowerSupply? {
        let directory = FileManager.default.temporaryDirectory.appending(path: "power-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, values) in files {
            let supply = directory.appending(path: name)
            try FileManager.default.createDirectory(at: supply, withIntermediateDirectories: true)
            for (file, value) in values {
                try Data("\(value)\n".utf8).write(to: supply.appending(path: file))
            }
        }
        return PowerSupply(directory: directory.path)
    }

    private func holding(_ changes: [HealthChange]) -> [HealthCode] {
        changes.filter(\.holds).map(\.condition.code)
    }

    @Test func `is unknown where nothing is shown, and then nothing is wrong`() throws {
        #expect(PowerSupply(directory: "/nonexistent") == nil)
        #expect(try supply([:]) == nil)
        var watch = PowerWatch()
        let changes = watch.see(nil)
        #expect(holding(changes).isEmpty)
    }

    @Test func `is the mains while any supply is there`() throws {
        let plugged = try #require(
            try supply([
                "AC": ["type": "Mains", "online": "0"], "usb": ["type": "USB", "online": "1"],
                "BAT0": ["type": "Battery", "capacity": "80", "status": "Charging", "present": "1"],
            ]))
        #expect(plugged.hasMains == true && plugged.batteryPercent == 80)
    }

    @Test func `is the battery where no supply is online, or where it empties`() throws {
        let unplugged = try supply([
            "AC": ["type": "Mains", "online": "0"],
            "BAT0": ["type": "Battery", "capacity": "41", "status": "Discharging"],
        ])
        #expect(unplugged?.hasMains == false && unplugged?.batteryPercent == 41)
        let alone = try supply(["ups": ["type": "UPS", "capacity": "90", "status": "Discharging"]])
        #expect(alone?.hasMains == false)
        let full = try supply(["ups": ["type": "UPS", "capacity": "100", "status": "Full"]])
        #expect(full?.hasMains == nil && full?.batteryPercent == 100)
    }

    @Test func `is not that of a mouse, nor of an empty bay, nor of what cannot be`() throws {
        #expect(
            try supply([
                "mouse": ["type": "Battery", "scope": "Device", "capacity": "5", "status": "Discharging"],
                "BAT1": ["type": "Battery", "present": "0", "capacity": "0"],
                "BAT2": ["type": "Battery", "capacity": "250"],
                "odd": ["type": "\u{0}\u{1}"],
                "none": [:],
            ]) == nil)
    }

    @Test func `lost is told, and an empty battery besides, until it is better`() throws {
        var watch = PowerWatch()
        func see(_ online: String, _ percent: Int, _ watch: inout PowerWatch) throws -> [HealthCode] {
            holding(
                watch.see(
                    try supply([
                        "AC": ["type": "Mains", "online": online],
                        "BAT0": ["type": "Battery", "capacity": "\(percent)"],
                    ])))
        }
        for (online, percent, codes) in [
            ("1", 100, []), ("0", 90, [.mainsLost]), ("0", 15, [.mainsLost, .houseBatteryLow]),
            ("0", 17, [.mainsLost, .houseBatteryLow]), ("1", 15, []), ("1", 60, []), ("0", 60, [.mainsLost]),
        ] as [(String, Int, [HealthCode])] {
            let seen = try see(online, percent, &watch)
            #expect(seen == codes, "\(online) \(percent)")
        }
    }
}
