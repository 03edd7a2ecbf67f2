import GatewayModel
import ModelSamples
import Observations
import Testing

@Suite struct `The rules for entries` {
    private static let now = Moment(
        boot: BootInstant(nanoseconds: 1),
        wall: WallTime(rfc3339: "2026-03-01T08:30:00Z") ?? .init(millisecondsSince1970: 0))

    private func rules(
        source: String = "scale-app", kinds: Set<QuantityKind> = Set(QuantityKind.allCases)
    ) -> ObservationRules {
        ObservationRules(
            gateway: GatewayID(sample: "house-12"), source: DeviceID(sample: source),
            person: PersonID(sample: "maria"), kinds: kinds, others: [PersonID(sample: "paolo")])
    }

    private func entry(_ line: String) throws -> ObservationEntry {
        try ObservationParser.entry(inLine: Array(line.utf8)).get()
    }

    private func entry(at time: String, _ rest: String = "body-weight,70,kg") throws -> ObservationEntry {
        try entry("\(time),\(rest)")
    }

    private func readings(_ entry: ObservationEntry) throws -> [Reading] {
        try rules().readings(of: entry, at: Self.now)
    }

    @Test func `make readings of the source, with the program's time`() throws {
        let reading = try #require(try readings(entry(at: "2026-03-01T08:29:50Z")).first)
        #expect(reading.device.text == "scale-app" && reading.person.text == "maria")
        #expect(reading.provenance == .app && reading.currency == .live && reading.contact == .unknown)
        #expect(reading.quantity == Quantity(.bodyWeight, 70))
        #expect(reading.measured.millisecondsSince1970 == Self.now.wall.millisecondsSince1970 - 10_000)
        #expect(reading.arrival == Self.now)
    }

    @Test(arguments: [
        ("2026-03-01T08:31:00Z", Reading.Currency.live), ("2026-03-01T08:25:00Z", .live),
        ("2026-03-01T08:24:59Z", .history), ("2016-03-04T08:30:00Z", .history),
    ])
    func `call a value history that is older than five minutes`(
        _ time: String, _ currency: Reading.Currency
    ) throws {
        #expect(try readings(entry(at: time)).map(\.currency) == [currency])
    }

    @Test(arguments: [
        "2026-03-01T08:31:01Z", "2016-03-03T08:29:59Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z",
    ])
    func `refuse a time of the future and one of ten years ago`(_ time: String) throws {
        let entry = try entry(at: time)
        #expect(throws: ObservationFault.self) { try readings(entry) }
    }

    @Test func `refuse kinds that the source may not hand over, and values that nobody has`() throws {
        let entry = try entry(at: "2026-03-01T08:29:50Z", "heart-rate,72,/min")
        #expect(throws: ObservationFault.self) {
            try rules(kinds: [.bodyWeight]).readings(of: entry, at: Self.now)
        }
        for value in ["body-weight,700,kg", "heart-rate,0,/min", "body-temperature,98.6,Cel"] {
            let entry = try self.entry(at: "2026-03-01T08:29:50Z", value)
            #expect(throws: ObservationFault.self) { try readings(entry) }
        }
    }

    @Test func `refuse all of an Observation for one wrong value`() throws {
        let text = ObservationSample.oneLine(ObservationSample.pressure)
        #expect(try readings(entry(text)).count == 2)
        let entry = try entry(text.replacing("\"value\":80", with: "\"value\":800"))
        #expect(throws: ObservationFault.self) { try readings(entry) }
    }

    @Test func `refuse the values of somebody else in the house`() throws {
        let text = ObservationSample.oneLine(ObservationSample.weight)
        #expect(try readings(entry(text)).count == 1)
        #expect(try readings(entry(text.replacing("Patient/4711", with: "Patient/maria"))).count == 1)
        let other = try entry(text.replacing("Patient/4711", with: "Patient/paolo"))
        #expect(throws: ObservationFault.self) { try readings(other) }
    }

    @Test func `give an entry the same id whenever it comes, and another one to any change`() throws {
        func id(_ line: String, source: String = "scale-app", at arrival: Moment = Self.now) throws -> MessageID
        {
            try #require(try rules(source: source).readings(of: entry(line), at: arrival).first).id
        }
        let line = "2026-03-01T08:29:50Z,body-weight,70,kg"
        let later = Self.now.advanced(by: .seconds(3_600))
        #expect(try id(line) == id(line, at: later))
        #expect(try id(line) == id("2026-03-01T09:29:50.000+01:00,body-weight,70,kg"))
        let others = [
            try id(line + ",1"), try id(line + ",2"), try id("2026-03-01T08:29:51Z,body-weight,70,kg"),
            try id("2026-03-01T08:29:50Z,body-weight,70.1,kg"), try id(line, source: "other"),
            try id("2026-03-01T08:29:50Z,body-fat,70,%"),
        ]
        #expect(Set(others + [try id(line)]).count == 7)
        #expect(try id(line).wall == WallTime(rfc3339: "2026-03-01T08:29:50Z"))
    }
}
