public import GatewayModel

/// Place in the messages of a run: which box reports it, of which runner.
private struct RunPlace: Decodable {
    let id: MessageID
    let run: RunID
    let box: GatewayID
    let bib: Bib
    let time: WireTime

    func check(_ run: RunID, _ gateway: GatewayID) throws(ContractFault) {
        guard self.run == run else { throw .elsewhere(member: "run") }
        guard box == gateway else { throw .elsewhere(member: "box") }
    }
}

/// A runner at a checkpoint.
public struct PassingRecord: Hashable, Sendable {
    public let id: MessageID
    public let run: RunID
    public let box: GatewayID
    public let bib: Bib
    public let checkpoint: CheckpointID
    /// Which time the runner is there; nil for a passing that does not count.
    public let order: Int?
    public let time, first, last: WallTime
    /// In 95 of 100 passings the true instant lies within this of `time`; nil while the clock is unset.
    public let bound: Duration?
    /// As the contract names them; a newer box may have others.
    public let clock, method: String
    public let clockBound: Duration?
    public let hits, rssi: Int
    public let flags: [String]

    public init(_ payload: [UInt8], of run: RunID, from gateway: GatewayID) throws(ContractFault) {
        let place: RunPlace = try WirePayload.read(from: payload)
        try place.check(run, gateway)
        let fields: Fields = try WirePayload.read(from: payload)
        guard fields.order ?? 1 >= 1, fields.hits >= 0, (-128...127).contains(fields.rssi) else {
            throw .form("'order', 'hits' or 'rssi' is outside of its range")
        }
        (id, self.run, box, bib) = (place.id, run, gateway, place.bib)
        (checkpoint, order) = (fields.checkpoint, fields.order)
        (time, first, last) = (place.time.wall, fields.first.wall, fields.last.wall)
        bound = try Self.bound(fields.boundMs)
        clockBound = try Self.bound(fields.clockBoundMs)
        (clock, method) = (fields.clock.text, fields.method.text)
        (hits, rssi) = (fields.hits, fields.rssi)
        flags = fields.flags.map(\.text)
    }

    private static func bound(_ milliseconds: Int64?) throws(ContractFault) -> Duration? {
        guard let milliseconds else { return nil }
        guard (0..<1 << 40).contains(milliseconds) else { throw .form("a bound is outside of its range") }
        return .milliseconds(milliseconds)
    }

    private struct Fields: Decodable {
        let checkpoint: CheckpointID
        let order: Int?
        let first, last: WireTime
        let boundMs, clockBoundMs: Int64?
        let clock, method: WireText
        let hits, rssi: Int
        let flags: [WireText]
    }
}

/// Position of a runner.
public struct RunnerPosition: Hashable, Sendable {
    public let id: MessageID
    public let run: RunID
    public let box: GatewayID
    public let bib: Bib
    /// Degrees, WGS 84.
    public let latitude, longitude: Double
    public let accuracyMetres: Double?
    /// Of one runner the newest counts.
    public let measured: WallTime
    public let time: WallTime
    /// Along the course.
    public let distanceMetres, offCourseMetres: Double?
    public let paceSecondsPerKilometre: Double?
    public let nextCheckpoint: CheckpointID?
    public let predicted: WallTime?
    public let predictedBoundSeconds: Int?
    public let flags: [String]

    public init(_ payload: [UInt8], of run: RunID, from gateway: GatewayID) throws(ContractFault) {
        let place: RunPlace = try WirePayload.read(from: payload)
        try place.check(run, gateway)
        let fields: Fields = try WirePayload.read(from: payload)
        guard (-90...90).contains(fields.latitude.value), (-180...180).contains(fields.longitude.value) else {
            throw .form("'latitude' or 'longitude' is outside of its range")
        }
        (id, self.run, box, bib) = (place.id, run, gateway, place.bib)
        (latitude, longitude) = (fields.latitude.value, fields.longitude.value)
        accuracyMetres = fields.accuracyM?.value
        (measured, time) = (fields.measured.wall, place.time.wall)
        (distanceMetres, offCourseMetres) = (fields.distanceM?.value, fields.offCourseM?.value)
        paceSecondsPerKilometre = fields.paceSPerKm?.value
        (nextCheckpoint, predicted) = (fields.nextCheckpoint, fields.predictedAt?.wall)
        predictedBoundSeconds = fields.predictedBoundS
        flags = fields.flags.map(\.text)
    }

    private struct Fields: Decodable {
        let latitude, longitude: WireNumber
        let accuracyM, distanceM, offCourseM, paceSPerKm: WireNumber?
        let measured: WireTime
        let nextCheckpoint: CheckpointID?
        let predictedAt: WireTime?
        let predictedBoundS: Int?
        let flags: [WireText]
    }
}

/// News of a runner that is no passing.
public struct RunnerNewsRecord: Hashable, Sendable {
    public enum Event: Hashable, Sendable {
        case overdue(CheckpointID, order: Int, lastHeard: WallTime?)
        case found(CheckpointID)
        case trackerLost(lastPosition: WallTime)
        case trackerBack
        /// The enrolment has ended: nothing more may be shown of the runner.
        case left
        /// Event of a newer box.
        case other(String)
    }

    public let id: MessageID
    public let run: RunID
    public let box: GatewayID
    public let bib: Bib
    public let time: WallTime
    public let event: Event

    public init(_ payload: [UInt8], of run: RunID, from gateway: GatewayID) throws(ContractFault) {
        let place: RunPlace = try WirePayload.read(from: payload)
        try place.check(run, gateway)
        let fields: Fields = try WirePayload.read(from: payload)
        (id, self.run, box, bib, time) = (place.id, run, gateway, place.bib, place.time.wall)
        event =
            switch (fields.event.text, fields.checkpoint) {
            case ("overdue", let checkpoint?):
                .overdue(checkpoint, order: max(1, fields.order ?? 1), lastHeard: fields.lastHeard?.wall)
            case ("found", let checkpoint?): .found(checkpoint)
            case ("overdue", nil), ("found", nil): throw .form("the member 'checkpoint' is missing")
            case ("tracker-lost", _): try Self.lost(fields)
            case ("tracker-back", _): .trackerBack
            case ("left", _): .left
            case (let event, _): .other(event)
            }
    }

    private static func lost(_ fields: Fields) throws(ContractFault) -> Event {
        guard let position = fields.lastPosition else { throw .form("the member 'last_position' is missing") }
        return .trackerLost(lastPosition: position.wall)
    }

    private struct Fields: Decodable {
        let event: WireText
        let checkpoint: CheckpointID?
        let order: Int?
        let lastHeard, lastPosition: WireTime?
    }
}

/// Correction of a result by the organiser, at one box.
public struct CorrectionRecord: Hashable, Sendable {
    public enum Act: Hashable, Sendable {
        /// A passing that no box has heard. `bound`: error in 95 of 100 cases.
        case add(passing: MessageID, CheckpointID, order: Int, time: WallTime, bound: Duration)
        case strike(passing: MessageID)
        case didNotStart, didNotFinish, disqualified
        /// The correction of this number does not count.
        case undo(Int)
        /// Act of a newer box.
        case other(String)
    }

    public let id: MessageID
    public let run: RunID
    public let box: GatewayID
    public let bib: Bib
    /// Place in the corrections of the run at this box, from 1.
    public let number: Int
    public let act: Act
    /// When the correction was made.
    public let time: WallTime

    public init(_ payload: [UInt8], of run: RunID, from gateway: GatewayID) throws(ContractFault) {
        let place: RunPlace = try WirePayload.read(from: payload)
        try place.check(run, gateway)
        let fields: Fields = try WirePayload.read(from: payload)
        guard fields.number >= 1 else { throw .form("'number' is outside of its range") }
        (id, self.run, box, bib, time) = (place.id, run, gateway, place.bib, place.time.wall)
        (number, act) = (fields.number, try Self.act(fields))
    }

    private static func act(_ fields: Fields) throws(ContractFault) -> Act {
        switch fields.act.text {
        case "add":
            guard let passing = fields.passing, let checkpoint = fields.checkpoint, let order = fields.order,
                let passed = fields.passedAt, let bound = fields.boundMs
            else { throw .form("a member of an added passing is missing") }
            guard order >= 1, (0..<1 << 40).contains(bound) else {
                throw .form("'order' or 'bound_ms' is outside of its range")
            }
            return .add(
                passing: passing, checkpoint, order: order, time: passed.wall, bound: .milliseconds(bound))
        case "strike":
            guard let passing = fields.passing else { throw .form("the member 'passing' is missing") }
            return .strike(passing: passing)
        case "undo":
            guard let number = fields.undoes else { throw .form("the member 'undoes' is missing") }
            return .undo(number)
        case "dns": return .didNotStart
        case "dnf": return .didNotFinish
        case "dsq": return .disqualified
        case let act: return .other(act)
        }
    }

    private struct Fields: Decodable {
        let number: Int
        let act: WireText
        let passing: MessageID?
        let checkpoint: CheckpointID?
        let order: Int?
        let passedAt: WireTime?
        let boundMs: Int64?
        let undoes: Int?
    }
}
