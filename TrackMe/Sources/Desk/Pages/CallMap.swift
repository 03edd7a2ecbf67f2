import ContractReading
import Foundation
import GatewayModel
import HTML

/// Map of the place of a call: distances and directions without tiles, since the place of a person in need must not be
/// told to a server of maps.
struct CallMap {
    struct Point: Hashable {
        /// Degrees, WGS 84.
        let latitude, longitude: Double
    }

    /// Units of the drawing from the centre to its edge.
    private static let radius = 500.0
    /// Metres of a degree of latitude, on a sphere of 6,371 km.
    private static let metresOfDegree = 111_195.0
    /// Radii of the rings, in metres. The map ends at one of them.
    private static let rings = [50.0, 100, 250, 500, 1_000, 2_500, 5_000]

    let centre: Point
    /// Metres; nil if the house does not say.
    let error: Double?
    /// Places of the other open calls.
    let others: [Point]

    init?(_ location: EmergencyMessage.Location?, others: [EmergencyMessage.Location]) {
        guard let point = Self.point(location) else { return nil }
        centre = point
        error = location?.errorMetres.map { min(max($0, 0), 100_000) }
        self.others = others.compactMap { Self.point($0) }
    }

    private static func point(_ location: EmergencyMessage.Location?) -> Point? {
        guard let latitude = location?.latitude, let longitude = location?.longitude else { return nil }
        return Point(latitude: latitude, longitude: longitude)
    }

    /// Radius of the map in metres: the circle of the error, and at least 250 m around it.
    var range: Double {
        let needed = max((error ?? 0) * 1.2, 250)
        return Self.rings.first { $0 >= needed } ?? Self.rings[Self.rings.count - 1]
    }

    func svg(_ words: Words) -> HTML {
        let scale = Self.radius / range
        let rings = Self.rings.filter { $0 <= range }.suffix(3)
        var shapes = [HTML(.path, .set(.class, "grid"), .d(cross()))]
        for ring in rings {
            shapes.append(HTML(.path, .set(.class, "ring"), .d(circle(ring * scale))))
            shapes.append(
                HTML(
                    .text, .set(.x, 506), .set(.y, 500 - Int(ring * scale) + 40),
                    text: words.say(.metres(Int(ring)))))
        }
        if let error, error > 0 {
            let shown = min(error * scale, Self.radius)
            shapes.append(HTML(.path, .set(.class, "error"), .d(circle(shown))))
        }
        for other in others {
            guard let offset = offset(of: other), hypot(offset.x, offset.y) <= range else { continue }
            let (x, y) = (500 + Int(offset.x * scale), 500 - Int(offset.y * scale))
            var square = HTML.PathData()
            square.move(to: x - 9, y - 9)
            square.horizontal(to: x + 9)
            square.vertical(to: y + 9)
            square.horizontal(to: x - 9)
            square.vertical(to: y - 9)
            shapes.append(HTML(.path, .set(.class, "other"), .d(square)))
        }
        var dot = HTML.PathData()
        dot.move(to: 500, 500)
        dot.dot()
        shapes.append(HTML(.path, .set(.class, "here"), .d(dot)))
        shapes.append(HTML(.text, .set(.x, 450), .set(.y, 40), .set(.class, "north"), text: "N"))
        return HTML(
            .svg, .set(.class, "map"), .set(.viewBox, "0 0 1000 1000"), .set(.role, "img"),
            .set(.ariaLabel, words.say(.map)), content: HTML(shapes))
    }

    /// East and north of the centre, in metres; nil for a place on the other side of the date line.
    func offset(of point: Point) -> (x: Double, y: Double)? {
        let degrees = point.longitude - centre.longitude
        guard abs(degrees) < 180 else { return nil }
        return (
            degrees * Self.metresOfDegree * cos(centre.latitude * .pi / 180),
            (point.latitude - centre.latitude) * Self.metresOfDegree
        )
    }

    private func cross() -> HTML.PathData {
        var path = HTML.PathData()
        path.move(to: 500, 30)
        path.vertical(to: 1_000)
        path.move(to: 0, 500)
        path.horizontal(to: 1_000)
        return path
    }

    /// Circle as a polygon of 72 sides: at this size no eye tells it from one.
    private func circle(_ radius: Double) -> HTML.PathData {
        var path = HTML.PathData()
        for step in 0...72 {
            let angle = Double(step) * .pi / 36
            let (x, y) = (
                500 + Int((radius * sin(angle)).rounded()), 500 - Int((radius * cos(angle)).rounded())
            )
            if step == 0 { path.move(to: x, y) } else { path.line(to: x, y) }
        }
        return path
    }
}

extension Text {
    static func metres(_ count: Int) -> Text {
        Text(
            en: count < 1_000 ? "\(count) m" : "\(count / 1_000) km",
            it: count < 1_000 ? "\(count) m" : "\(count / 1_000) km")
    }
}
