import Contract
import HomeGateway
import ModelSamples
import Samples
import Testing

@testable import GatewayModel
@testable import HomeAssistant
@testable import Hub

@Suite struct `The board of the dashboard` {
    private static let topics = DashboardTopics(gateway: Sample.topics.gateway, prefix: "homeassistant")
    private static let pulse = DashboardEntity.reading(Sample.maria, .heartRate)
    private static let pressure = DashboardEntity.reading(Sample.maria, .systolicPressure)

    private func board() -> DashboardBoard { DashboardBoard(topics: Self.topics) }

    /// The messages that leave at an instant.
    private func all(_ board: inout DashboardBoard, at seconds: Double = 0) -> [DashboardBoard.Message] {
        var words: [DashboardBoard.Message] = []
        while let word = board.next(at: Sample.moment(seconds).boot) { words.append(word) }
        return words
    }

    /// The messages that leave in the time after `start`, up to and with `end`, and the second of each.
    private func sent(
        _ board: inout DashboardBoard, after start: Int, to end: Int
    ) -> [Int: [DashboardBoard.Message]] {
        var sent: [Int: [DashboardBoard.Message]] = [:]
        for second in (start + 1)...end {
            _ = board.look(at: Sample.moment(Double(second)).boot)
            let messages = all(&board, at: Double(second))
            if !messages.isEmpty { sent[second] = messages }
        }
        return sent
    }

    private func spot(
        _ value: Double, at seconds: Double, _ currency: Reading.Currency = .live,
        _ kind: QuantityKind = .systolicPressure
    ) -> Reading {
        Reading(
            id: Sample.id(Int(seconds)), person: Sample.maria, device: DeviceID(sample: "cuff"),
            quantity: Quantity(kind, value), contact: .unknown, currency: currency,
            sampling: .spot, arrival: Sample.moment(seconds))
    }

    @Test func `tells of an entity before its first value, and then its values alone`() {
        var board = board()
        _ = board.heard(Sample.reading(1))
        #expect(all(&board) == [.config(Self.pulse), .state(Self.pulse)])
        _ = board.heard(Sample.reading(7))
        #expect(all(&board) == [.state(Self.pulse)])
    }

    @Test func `tells what streams each five seconds, and each single measurement`() {
        var board = board()
        let told = (1...12).map { second in
            _ = board.heard(Sample.reading(second))
            return all(&board).contains(.state(Self.pulse)) ? second : nil
        }
        #expect(told.compactMap { $0 } == [1, 6, 11])
        for second in 20...22 {
            _ = board.heard(spot(120, at: Double(second)))
            #expect(all(&board).contains(.state(Self.pressure)))
        }
    }

    @Test func `keeps one word of each, which says the newest`() {
        var board = board()
        for second in 1...100 { _ = board.heard(Sample.reading(second, bpm: Double(60 + second % 7))) }
        #expect(board.shown[Self.pulse]?.value == .reading(Sample.reading(100, bpm: Double(60 + 100 % 7))))
        #expect(all(&board) == [.config(Self.pulse), .state(Self.pulse)])
    }

    @Test func `shows now, and no record`() {
        var board = board()
        _ = board.heard(spot(120, at: 1, .history))
        #expect(board.isEmpty)
        _ = board.heard(spot(120, at: 2, .undated))
        #expect(!board.isEmpty)
    }

    @Test func `tells a new connection everything, and a new dashboard the values`() {
        var board = board()
        _ = board.heard(Sample.reading(1))
        _ = board.heard(spot(120, at: 2))
        board.connected(isShown: true)
        #expect(
            all(&board) == [
                .presence, .config(Self.pulse), .state(Self.pulse), .config(Self.pressure),
                .state(Self.pressure),
            ])
        board.dashboardBegan(at: Sample.moment(3).boot)
        #expect(all(&board) == [.state(Self.pulse), .state(Self.pressure)])
    }

    @Test func `takes back what is to be shown no more, also what an earlier run has told`() {
        var board = board()
        _ = board.heard(Sample.reading(1))
        board.found(Self.topics.config(of: Self.pressure))
        board.found("homeassistant/sensor/homegateway_house-12/maria_mood/config")
        _ = board.takeBack { entity, device in entity == Self.pulse && device != nil }
        #expect(
            Set(all(&board)) == [
                .config(Self.pulse), .state(Self.pulse),
                .emptied(topic: "homeassistant/sensor/homegateway_house-12/maria_mood/config"),
                .emptied(topic: Self.topics.config(of: Self.pressure)),
            ])
        _ = board.takeBack { entity, _ in entity == Self.pulse }
        #expect(board.isEmpty)
        // Its device has left before its value was told.
        _ = board.heard(Sample.reading(10))
        _ = board.takeBack { _, device in device != Sample.reading(10).device }
        #expect(all(&board) == [.emptied(topic: Self.topics.config(of: Self.pulse))])
    }

    @Test func `tells a state once, and again where it changes`() {
        var board = board()
        let alarm = DashboardEntity.state(Sample.maria, .alarm)
        func shows(_ fact: DashboardFact) -> Bool { board.show([fact], at: Sample.moment(1).boot) }
        #expect(shows(DashboardFact(alarm, .holds(false))))
        #expect(all(&board) == [.config(alarm), .state(alarm)])
        #expect(!shows(DashboardFact(alarm, .holds(false))))
        #expect(board.isEmpty)
        #expect(shows(DashboardFact(alarm, .holds(true), since: Sample.moment(1).wall)))
        #expect(all(&board) == [.state(alarm)])
        board.connected(isShown: true)
        #expect(all(&board) == [.presence, .config(alarm), .state(alarm)])
        let hasGone = board.takeBack { entity, _ in entity != alarm }
        #expect(hasGone)
        #expect(all(&board) == [.emptied(topic: Self.topics.config(of: alarm))])
    }

    // MARK: Repeated sending

    @Test func `sends the state again after each new discovery message, as Home Assistant subscribes after it`()
    {
        var board = board()
        let battery = DashboardEntity.battery(Sample.maria, DeviceID(sample: "strap"))
        _ = board.heard(spot(120, at: 1))
        _ = board.show([DashboardFact(battery, .percent(80))], at: Sample.moment(1).boot)
        #expect(all(&board, at: 1).count == 4)
        let states: [DashboardBoard.Message] = [.state(battery), .state(Self.pressure)]
        #expect(sent(&board, after: 1, to: 100) == [3: states, 11: states, 31: states])
    }

    @Test func `sends the state again after each start of Home Assistant and each connection`() {
        var board = board()
        _ = board.heard(spot(120, at: 1))
        _ = (all(&board, at: 1), sent(&board, after: 1, to: 100))
        board.dashboardBegan(at: Sample.moment(100).boot)
        #expect(all(&board, at: 100) == [.state(Self.pressure)])
        let repeats = sent(&board, after: 100, to: 200)
        #expect(repeats.keys.sorted() == [102, 110, 130])
        board.connected(isShown: true)
        #expect(all(&board, at: 200) == [.presence, .config(Self.pressure), .state(Self.pressure)])
        let again = sent(&board, after: 200, to: 300)
        #expect(again.keys.sorted() == [202, 210, 230])
    }

    @Test func `repeats nothing of an entity that was taken back`() {
        var board = board()
        _ = board.heard(spot(120, at: 1))
        _ = all(&board, at: 1)
        _ = board.takeBack { _, _ in false }
        let repeats = sent(&board, after: 1, to: 100)
        #expect(repeats == [2: [.emptied(topic: Self.topics.config(of: Self.pressure))]])
    }

    // MARK: Expiry

    @Test func `lets a kind expire that streams, although a single measurement came first`() {
        var board = board()
        _ = board.heard(spot(66, at: 1, .live, .heartRate))
        #expect(board.shown[Self.pulse]?.sampling == .spot)
        #expect(all(&board, at: 1) == [.config(Self.pulse), .state(Self.pulse)])
        // The strap: Home Assistant hears of the expiry before the value.
        _ = board.heard(Sample.reading(2))
        #expect(board.shown[Self.pulse]?.sampling == .stream)
        #expect(all(&board, at: 2) == [.config(Self.pulse), .state(Self.pulse)])
        // A measurement of the cuff beside the strap changes nothing.
        _ = board.heard(spot(67, at: 3, .live, .heartRate))
        #expect(board.shown[Self.pulse]?.sampling == .stream)
        #expect(all(&board, at: 3) == [.state(Self.pulse)])
        // Long after the strap was taken off.
        _ = board.heard(spot(68, at: 300, .live, .heartRate))
        #expect(board.shown[Self.pulse]?.sampling == .spot)
        #expect(all(&board, at: 300) == [.config(Self.pulse), .state(Self.pulse)])
    }

    @Test func `sends no value of a stream that is older than its expiry, and single measurements at any age`()
    {
        var board = board()
        _ = board.heard(Sample.reading(1))
        _ = board.heard(spot(120, at: 1))
        _ = (all(&board, at: 1), sent(&board, after: 1, to: 100))
        board.dashboardBegan(at: Sample.moment(3_000).boot)
        #expect(all(&board, at: 3_000) == [.state(Self.pressure)])
        board.connected(isShown: true)
        #expect(
            all(&board, at: 3_000) == [
                .presence, .config(Self.pulse), .config(Self.pressure), .state(Self.pressure),
            ])
    }

    @Test func `ends a value that Home Assistant would show after its expiry`() {
        var board = board()
        _ = board.heard(Sample.reading(1))
        _ = (all(&board, at: 1), sent(&board, after: 1, to: 40))
        // Its start at 41 s gets the value, which it would show until 101 s.
        board.dashboardBegan(at: Sample.moment(41).boot)
        #expect(all(&board, at: 41) == [.state(Self.pulse)])
        #expect(
            sent(&board, after: 41, to: 200) == [
                43: [.state(Self.pulse)], 51: [.state(Self.pulse)], 61: [.expired(Self.pulse)],
            ])
        // A value that was sent as it was measured needs no end: Home Assistant counts from the message.
        board = self.board()
        _ = board.heard(Sample.reading(1))
        _ = all(&board, at: 1)
        for second in stride(from: 6, to: 60, by: 5) {
            _ = board.heard(Sample.reading(second))
            _ = board.look(at: Sample.moment(Double(second)).boot)
            #expect(all(&board, at: Double(second)) == [.state(Self.pulse)])
        }
        #expect(sent(&board, after: 56, to: 200).isEmpty)
    }

    @Test func `shows no value that is older than the displayed one, or was too old as it came`() {
        var board = board()
        func handedOver(_ sampling: Reading.Sampling, measured: Double, at seconds: Double) -> Reading {
            Reading(
                id: Sample.id(1), person: Sample.maria, device: DeviceID(sample: "app"),
                quantity: Quantity(.heartRate, 90), contact: .unknown, sampling: sampling,
                deviceTime: DeviceTime(wall: Sample.moment(measured).wall, offset: .zero),
                arrival: Sample.moment(seconds), provenance: .app)
        }
        let isLate = board.heard(handedOver(.stream, measured: 0, at: 90))
        #expect(!isLate)
        #expect(board.isEmpty)
        _ = board.heard(Sample.reading(100))
        let isOlder = board.heard(handedOver(.spot, measured: 95, at: 101))
        #expect(!isOlder)
        #expect(board.shown[Self.pulse]?.value == .reading(Sample.reading(100)))
    }
}
