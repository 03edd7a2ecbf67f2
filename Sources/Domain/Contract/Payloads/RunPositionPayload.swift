import GatewayModel
import RunBeacon

/// Payload of `runs/<run>/positions`: the position of a runner.
struct RunPositionPayload: Encodable {
    let id: String
    let run: String
    /// The gateway that was told.
    let box: String
    let bib: Int
    /// Degrees, to the sixth digit: 11 cm.
    let latitude: Double
    let longitude: Double
    /// ± 95 %, no better than 0.1; nil where the source does not say.
    let accuracyM: Double?
    /// RFC 3339.
    let measured: String
    /// When it was worked out; that much before it was measured.
    let time: String
    let ageS: Double
    /// From the start along the course; nil where there is none, or the runner is off it.
    let distanceM: Double?
    /// From the course; nil where there is none.
    let offCourseM: Double?
    /// Nil for who stands, or is not known to run yet.
    let paceSPerKm: Double?
    let nextCheckpoint: String?
    /// RFC 3339.
    let predictedAt: String?
    let predictedBoundS: Int64?
    /// In the order of the alphabet.
    let flags: [String]

    init(_ position: RunnerPosition, of bib: Bib, in run: RunID, id: MessageID, box: GatewayID) {
        self.id = id.description
        (self.run, self.box, self.bib) = (run.text, box.text, bib.number)
        latitude = Self.rounded(position.coordinates.latitude, digits: 1_000_000)
        longitude = Self.rounded(position.coordinates.longitude, digits: 1_000_000)
        accuracyM = position.accuracy.map { max(0.1, Self.rounded($0, digits: 10)) }
        (measured, time) = (position.measured.wall.rfc3339, position.arrival.wall.rfc3339)
        ageS = Self.rounded(Double(position.age.wholeMilliseconds) / 1_000, digits: 10)
        distanceM = position.distance.map { $0.rounded() }
        offCourseM = position.offset.map { $0.rounded() }
        paceSPerKm = position.secondsPerKilometre.map { $0.rounded() }
        nextCheckpoint = position.next?.checkpoint.text
        predictedAt = position.next?.time.rfc3339
        predictedBoundS = position.next.map { ($0.bound.boundMilliseconds + 999) / 1_000 }
        flags = position.flags.map(\.rawValue).sorted()
    }

    private static func rounded(_ value: Double, digits: Double) -> Double {
        (value * digits).rounded() / digits
    }
}
