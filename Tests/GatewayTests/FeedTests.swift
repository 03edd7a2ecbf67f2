import GatewayModel
import Testing

@testable import HomeGateway
@testable import Hub

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
        feed.put(nil)
        #expect(feed.take().map(\.event) == ["reading"])
        feed.isWatched = false
        feed.put(event())
        #expect(made == 1)
        #expect(feed.take().isEmpty)
    }

    @Test func `marks a value that the sensor disowns, and shows no plain value of it`() {
        func reading(_ quantity: Quantity, _ contact: SensorContact, _ currency: Reading.Currency = .live)
            -> FeedEvent
        {
            .reading(
                Reading(
                    id: Sample.id(1), person: Sample.maria, device: DeviceID(checked: "strap"),
                    quantity: quantity, contact: contact, currency: currency, arrival: Sample.moment(1)))
        }
        func line(_ event: FeedEvent) -> String { WatchLine(event).description }
        let plain = reading(Quantity(.heartRate, 72), .detected)
        #expect(plain.notJudged == nil && plain.id != nil && !line(plain).contains("not judged"))
        let off = reading(Quantity(.heartRate, 72), .lost)
        #expect(off.notJudged == "contact-lost" && off.id == nil)
        #expect(line(off).hasSuffix("72 /min from strap; not judged: the sensor has no skin contact"))
        let still = reading(Quantity(.rrInterval, 0), .unknown)
        #expect(still.notJudged == "implausible" && still.id == nil)
        #expect(line(still).hasSuffix("0 ms from strap; not judged: the value is implausible"))
        let stored = reading(Quantity(.glucose, 90), .unknown, .history)
        #expect(stored.notJudged == "history" && stored.id != nil)
        #expect(line(stored).hasSuffix("not judged: a stored record"))
    }
}
