import ModelSamples
import RealTime
import Testing
import WireFormats

@testable import GatewayModel
@testable import Wearables

/// Bytes are the examples of the specifications and captures of real devices, where a test says nothing else.
@Suite struct `The reading mapper` {
    /// 2026-01-15 08:31:00 UTC; the house is an hour ahead.
    private static let noon = Moment(
        boot: BootInstant(nanoseconds: 9_000_000_000), wall: WallTime(millisecondsSince1970: 1_768_465_860_000))
    private static let zone = LocalZone.fixed(eastOfUTC: 3_600)

    private func notification(_ number: UInt16, _ hex: String, wearable: Wearable = TrackerRig.strap)
        -> Notification
    {
        let bytes = hex.split(separator: " ").map { UInt8($0, radix: 16)! }
        return Notification(
            wearable: wearable, characteristic: BluetoothUUID(assigned: number), bytes: bytes,
            arrival: Self.noon, zone: Self.zone, gateway: GatewayID(sample: "house-12"))
    }

    private func events(_ number: UInt16, _ hex: String, _ memory: DeviceMemory = DeviceMemory())
        -> [WearableEvent]
    {
        var memory = memory
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        return notification(number, hex).events(knowing: &memory, using: &random)
    }

    private func readings(_ number: UInt16, _ hex: String, _ memory: DeviceMemory = DeviceMemory()) -> [Reading]
    {
        events(number, hex, memory).compactMap { if case .reading(let reading) = $0 { reading } else { nil } }
    }

    private func values(_ number: UInt16, _ hex: String) -> [Quantity] { readings(number, hex).map(\.quantity) }

    @Test func `tells the rate first, then each interval in milliseconds`() {
        let readings = readings(0x2A37, "16 4A 2E 03 48 03")
        #expect(readings.map(\.quantity.kind) == [.heartRate, .rrInterval, .rrInterval])
        #expect(readings.map(\.quantity.value) == [74, 794.921875, 820.3125])
        #expect(readings.allSatisfy { $0.contact == .detected && $0.currency == .live })
        #expect(Set(readings.map(\.id)).count == 3)
    }

    /// A cuff that found an irregular pulse, one that was moved, and an oximeter with low perfusion.
    @Test(
        arguments: [
            (0x2A35, "14 78 00 50 00 5D 00 48 00 04 00", ["irregular-pulse"]),
            (0x2A35, "14 E2 00 50 00 5D 00 48 00 23 00", ["body-movement", "loose-cuff", "wrong-position"]),
            (0x2A5F, "08 50 00 46 00 20 00 00", ["low-perfusion"]),
            (
                0x2A5F, "0C 50 00 46 00 00 40 14 05 00",
                [
                    "questionable", "signal-irregularity", "poor-signal", "questionable-pulse", "interference",
                ]
            ),
            (0x2A35, "00 78 00 50 00 5D 00", []),
        ] as [(UInt16, String, [String])])
    func `tells the doubts of the device`(number: UInt16, hex: String, words: [String]) {
        let readings = readings(number, hex)
        #expect(!readings.isEmpty && readings.allSatisfy { $0.doubts.words == words })
    }

    @Test func `tells no value that is not measured yet`() {
        // Ongoing, then an early estimate, of a spot check; and of a stream.
        #expect(values(0x2A5E, "02 50 00 46 00 20 00").isEmpty)
        #expect(values(0x2A5E, "02 50 00 46 00 40 00").isEmpty)
        #expect(values(0x2A5F, "04 50 00 46 00 40 00").isEmpty)
        // A stream is always under way, and a validated value is a value.
        #expect(values(0x2A5F, "04 50 00 46 00 20 00").count == 2)
        #expect(values(0x2A5E, "02 50 00 46 00 A0 00").count == 2)
        #expect(values(0x2A5E, "02 50 00 46 00 20 02").count == 2)
    }

    /// User 1, 2, 3, the user that the device does not know, and no user.
    @Test(
        arguments: [
            ([1: "ada", 2: "bob"], ["ada", "bob", nil, nil, "ada"]),
            ([2: "ada"], [nil, "ada", nil, nil, "ada"]),
            ([:], ["ada", nil, nil, "ada", "ada"]),
        ] as [([UInt8: String], [String?])])
    func `gives a shared cuff's values to the users in the settings`(
        users: [UInt8: String], persons: [String?]
    ) {
        let cuff = Wearable(
            id: DeviceID(sample: "cuff"), address: TrackerRig.strap.address, person: PersonID(sample: "ada"),
            users: users.mapValues { PersonID(sample: $0) }, alarmAlert: .high)
        let measurements =
            ["01", "02", "03", "FF"].map { "08 E2 00 50 00 5D 00 \($0)" } + ["00 E2 00 50 00 5D 00"]
        for (hex, person) in zip(measurements, persons) {
            var memory = DeviceMemory()
            var random = MessageIDSequence(SystemRandomNumberGenerator())
            let events = notification(0x2A35, hex, wearable: cuff).events(knowing: &memory, using: &random)
            let readings = events.compactMap {
                if case .reading(let reading) = $0 { reading.person.text } else { nil }
            }
            #expect(Set(readings) == Set([person].compactMap(\.self)))
            let unnamed = events.compactMap {
                if case .unnamedUser(cuff.id, let readings, at: Self.noon.boot) = $0 { readings } else { nil }
            }
            #expect(unnamed.map(\.count) == (person == nil ? [3] : []))
        }
    }

    @Test func `tells a jump that no beats support`() {
        var memory = DeviceMemory()
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        let found = ["00 48", "00 96"].flatMap {
            notification(0x2A37, $0).events(knowing: &memory, using: &random)
        }
        let doubts = found.compactMap { if case .reading(let reading) = $0 { reading.doubts } else { nil } }
        #expect(doubts == [[], .jump])
    }

    @Test func `tells no intervals off the skin`() {
        #expect(values(0x2A37, "14 00 2E 03") == [Quantity(.heartRate, 0)])
    }

    @Test func `takes a blood pressure apart and keeps its time`() {
        let readings = readings(0x2A35, "1E 78 00 50 00 5D 00 E8 07 06 17 0E 23 0A 48 00 01 04 00")
        #expect(
            readings.map(\.quantity) == [
                Quantity(.systolicPressure, 120), Quantity(.diastolicPressure, 80),
                Quantity(.meanArterialPressure, 93), Quantity(.heartRate, 72),
            ])
        // 2024-06-23 14:35:10 local is an hour less in UTC, and long ago.
        #expect(readings[0].currency == .history)
        #expect(readings[0].measured == WallTime(millisecondsSince1970: 1_719_149_710_000))
    }

    @Test func `makes millimetres of mercury of kilopascals`() {
        let values = values(0x2A35, "01 A0 F0 6B F0 7C F0").map(\.value)
        // 16.0, 10.7 and 12.4 kPa at 133.322387415 Pa each.
        #expect(values.map { ($0 * 100).rounded() / 100 } == [120.01, 80.26, 93.01])
    }

    @Test func `never makes a value of what is not a number`() {
        for (number, hex): (UInt16, String) in [
            (0x2A35, "16 FF 07 FF 07 FF 07 E8 07 06 17 0E 23 0A FF 07 00 00"), (0x2A1C, "00 FF FF 7F 00"),
            (0x2A5E, "00 FF 07 FF 07"), (0x2A5F, "00 00 08 02 08"), (0x2A9D, "00 FF FF"),
            (0x2AA7, "06 00 FF 07 05 00"),
        ] {
            let events = events(number, hex)
            guard case .measurementFailed(TrackerRig.strap.id, _, _, _)? = events.first, events.count == 1
            else {
                return #expect(Bool(false), "\(String(number, radix: 16))")
            }
        }
    }

    @Test func `reads celsius and fahrenheit alike`() {
        #expect(values(0x2A1C, "00 6E 01 00 FF") == [Quantity(.bodyTemperature, 36.6)])
        #expect(values(0x2A1C, "01 DA 03 00 FF").map { ($0.value * 1e6).rounded() / 1e6 } == [37])
    }

    @Test func `reads saturation with its pulse, and no more than all`() {
        #expect(
            values(0x2A5F, "00 60 00 46 00") == [Quantity(.oxygenSaturation, 96), Quantity(.heartRate, 70)])
        #expect(values(0x2A5F, "00 65 00 46 00").first == Quantity(.oxygenSaturation, 100))
        // 127 is what some show without a finger: left to the plausible range, which has no room for it.
        #expect(values(0x2A5F, "00 7F 00 46 00").first?.isPlausible == false)
    }

    @Test func `tells a sensor off the finger from a low saturation`() {
        guard
            case .measurementFailed(_, _, _, .lost)? = events(
                0x2A5F, "0D 60 00 46 00 61 00 47 00 20 20 00 08 00"
            ).first
        else { return #expect(Bool(false)) }
    }

    @Test func `leaves undated, as of its arrival, what a clock tells that is not set`() {
        // Measurement status 0x00A0, validated, and clock not set; a cuff of the year 0 and one of 2000-01-01 00:05.
        for (number, hex, kind): (UInt16, String, QuantityKind) in [
            (0x2A5E, "1F 61 00 41 00 EA 07 01 0F 08 1E 00 A0 00 20 00 00 2D F0", .oxygenSaturation),
            (0x2A35, "02 DC 00 78 00 8C 00 00 00 00 00 00 00 00", .systolicPressure),
            (0x2A35, "02 DC 00 78 00 8C 00 D0 07 01 01 00 05 00", .systolicPressure),
        ] {
            let readings = readings(number, hex)
            #expect(readings.first?.quantity.kind == kind)
            #expect(readings.allSatisfy { $0.currency == .undated && $0.measured == Self.noon.wall })
        }
    }

    @Test func `takes for history what an oximeter with no clock has stored`() {
        // Measurement status bit 9: data from measurement storage.
        let readings = readings(0x2A5E, "1F 61 00 41 00 EA 07 01 0F 08 1E 00 20 02 20 00 00 2D F0")
        #expect(!readings.isEmpty && readings.allSatisfy { $0.currency == .history })
    }

    @Test func `reads glucose in either unit and drops a control solution`() {
        #expect(
            values(0x2A18, "0B 05 00 EA 07 01 0F 08 1E 00 3C 00 5F B0 11 00 00") == [Quantity(.glucose, 95)])
        // 5.6 mmol/L at 18.016.
        #expect(
            values(0x2A18, "06 06 00 EA 07 01 0F 08 2D 00 38 C0 11").map { ($0.value * 1e4).rounded() / 1e4 }
                == [
                    100.8896
                ])
        #expect(events(0x2A18, "02 05 00 EA 07 01 0F 08 1E 00 5F B0 1A") == [])
    }

    private func record(_ memory: DeviceMemory) -> Reading? {
        var memory = memory
        // 09:30:00 by the meter, a minute before noon.
        var reader = ByteReader([0x02, 5, 0, 0xEA, 7, 1, 15, 9, 30, 0, 0x5F, 0xB0, 0x11])
        guard let measurement = try? GlucoseMeasurement(from: &reader) else { return nil }
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        let events = notification(0x2A18, "").events(
            for: ReadingMapper(measurement, origin: .record), knowing: &memory, using: &random)
        guard case .reading(let reading)? = events.first else { return nil }
        return reading
    }

    @Test func `makes history of a record that was asked for, unless the meter's clock is known`() {
        let old = record(DeviceMemory())
        #expect(old?.currency == .history)
        #expect(old?.measured == WallTime(millisecondsSince1970: 1_768_465_800_000))
        var memory = DeviceMemory()
        // Current Time: 2026-01-15 09:31:00, as in the house.
        memory.clockRead(.currentTime, [0xEA, 7, 1, 15, 9, 31, 0, 4, 0, 0], Self.zone, arrival: Self.noon.wall)
        #expect(record(memory)?.currency == .live)
        // The same as Date Time, which a cuff may have instead.
        var own = DeviceMemory()
        own.clockRead(.dateTime, [0xEA, 7, 1, 15, 9, 31, 0], Self.zone, arrival: Self.noon.wall)
        #expect(record(own)?.currency == .live)
    }

    @Test func `reads a glucose sensor's records, dated from its session`() {
        #expect(values(0x2AA7, "06 00 78 00 05 00") == [Quantity(.glucose, 120)])
        var memory = DeviceMemory()
        // CGM Feature without check sum; session start 2026-01-15 08:20:00 UTC.
        memory.key(BluetoothUUID(assigned: 0x2AA8), [0, 0, 0, 0x59, 0xFF, 0xFF])
        memory.key(BluetoothUUID(assigned: 0x2AAA), [0xEA, 7, 1, 15, 8, 20, 0, 0, 0])
        #expect(readings(0x2AA7, "06 00 78 00 0A 00", memory).first?.currency == .live)
        let two = readings(0x2AA7, "06 00 78 00 00 00 06 00 6E 00 0A 00", memory)
        #expect(two.map(\.currency) == [.history, .live])
        #expect(two.map(\.measured.millisecondsSince1970) == [1_768_465_200_000, 1_768_465_860_000])
    }

    @Test func `weighs in kilograms`() {
        #expect(values(0x2A9D, "00 98 3A") == [Quantity(.bodyWeight, 75)])
        // 150.00 lb at 0.45359237.
        #expect(values(0x2A9D, "01 98 3A").map { ($0.value * 1e6).rounded() / 1e6 } == [68.038856])
        #expect(values(0x2A9C, "00 00 D7 00") == [Quantity(.bodyFat, 21.5)])
    }

    @Test func `reads speed and cadence of a foot pod`() {
        #expect(
            values(0x2A53, "00 00 03 50") == [Quantity(.runningSpeed, 3), Quantity(.runningCadence, 80)])
    }

    @Test func `tells the same record once, and the same rate as often as it comes`() {
        var memory = DeviceMemory()
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        let cuff = notification(0x2A35, "02 78 00 50 00 5D 00 EA 07 01 0F 09 1E 00")
        #expect(!cuff.events(knowing: &memory, using: &random).isEmpty)
        memory.forgetConnection()
        #expect(cuff.events(knowing: &memory, using: &random).isEmpty)
        let strap = notification(0x2A37, "06 48")
        #expect(!strap.events(knowing: &memory, using: &random).isEmpty)
        #expect(!strap.events(knowing: &memory, using: &random).isEmpty)
    }

    @Test func `tells the battery on a change only, and nothing of a reserved value`() {
        var memory = DeviceMemory()
        #expect(memory.battery([15], of: TrackerRig.strap.id) == [.battery(TrackerRig.strap.id, percent: 15)])
        #expect(memory.battery([15], of: TrackerRig.strap.id) == [])
        #expect(memory.battery([200], of: TrackerRig.strap.id) == [])
        #expect(memory.battery([], of: TrackerRig.strap.id) == [])
    }

    @Test func `makes a signal of a button only where the settings say what it means`() {
        #expect(events(0xFFE1, "01") == [])
        var memory = DeviceMemory()
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        let tag = Wearable(
            id: TrackerRig.strap.id, address: TrackerRig.strap.address, person: TrackerRig.strap.person,
            signals: [.tagButton: .sosButton], alarmAlert: .high)
        let pressed = notification(0xFFE1, "01", wearable: tag).events(knowing: &memory, using: &random)
        guard case .signal(let signal)? = pressed.first else { return #expect(Bool(false)) }
        #expect(signal.kind == .sosButton && signal.person == tag.person && signal.arrival == Self.noon)
        #expect(notification(0xFFE1, "00", wearable: tag).events(knowing: &memory, using: &random) == [])
    }

    @Test func `makes of a button that cancels no call for help`() {
        var memory = DeviceMemory()
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        let tag = Wearable(
            id: TrackerRig.strap.id, address: TrackerRig.strap.address, person: TrackerRig.strap.person,
            signals: [.tagButton: .cancel], alarmAlert: .high)
        let pressed = notification(0xFFE1, "01", wearable: tag).events(knowing: &memory, using: &random)
        #expect(
            pressed == [
                .pressed(
                    WearablePress(person: tag.person, device: tag.id, means: .cancel, arrival: Self.noon))
            ])
    }

    @Test func `says what cannot be decoded`() {
        guard case .undecodable? = events(0x2A35, "1E 78 00").first else { return #expect(Bool(false)) }
    }

    @Test func `cleans what devices write of themselves`() {
        var memory = DeviceMemory()
        let text = Array("  Polar \u{0}rest".utf8)
        guard
            case .information(_, let information)? = memory.detail(
                BluetoothUUID(assigned: 0x2A29), text, of: TrackerRig.strap.id
            ).first
        else { return #expect(Bool(false)) }
        #expect(information.manufacturer == "Polar")
    }
}
