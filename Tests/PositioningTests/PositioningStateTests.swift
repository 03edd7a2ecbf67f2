import GatewayModel
import Testing

@testable import Positioning

@Suite struct PositioningStateTests {
    private func moment(_ seconds: Int64) -> Moment {
        Moment(
            boot: BootInstant(nanoseconds: seconds * 1_000_000_000),
            wall: WallTime(millisecondsSince1970: seconds * 1_000))
    }

    private func report(
        mode: Int32 = 3, time: Int64? = 1, latitude: Double? = 45, longitude: Double? = 9,
        altitude: Double? = 122, error: Double? = 5
    ) -> GPSReport {
        GPSReport(
            mode: mode, time: time, latitude: latitude, longitude: longitude, altitude: altitude,
            horizontalError: error)
    }

    @Test func `only a mode of two or more with a place is a fix`() {
        #expect(report(mode: 0).fix(arrival: moment(0)) == nil)
        #expect(report(mode: 1).fix(arrival: moment(0)) == nil)
        #expect(report(mode: 2).fix(arrival: moment(0)) != nil)
        #expect(report(latitude: nil).fix(arrival: moment(0)) == nil)
        #expect(report(latitude: 91).fix(arrival: moment(0)) == nil)
        #expect(report(latitude: .nan).fix(arrival: moment(0)) == nil)
    }

    @Test func `height needs three dimensions and na n goes no further`() {
        #expect(report(mode: 3).fix(arrival: moment(0))?.altitude == 122)
        #expect(report(mode: 2).fix(arrival: moment(0))?.altitude == nil)
        let unknown = report(altitude: .nan, error: .infinity).fix(arrival: moment(0))
        #expect(unknown?.altitude == nil)
        #expect(unknown?.horizontalError == nil)
        #expect(unknown?.coordinates.latitude == 45)
    }

    @Test(arguments: [1e300, -1e300, -1])
    func `an error that nobody can mean is unknown`(_ error: Double) {
        #expect(report(error: error).fix(arrival: moment(0))?.horizontalError == nil)
        #expect(report(altitude: 1e300).fix(arrival: moment(0))?.altitude == nil)
        #expect(report(altitude: -28, error: 0).fix(arrival: moment(0))?.altitude == -28)
    }

    @Test func `a doubled epoch is told once and the next is told`() {
        var state = FeedState()
        state.connected(at: moment(0).boot)
        #expect(state.reported(report(), arrival: moment(1)).count == 2)
        #expect(state.reported(report(), arrival: moment(1)) == [])
        #expect(state.reported(report(time: 2), arrival: moment(2)).count == 1)
    }

    /// As gpsd 3.22 gave its first epoch over UDP: mode 2, mode 3 with height and error, that again.
    @Test func `an epoch that is filled up is told again for new values alone`() {
        var state = FeedState()
        state.connected(at: moment(0).boot)
        let first = state.reported(report(mode: 2, altitude: .nan, error: .nan), arrival: moment(1))
        #expect(first.count == 2)
        #expect(state.reported(report(), arrival: moment(1)).count == 1)
        #expect(state.reported(report(), arrival: moment(1)) == [])
    }

    @Test func `without a time nothing is taken for doubled`() {
        var state = FeedState()
        state.connected(at: moment(0).boot)
        _ = state.reported(report(time: nil), arrival: moment(1))
        #expect(state.reported(report(time: nil), arrival: moment(2)).count == 1)
    }

    @Test func `ten seconds of silence are unavailable once until a fix comes`() {
        var state = FeedState()
        state.connected(at: moment(0).boot)
        _ = state.reported(report(time: 1), arrival: moment(1))
        #expect(state.judge(at: moment(10).boot) == [])
        #expect(isUnavailable(state.judge(at: moment(11).boot), "reports nothing"))
        #expect(state.judge(at: moment(12).boot) == [])
        #expect(state.reported(report(time: 13), arrival: moment(13)).first == .available)
    }

    @Test func `ten seconds of reports without a fix are unavailable for a reason of their own`() {
        var state = FeedState()
        state.connected(at: moment(0).boot)
        for second in 1...9 { #expect(state.reported(report(mode: 1), arrival: moment(Int64(second))) == []) }
        #expect(isUnavailable(state.reported(report(mode: 1), arrival: moment(10)), "no fix"))
        #expect(state.reported(report(mode: 1), arrival: moment(11)) == [])
    }

    @Test func `a lost connection is told once and tried again after one to ten seconds`() {
        var state = FeedState()
        let outcomes = (0..<6).map { _ in state.disconnected("gone") }
        #expect(outcomes.map(\.wait) == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
        #expect(outcomes.map(\.events.count) == [1, 0, 0, 0, 0, 0])
        state.connected(at: moment(0).boot)
        _ = state.reported(report(), arrival: moment(1))
        #expect(state.disconnected("gone") == ([.unavailable(reason: "gone")], .seconds(1)))
    }

    private func isUnavailable(_ events: [PositionEvent], _ text: String) -> Bool {
        if case .unavailable(let reason) = events.first {
            events.count == 1 && reason.contains(text)
        } else {
            false
        }
    }
}
