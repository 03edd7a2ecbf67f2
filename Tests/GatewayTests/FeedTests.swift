import GatewayModel
import Hub
import ModelSamples
import Samples
import Testing

@testable import Commands

@Suite struct `The feed of watchers` {
    @Test func `makes no event while nobody watches`() throws {
        let feed = try Feed()
        var made = 0
        func event() -> FeedEvent {
            made += 1
            return .reading(Sample.reading(made))
        }
        feed.put(event())
        #expect(made == 0)
        feed.isWatched = true
        feed.put(event())
        #expect(feed.take().compactMap { FeedRecord($0)?.event } == ["reading"])
        feed.isWatched = false
        feed.put(event())
        #expect(made == 1)
        #expect(feed.take().isEmpty)
    }

    @Test func `marks a value that the sensor disowns, and shows no plain value of it`() throws {
        func reading(_ quantity: Quantity, _ contact: SensorContact, _ currency: Reading.Currency = .live)
            throws -> FeedRecord
        {
            let reading = Reading(
                id: Sample.id(1), person: Sample.maria, device: DeviceID(sample: "strap"),
                quantity: quantity, contact: contact, currency: currency, arrival: Sample.moment(1))
            return try #require(FeedRecord(.reading(reading)))
        }
        func line(_ record: FeedRecord) -> String { WatchLine(record).description }
        let plain = try reading(Quantity(.heartRate, 72), .detected)
        #expect(plain.notJudged == nil && plain.id != nil && !line(plain).contains("not judged"))
        let off = try reading(Quantity(.heartRate, 72), .lost)
        #expect(off.notJudged == "contact-lost" && off.id == nil)
        #expect(line(off).hasSuffix("72 /min from strap; not judged: the sensor has no skin contact"))
        let still = try reading(Quantity(.rrInterval, 0), .unknown)
        #expect(still.notJudged == "implausible" && still.id == nil)
        #expect(line(still).hasSuffix("0 ms from strap; not judged: the value is implausible"))
        let stored = try reading(Quantity(.glucose, 90), .unknown, .history)
        #expect(stored.notJudged == "history" && stored.id != nil)
        #expect(line(stored).hasSuffix("not judged: a stored record"))
    }
}
