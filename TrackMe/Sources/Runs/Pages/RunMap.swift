import GatewayModel
import HTML
import RunBeacon

/// Drawing of a course with the points and the runners, in whole units of its view box.
struct RunMap {
    /// Runners with their bibs beside them.
    private static let labels = 5
    private static let mostDots = 500

    let shape: CourseShape
    let picture: RunPicture
    /// The best first.
    let shown: [Standing]

    private var scale: MapScale { MapScale(shape) }

    private func place(_ point: CourseShape.Point) -> (x: Int, y: Int) { scale.place(point) }

    func svg(title: String, description: String) -> HTML {
        var line = HTML.PathData()
        for (index, point) in shape.points.enumerated() {
            let at = place(point)
            if index == 0 { line.move(to: at.x, at.y) } else { line.line(to: at.x, at.y) }
        }
        let (located, projected) = (dots(true), dots(false))
        return HTML(
            .svg, .set(.class, "map"),
            .set(
                .viewBox,
                "0 0 \(scale.width) \(scale.height)"),
            .set(.role, "img"), .set(.ariaLabelledby, "map-title map-text"),
            content: HTML(.title, .set(.id, "map-title"), text: title),
            HTML(.desc, .set(.id, "map-text"), text: description),
            HTML(.path, .set(.class, "course"), .d(line)), checkpoints,
            // A hollow dot is a wide one with a smaller one of the ground on it.
            HTML(.path, .set(.class, "projected"), .d(projected)),
            HTML(.path, .set(.class, "hole"), .d(projected)),
            HTML(.path, .set(.class, "located"), .d(located)), labels)
    }

    private var checkpoints: HTML {
        var path = HTML.PathData()
        var seen: Set<CheckpointID> = []
        var texts: [HTML] = []
        for point in picture.points where seen.insert(point.checkpoint).inserted {
            let at = place(shape.place(at: point.distance))
            path.move(to: at.x, at.y)
            path.dot()
            texts.append(text(point.checkpoint.text, "point", at.x, at.y + 50))
        }
        return HTML(.path, .set(.class, "points"), .d(path)) + HTML(texts)
    }

    private func dots(_ isLocated: Bool) -> HTML.PathData {
        var path = HTML.PathData()
        for row in shown.prefix(Self.mostDots) {
            guard let place = picture.places[row.bib], place.isLocated == isLocated, let point = place.point
            else { continue }
            let at = self.place(point)
            path.move(to: at.x, at.y)
            path.dot()
        }
        return path
    }

    private var labels: HTML {
        HTML(
            shown.compactMap { row in
                picture.places[row.bib]?.point.map { (row.bib, place($0)) }
            }.prefix(Self.labels).map { bib, at in text(bib.description, "bib", at.x, at.y - 26) })
    }

    private func text(_ text: String, _ kind: String, _ x: Int, _ y: Int) -> HTML {
        let anchor = x < MapScale.size / 4 ? "start" : x > MapScale.size * 3 / 4 ? "end" : "middle"
        return HTML(
            .text, .set(.class, kind), .set(.x, x), .set(.y, y), .set(.textAnchor, anchor), text: text)
    }
}

/// Metres of a course to units of the view box of its map.
struct MapScale {
    static let size = 1_000
    private static let margin = 70

    private let shape: CourseShape

    init(_ shape: CourseShape) { self.shape = shape }

    var width: Int { scaled(shape.width) + 2 * Self.margin }
    var height: Int { scaled(shape.height) + 2 * Self.margin }

    func place(_ point: CourseShape.Point) -> (x: Int, y: Int) {
        (Self.margin + scaled(point.x), Self.margin + scaled(point.y))
    }

    private func scaled(_ metres: Int) -> Int {
        let longest = max(shape.width, shape.height, 1)
        return min(max(metres, -longest), 2 * longest) * (Self.size - 2 * Self.margin) / longest
    }
}
