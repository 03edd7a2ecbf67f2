import GatewayModel
import RealModule

/// The ground around a place, flat: metres to the east and to the north of it.
///
/// The radii of curvature of WGS 84 at its latitude, so that lengths are true to 1 in 10,000 within some 20 km. (One
/// figure for all latitudes, 110,540 m a degree, is right at the equator and 0.5 % short in the middle of Europe: 200 m
/// of a marathon.)
struct LocalPlane {
    private static let equator = 6_378_137.0
    private static let eccentricitySquared = 0.006_694_379_990_14

    private let latitude, longitude: Double
    /// Metres a degree.
    private let toNorth, toEast: Double

    init(at origin: Coordinates) {
        self.init(latitude: origin.latitude, longitude: origin.longitude)
    }

    private init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
        let angle = latitude * .pi / 180
        let sine = Double.sin(angle)
        let share = 1 - Self.eccentricitySquared * sine * sine
        let normal = Self.equator / share.squareRoot()
        toNorth = normal * (1 - Self.eccentricitySquared) / share * .pi / 180
        toEast = normal * max(0, Double.cos(angle)) * .pi / 180
    }

    /// Across the date line too.
    func place(of point: Coordinates) -> (x: Double, y: Double) {
        var degrees = point.longitude - longitude
        if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
        return (degrees * toEast, (point.latitude - latitude) * toNorth)
    }

    /// Metres between two points, along the ground as it is half way between them.
    static func metres(_ one: Coordinates, _ other: Coordinates) -> Double {
        let plane = LocalPlane(
            latitude: (one.latitude + other.latitude) / 2, longitude: one.longitude)
        let (x, y) = plane.place(of: other)
        let north = y - plane.place(of: one).y
        return (x * x + north * north).squareRoot()
    }
}
