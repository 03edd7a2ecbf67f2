import ControlContract
import GatewayModel
import ModelSamples
import Testing
import Vault

@testable import HistoryService

/// Usual values of a person, computed from the history.
@Suite struct `The usual values` {
    private static let maria = PersonID(sample: "maria")
    private static let now = WallTime(millisecondsSince1970: 1_790_000_000_000)

    private static func reading(_ kind: QuantityKind) -> Reading {
        var random = SystemRandomNumberGenerator()
        return Reading(
            id: MessageID(wall: now, using: &random), person: maria, device: DeviceID(sample: "strap"),
            quantity: Quantity(kind, 70), contact: .detected,
            arrival: Moment(boot: BootInstant(nanoseconds: 1), wall: now))
    }

    private static func hours(_ count: Int) -> HistoryPage {
        HistoryPage(
            resolution: .hour,
            points: (0..<count).map {
                HistoryPoint(
                    at: Int64($0) * 3_600_000, count: 60, min: 50, mean: Double(60 + $0 % 10), max: 99)
            }, next: nil, unreadable: 0)
    }

    /// Answers the questions that wait with this many hours.
    private static func answer(_ inbox: HistoryInbox, hours: Int) -> [HistoryQuery] {
        inbox.takeRequests().compactMap { request in
            guard case .page(let query, let answer) = request else { return nil }
            answer(.success(Self.hours(hours)))
            return query
        }
    }

    @Test func `come from the hours of each series that was heard, and go with an erasure`() throws {
        let inbox = try HistoryInbox()
        let bands = UsualBands { [Self.reading(.heartRate), Self.reading(.heartRate)] }
        bands.refresh(from: inbox, at: Self.now)
        let asked = Self.answer(inbox, hours: 100)
        #expect(asked.map(\.kind) == [.heartRate] && asked.map(\.resolution) == [.hour])
        let band = try #require(bands.all.first)
        #expect(band.person == "maria" && band.low == 61 && band.high == 68, "\(band)")
        bands.forget(Self.maria)
        #expect(bands.all.isEmpty)
    }

    @Test func `are missing again once too few hours are kept`() throws {
        let inbox = try HistoryInbox()
        let bands = UsualBands { [Self.reading(.heartRate)] }
        bands.refresh(from: inbox, at: Self.now)
        _ = Self.answer(inbox, hours: 100)
        #expect(bands.all.count == 1)
        bands.refresh(from: inbox, at: Self.now)
        _ = Self.answer(inbox, hours: 47)
        #expect(bands.all.isEmpty)
    }
}
