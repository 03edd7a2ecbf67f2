import ControlContract
import GatewayModel
import Testing

@testable import WalkTest

/// Walks through the rooms, by samples and instants.
@Suite struct `A walk through the rooms` {
    private static let strap = DeviceID("strap")!
    private var machine = WalkMachine()
    private var now = BootInstant(nanoseconds: 1_000_000_000)

    /// Stays in a room, and hears a message at each of these seconds.
    private mutating func stay(
        _ room: String, seconds: Int, heardAt: (Int) -> Bool, signal: Int? = nil
    ) throws {
        try machine.enter(room, at: now)
        var heard: BootInstant?
        for second in 1...seconds {
            now = now.advanced(by: .seconds(1))
            if heardAt(second) { heard = now }
            let signals = signal.map { heardAt(second) ? [$0] : [] } ?? []
            machine.sample(heard: heard, signals: signals, at: now)
        }
    }

    private func rooms() -> [WalkDocument.Room] { machine.document(at: now)?.rooms ?? [] }

    @Test mutating func `judges a connected wearable by the time between its messages, and names no signal`()
        throws
    {
        try machine.begin(Self.strap, at: now)
        try stay("Kitchen", seconds: 40) { _ in true }
        try stay("Hall", seconds: 40) { $0 % 13 == 0 }
        try stay("Bathroom", seconds: 40) { _ in false }
        let rooms = rooms()
        #expect(rooms.map(\.verdict) == [.good, .weak, .bad])
        #expect(
            rooms.map(\.longestGapMs) == [1_000, 14_000, 40_000]
                || rooms.map(\.longestGapMs) == [1_000, 13_000, 40_000])
        #expect(rooms.allSatisfy { $0.medianDbm == nil && $0.worstDbm == nil })
    }

    @Test mutating func `judges adverts by the median of their signal, and tells the worst`() throws {
        try machine.begin(Self.strap, at: now)
        try stay("Kitchen", seconds: 20, heardAt: { _ in true }, signal: -60)
        try stay("Hall", seconds: 20, heardAt: { _ in true }, signal: -80)
        try stay("Attic", seconds: 20, heardAt: { _ in true }, signal: -92)
        try machine.enter("Kitchen", at: now)
        now = now.advanced(by: .seconds(1))
        machine.sample(heard: now, signals: [-99], at: now)
        let rooms = rooms()
        #expect(rooms.map(\.verdict) == [.good, .weak, .bad])
        #expect(rooms.map(\.medianDbm) == [-60, -80, -92] && rooms[0].worstDbm == -99)
    }

    @Test mutating func `takes the interval of a slow wearable for no gap`() throws {
        try machine.begin(Self.strap, at: now)
        try stay("Kitchen", seconds: 120) { $0 % 10 == 0 }
        #expect(rooms().map(\.verdict) == [.good])
    }

    @Test mutating func `judges no room after a short stay`() throws {
        try machine.begin(Self.strap, at: now)
        try stay("Kitchen", seconds: 14) { _ in true }
        #expect(rooms().map(\.verdict) == [.open])
    }

    @Test mutating func `ends by itself, and keeps its result for the list`() throws {
        try machine.begin(Self.strap, at: now)
        #expect(throws: ControlError.self) { try machine.begin(Self.strap, at: now) }
        try stay("Kitchen", seconds: 20) { _ in true }
        now = now.advanced(by: WalkMachine.roomLimit)
        machine.sample(heard: nil, signals: [], at: now)
        #expect(machine.device == nil && machine.results.map(\.device) == ["strap"])
        #expect(machine.document(at: now)?.isRunning == false)
        #expect(throws: ControlError.self) { try machine.enter("Hall", at: now) }
    }

    @Test mutating func `is over after 20 minutes, however often a room is named`() throws {
        try machine.begin(Self.strap, at: now)
        let end = now.advanced(by: WalkMachine.limit)
        while now < end {
            try machine.enter("Kitchen", at: now)
            now = now.advanced(by: .seconds(100))
            machine.sample(heard: now, signals: [], at: now)
        }
        #expect(machine.device == nil)
    }

    @Test mutating func `takes 20 rooms`() throws {
        try machine.begin(Self.strap, at: now)
        for number in 0..<WalkMachine.mostRooms { try machine.enter("Room \(number)", at: now) }
        try machine.enter("Room 0", at: now)
        #expect(throws: ControlError.self) { try machine.enter("One more", at: now) }
    }
}
