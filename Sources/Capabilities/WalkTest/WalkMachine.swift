import ControlContract
import GatewayModel

/// One walk through the rooms with a wearable at a time, and the last result of each wearable. Pure.
///
/// It counts signs of life, and adverts with their signal strength. bluetoothd has no signal strength of a connection, so
/// a connected wearable is judged by the time between its messages alone.
struct WalkMachine: Sendable {
    /// From the start to the end by itself: a large house takes ten minutes.
    static let limit = Duration.seconds(1_200)
    /// Without another room: the person has stopped walking.
    static let roomLimit = Duration.seconds(300)
    /// Shorter stays say nothing: a strap sends once a second, a slow sensor each 10 s.
    static let leastStay = Duration.seconds(15)
    static let mostRooms = 20
    /// Results that are kept; a house has fewer wearables.
    static let mostResults = 32
    /// Median signal in dBm from which on a room is good or weak. A BLE receiver loses packets from -90 dBm on; 10 dB for a
    /// body in the way, and 5 dB for doors that close.
    static let goodSignal = -75
    static let weakSignal = -85
    /// Longest gaps of a room that is good or weak, beside multiples of the wearable's usual interval.
    static let goodGap = Duration.seconds(10)
    static let weakGap = Duration.seconds(30)

    private struct Room: Sendable {
        let name: String
        var spent = Duration.zero
        var heard = 0
        var longestGap = Duration.zero
        /// Number of adverts of each signal strength.
        var signals: [Int: Int] = [:]
    }

    private struct Walk: Sendable {
        let device: DeviceID
        let deadline: BootInstant
        var rooms: [Room] = []
        var current: Int?
        var roomDeadline: BootInstant
        /// Begin of the time that the next sample adds to the room.
        var sampled: BootInstant
        /// Begin of the gap that is open.
        var lastHeard: BootInstant
    }

    private var walk: Walk?
    private(set) var results: [WalkDocument] = []

    var device: DeviceID? { walk?.device }

    /// Errors: another walk is under way.
    mutating func begin(_ device: DeviceID, at now: BootInstant) throws(ControlError) {
        guard walk == nil else {
            throw ControlError("a walk is under way; end it first, or wait until it ends by itself")
        }
        walk = Walk(
            device: device, deadline: now.advanced(by: Self.limit),
            roomDeadline: now.advanced(by: Self.roomLimit), sampled: now, lastHeard: now)
    }

    /// Goes on in a room, also one that was left before. Errors: no walk, or too many rooms.
    mutating func enter(_ room: String, at now: BootInstant) throws(ControlError) {
        guard var walk else { throw ControlError("no walk is under way; start one first") }
        if let index = walk.rooms.firstIndex(where: { $0.name == room }) {
            walk.current = index
        } else {
            guard walk.rooms.count < Self.mostRooms else {
                throw ControlError(
                    "saw \(walk.rooms.count + 1) rooms, expected \(Self.mostRooms) at most; end the walk")
            }
            walk.rooms.append(Room(name: room))
            walk.current = walk.rooms.count - 1
        }
        // A gap counts for the room in which it is.
        (walk.sampled, walk.lastHeard) = (now, now)
        walk.roomDeadline = now.advanced(by: Self.roomLimit)
        self.walk = walk
    }

    /// Takes the newest sign of life, and the adverts since the last sample. About once a second.
    mutating func sample(heard: BootInstant?, signals: [Int], at now: BootInstant) {
        guard var walk else { return }
        if let index = walk.current {
            walk.rooms[index].spent += walk.sampled.duration(to: now)
            // Repetitions of an advert are signs of the radio, and none of the wearable.
            if let heard = signals.isEmpty ? heard : now, heard > walk.lastHeard {
                walk.rooms[index].heard += max(signals.count, 1)
                walk.rooms[index].longestGap = max(
                    walk.rooms[index].longestGap, walk.lastHeard.duration(to: heard))
                walk.lastHeard = heard
            }
            walk.rooms[index].longestGap = max(
                walk.rooms[index].longestGap, walk.lastHeard.duration(to: now))
            for signal in signals { walk.rooms[index].signals[signal, default: 0] += 1 }
            walk.sampled = now
        }
        self.walk = walk
        if now >= min(walk.deadline, walk.roomDeadline) { end(at: now) }
    }

    mutating func end(at now: BootInstant) {
        guard let walk else { return }
        let result = WalkDocument(device: walk.device, room: nil, left: nil, rooms: Self.rooms(of: walk))
        self.walk = nil
        guard !result.rooms.isEmpty else { return }
        results.removeAll { $0.device == result.device }
        results.append(result)
        if results.count > Self.mostResults { results.removeFirst() }
    }

    /// The walk under way, else the last result; nil before the first.
    func document(at now: BootInstant) -> WalkDocument? {
        guard let walk else { return results.last }
        return WalkDocument(
            device: walk.device, room: walk.current.map { walk.rooms[$0].name },
            left: now.duration(to: min(walk.deadline, walk.roomDeadline)), rooms: Self.rooms(of: walk))
    }

    // MARK: Verdicts

    private static func rooms(of walk: Walk) -> [WalkDocument.Room] {
        // The interval of the wearable, as the best room shows it.
        let usual = walk.rooms.filter { $0.heard > 0 }.map { $0.spent / $0.heard }.min() ?? .zero
        return walk.rooms.map { room in
            let median = median(of: room.signals)
            return WalkDocument.Room(
                name: room.name, spent: room.spent, heard: room.heard, median: median,
                worst: room.signals.keys.min(), longestGap: room.longestGap,
                verdict: verdict(room, median: median, usual: usual))
        }
    }

    private static func verdict(_ room: Room, median: Int?, usual: Duration) -> WalkDocument.Verdict {
        guard room.spent >= leastStay else { return .open }
        if room.longestGap > max(weakGap, usual * 10) || (median.map { $0 < weakSignal } ?? false) {
            return .bad
        }
        if room.longestGap > max(goodGap, usual * 4) || (median.map { $0 < goodSignal } ?? false) {
            return .weak
        }
        return room.heard == 0 ? .open : .good
    }

    private static func median(of signals: [Int: Int]) -> Int? {
        let count = signals.values.reduce(0, +)
        var before = 0
        for (signal, number) in signals.sorted(by: { $0.key < $1.key }) {
            before += number
            if before * 2 >= count { return signal }
        }
        return nil
    }
}
