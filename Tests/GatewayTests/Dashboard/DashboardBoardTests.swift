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

    private func all(_ board: inout DashboardBoard) -> [DashboardBoard.Message] {
        var words: [DashboardBoard.Message] = []
        while let word = board.next() { words.append(word) }
        return words
    }

    private func spot(_ value: Double, at seconds: Double, _ currency: Reading.Currency = .live) -> Reading {
        Reading(
            id: Sample.id(Int(seconds)), person: Sample.maria, device: DeviceID(sample: "cuff"),
            quantity: Quantity(.systolicPressure, value), contact: .unknown, currency: currency,
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
        #expect(board.newest[Self.pulse] == .reading(Sample.reading(100, bpm: Double(60 + 100 % 7))))
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
        board.dashboardBegan()
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
        func shows(_ fact: DashboardFact) -> Bool { board.show([fact]) }
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
}
