import GatewayModel
import ModelSamples
import Testing

@Suite struct `The pace of samples` {
    private static func instant(_ milliseconds: Int64) -> BootInstant {
        BootInstant(nanoseconds: milliseconds * 1_000_000)
    }

    private static func reading(
        _ milliseconds: Int64, device: String = "strap", person: String = "maria",
        _ currency: Reading.Currency = .live, _ sampling: Reading.Sampling = .stream
    ) -> Reading {
        var random = SystemRandomNumberGenerator()
        let wall = WallTime(millisecondsSince1970: milliseconds)
        return Reading(
            id: MessageID(wall: wall, using: &random), person: PersonID(sample: person),
            device: DeviceID(sample: device), quantity: Quantity(.heartRate, 72), contact: .detected,
            currency: currency, sampling: sampling, arrival: Moment(boot: instant(milliseconds), wall: wall))
    }

    /// Milliseconds of the readings that are sent.
    private static func sent(
        _ times: some Sequence<Int64>, every interval: Duration, pressing: Set<Int64> = []
    ) -> [Int64] {
        var pacer = SamplePacer()
        return times.filter {
            pacer.admits(.heartRate, of: reading($0), every: interval, isPressing: pressing.contains($0))
        }
    }

    @Test func `a reading whose person is named later keeps the time at which it was measured`() {
        let measured = Self.reading(1_000, person: "nobody")
        let later = Moment(boot: Self.instant(25_000), wall: WallTime(millisecondsSince1970: 25_000))
        let named = measured.of(PersonID(sample: "maria"), from: later)
        #expect(named.person.text == "maria" && named.id == measured.id && named.arrival == later)
        #expect(named.measured.millisecondsSince1970 == 1_000)
        #expect(named.namedAfter == .seconds(24) && measured.namedAfter == .zero)
    }

    @Test func `without an interval sends every reading`() {
        #expect(Self.sent(0..<50, every: .zero) == Array(0..<50))
    }

    @Test func `sends the first reading of each interval, at once`() {
        let each = stride(from: Int64(5_000), to: 35_000, by: 1_000)
        #expect(Self.sent(each, every: .seconds(10)) == [5_000, 15_000, 25_000])
        #expect(
            Self.sent([0, 9_999, 10_000, 61_500, 71_499, 71_500], every: .seconds(10))
                == [0, 10_000, 61_500, 71_500])
    }

    @Test func `keeps its mean interval where the readings jitter, and sends one in an interval at most`() {
        // 1 Hz, each reading up to 60 ms early or late.
        let times = (Int64(0)..<600).map { second -> Int64 in
            let jitter = second * 37 % 121 - 60
            return 1_000 + second * 1_000 + jitter
        }
        let sent = Self.sent(times, every: .seconds(10))
        #expect((59...61).contains(sent.count), "\(sent.count)")
        let first = sent[0]
        let slots = sent.map { ($0 - first) / 10_000 }
        #expect(Set(slots).count == slots.count)
    }

    @Test func `sends readings that press, and counts no interval anew for them`() {
        let each = stride(from: Int64(0), to: 21_000, by: 1_000)
        #expect(
            Self.sent(each, every: .seconds(10), pressing: [3_000, 4_000]) == [0, 3_000, 4_000, 10_000, 20_000])
    }

    @Test func `is another one for each person, wearable and kind`() {
        var pacer = SamplePacer()
        let readings: [(QuantityKind, Reading)] = [
            (.heartRate, Self.reading(0)), (.heartRate, Self.reading(1, device: "watch")),
            (.heartRate, Self.reading(1, person: "paolo")), (.oxygenSaturation, Self.reading(1)),
            (.heartRate, Self.reading(1)),
        ]
        var sent: [Bool] = []
        for (kind, reading) in readings {
            sent.append(pacer.admits(kind, of: reading, every: .seconds(10), isPressing: false))
        }
        #expect(sent == [true, true, true, true, false])
    }

    @Test func `sends the values of one notification together`() {
        var pacer = SamplePacer()
        var results: [Bool] = []
        for time: Int64 in [0, 0, 0, 5_000, 10_000, 10_000, 11_000] {
            results.append(
                pacer.admits(.rrInterval, of: Self.reading(time), every: .seconds(10), isPressing: false))
        }
        #expect(results == [true, true, true, false, true, true, false])
    }

    @Test func `lets stored records, undated values and single measurements pass`() {
        var pacer = SamplePacer()
        for time in Int64(0)..<5 {
            for reading in [
                Self.reading(time, .history), Self.reading(time, .undated), Self.reading(time, .live, .spot),
            ] {
                let isSent = pacer.admits(
                    .heartRate, of: reading, every: .seconds(3_600), isPressing: false)
                #expect(isSent)
            }
        }
        // They are no part of the stream.
        let isSent = pacer.admits(
            .heartRate, of: Self.reading(9), every: .seconds(3_600), isPressing: false)
        #expect(isSent)
    }

    @Test func `begins anew with another interval`() {
        var pacer = SamplePacer()
        var sent: [Int64] = []
        for (time, seconds): (Int64, Int64) in [
            (0, 3_600), (1_000, 3_600), (2_000, 10), (3_000, 10), (12_000, 10), (12_001, 0), (12_002, 0),
            (12_003, 10), (12_004, 10),
        ] {
            let isSent = pacer.admits(
                .heartRate, of: Self.reading(time), every: .seconds(seconds), isPressing: false)
            if isSent { sent.append(time) }
        }
        #expect(sent == [0, 2_000, 12_000, 12_001, 12_002, 12_003])
    }
}
