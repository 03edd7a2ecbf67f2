/// Position of a person at one instant, as it is kept and shared.
public struct PositionSample: Hashable, Codable, Sendable {
    public enum Source: Hashable, Codable, Sendable {
        /// Wearable of the person.
        case wearable(DeviceID)
        /// Receiver of the box. It stands for the person only where the settings say so.
        case box
    }

    public let id: MessageID
    public let person: PersonID
    public let source: Source
    public let coordinates: Coordinates
    /// Metres, ± 95 %; nil where the source does not say.
    public let horizontalError: Double?
    public let arrival: Moment

    public init(
        id: MessageID, person: PersonID, source: Source, coordinates: Coordinates, horizontalError: Double?,
        arrival: Moment
    ) {
        (self.id, self.person, self.source) = (id, person, source)
        (self.coordinates, self.horizontalError, self.arrival) = (coordinates, horizontalError, arrival)
    }

    /// When the person was there, by the gateway's clock: the clocks of wearables are not checked.
    public var measured: WallTime { arrival.wall }

    public var coarse: CoarsePosition { CoarsePosition(self) }
}

/// Cell of a fixed grid in which a person was during one minute.
///
/// All positions in a cell give the same values, so that several of them tell no more than one.
public struct CoarsePosition: Hashable, Sendable {
    /// Cells in a degree of latitude and of longitude. A cell is 1.11 km high; it is 1.11 km wide at the equator, 0.79 km
    /// at 45° and 0.56 km at 60°.
    private static let cellsPerDegree = 100.0
    /// Metres. From the centre of a cell at the equator to its corner are 787 m.
    private static let halfDiagonal = 787.0
    private static let errorStep = 1_000.0

    /// Centre of the cell.
    public let coordinates: Coordinates
    /// Metres: a multiple of 1,000, at least 1,000. The position lies within it as surely as within the measured error.
    public let horizontalError: Double
    /// Start of the minute.
    public let measured: WallTime

    init(_ sample: PositionSample) {
        let centre = Coordinates(
            latitude: Self.centre(of: sample.coordinates.latitude, limit: 90),
            longitude: Self.centre(of: sample.coordinates.longitude, limit: 180))
        coordinates = centre ?? sample.coordinates
        // Half the circumference of the earth is the largest error.
        let error = min(max(sample.horizontalError ?? 0, 0), 20_000_000) + Self.halfDiagonal
        horizontalError = -Self.floor(-error / Self.errorStep) * Self.errorStep
        let milliseconds = sample.measured.millisecondsSince1970
        measured = WallTime(millisecondsSince1970: milliseconds - (milliseconds % 60_000 + 60_000) % 60_000)
    }

    /// The poles and the 180th meridian belong to the last cell before them.
    private static func centre(of degrees: Double, limit: Double) -> Double {
        let cells = limit * cellsPerDegree
        let cell = min(max(floor(degrees * cellsPerDegree), -cells), cells - 1)
        return (2 * cell + 1) / (2 * cellsPerDegree)
    }

    /// Without the library of C, which this target does not link. For numbers that fit into an integer.
    private static func floor(_ number: Double) -> Double {
        let whole = Double(Int64(number))
        return whole > number ? whole - 1 : whole
    }
}
