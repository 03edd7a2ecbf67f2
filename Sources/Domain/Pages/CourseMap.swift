import ControlContract
import GatewayModel
import HTML

/// Drawing of a course with the points and the runners, in whole units of its view box. It has classes and attributes
/// alone.
struct CourseMap {
    /// A runner on the map.
    struct Dot {
        let x, y: Int
        let isLocated: Bool
        /// Text beside it; nil for none.
        let label: String?
    }

    /// Maximum number of dots: two of one place are drawn once.
    private static let most = 500
    /// Units of the longer side, and of the margin that labels need.
    private static let size = 1_000
    private static let margin = 70

    private let line: RaceDocument.Line
    private let points: [RaceDocument.Point]
    private let dots: [Dot]

    init(_ line: RaceDocument.Line, _ points: [RaceDocument.Point], _ dots: [Dot]) {
        (self.line, self.points, self.dots) = (line, points, dots)
    }

    private var longest: Int { max(line.width, line.height, 1) }
    private var height: Int { max(scaled(line.height), 0) + 2 * Self.margin }
    private var width: Int { max(scaled(line.width), 0) + 2 * Self.margin }

    private func scaled(_ metres: Int) -> Int {
        let bounded = min(max(metres, -longest), 2 * longest)
        return bounded * (Self.size - 2 * Self.margin) / longest
    }

    private func place(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
        (Self.margin + scaled(x), Self.margin + scaled(y))
    }

    func svg(title: String, description: String) -> HTML {
        var labels = MapLabels(width: width)
        let points = pointMarks(&labels)
        let runners = runnerMarks(&labels)
        return HTML(
            .svg, .set(.class, "map"), .set(.viewBox, "0 0 \(width) \(height)"), .set(.role, "img"),
            .set(.ariaLabelledby, "map-title map-text"),
            content: HTML(.title, .set(.id, "map-title"), text: title),
            HTML(.desc, .set(.id, "map-text"), text: description),
            HTML(.path, .set(.class, "course"), .d(course)),
            HTML(points), HTML(runners))
    }

    private var course: HTML.PathData {
        var path = HTML.PathData()
        for index in stride(from: 0, to: line.points.count - line.points.count % 2, by: 2).prefix(400) {
            let (x, y) = place(line.points[index], line.points[index + 1])
            if index == 0 { path.move(to: x, y) } else { path.line(to: x, y) }
        }
        return path
    }

    /// One mark for a checkpoint that is passed several times. Checkpoints of one place share a label.
    private func pointMarks(_ labels: inout MapLabels) -> [HTML] {
        var places: [(x: Int, y: Int, names: [String])] = []
        for point in points.prefix(100) {
            guard let x = point.x, let y = point.y else { continue }
            let at = place(x, y)
            let near = places.firstIndex { abs($0.x - at.x) + abs($0.y - at.y) < Self.near }
            if let near {
                if !places[near].names.contains(point.checkpoint) {
                    places[near].names.append(point.checkpoint)
                }
            } else if !places.contains(where: { $0.names.contains(point.checkpoint) }) {
                places.append((at.x, at.y, [point.checkpoint]))
            }
        }
        var path = HTML.PathData()
        for at in places {
            path.move(to: at.x, at.y)
            path.dot()
        }
        let texts = places.map { at in
            labels.label(at.names.joined(separator: ", "), (at.x, at.y), kind: "point", below: true)
        }
        return path.isEmpty ? [] : [HTML(.path, .set(.class, "points"), .d(path))] + texts
    }

    /// Distance below which two checkpoints are one place of the drawing.
    private static let near = 60

    private func runnerMarks(_ labels: inout MapLabels) -> [HTML] {
        func path(_ isLocated: Bool) -> HTML.PathData {
            var path = HTML.PathData()
            var seen: Set<[Int]> = []
            for dot in dots.prefix(Self.most) where dot.isLocated == isLocated {
                let (x, y) = place(dot.x, dot.y)
                guard seen.insert([x, y]).inserted else { continue }
                path.move(to: x, y)
                path.dot()
            }
            return path
        }
        let (projected, located) = (path(false), path(true))
        let texts = dots.prefix(Self.most).map { dot in
            dot.label.map { labels.label($0, place(dot.x, dot.y), kind: "bib", below: false) } ?? .none
        }
        // A hollow dot is a wide one with a smaller one of the ground on it.
        return [
            HTML(.path, .set(.class, "projected"), .d(projected)),
            HTML(.path, .set(.class, "hole"), .d(projected)),
            HTML(.path, .set(.class, "located"), .d(located)),
        ] + texts
    }
}

/// Labels of a map, of which no two overlap: the later one is left out.
private struct MapLabels {
    /// Units of a letter at most, on the narrowest screen.
    private static let letter = (width: 26, height: 44)

    let width: Int
    private var taken: [(x: ClosedRange<Int>, y: ClosedRange<Int>)] = []

    init(width: Int) { self.width = width }

    mutating func label(_ text: String, _ at: (x: Int, y: Int), kind: StaticString, below: Bool) -> HTML {
        let length = min(text.count, 60) * Self.letter.width
        // Text near an edge grows away from it.
        let (anchor, left) =
            at.x < width / 4
            ? ("start", at.x) : at.x > width * 3 / 4 ? ("end", at.x - length) : ("middle", at.x - length / 2)
        let (above, under) = (at.y - 26, at.y + 50)
        let free = (below ? [under, above] : [above, under]).first { y in
            !taken.contains {
                $0.x.overlaps(left...(left + length)) && $0.y.overlaps((y - Self.letter.height)...y)
            }
        }
        guard let y = free else { return .none }
        taken.append((left...(left + length), (y - Self.letter.height)...y))
        return HTML(
            .text, .set(.class, kind.description), .set(.x, at.x), .set(.y, y), .set(.textAnchor, anchor),
            text: text)
    }
}

/// Map of a run with its legend.
extension RacePages {
    /// Labels that a map has room for.
    private static let labels = 5

    /// - Parameter rows: runners that the map shows.
    func map(of rows: [StandingsDocument.Row]) -> HTML {
        guard let line = race.line else { return .none }
        let bibs = Set(rows.map(\.bib))
        let ranks = Dictionary(rows.map { ($0.bib, $0.rank ?? .max) }) { first, _ in first }
        let places = race.places.filter { bibs.contains($0.bib) && $0.x != nil && $0.y != nil }
            .sorted { (ranks[$0.bib] ?? .max, $0.bib) < (ranks[$1.bib] ?? .max, $1.bib) }
        let dots = places.enumerated().compactMap { index, place -> CourseMap.Dot? in
            guard let x = place.x, let y = place.y else { return nil }
            return CourseMap.Dot(
                x: x, y: y, isLocated: place.isLocated, label: index < Self.labels ? "\(place.bib)" : nil)
        }
        let located = places.count(where: \.isLocated)
        let text = words.say(.onMap(located: located, projected: places.count - located))
        return HTML(
            .section, .set(.class, "course"), content: HTML(.h2, text: words.say(.map)),
            CourseMap(line, race.points, dots).svg(title: words.say(.courseOf(race.title)), description: text),
            HTML(
                .ul, .set(.class, "keys"),
                content: HTML(.li, .set(.class, "key-located"), text: words.say(.keyLocated)),
                HTML(.li, .set(.class, "key-projected"), text: words.say(.keyProjected))),
            HTML(.p, text: text + " " + words.say(.mapWords)))
    }
}

extension Text {
    static let keyLocated = Text(en: "Full dot: measured place", it: "Punto pieno: posizione misurata")
    static let keyProjected = Text(
        en: "Hollow dot: projected by the pace of the last leg",
        it: "Punto vuoto: stimata dal passo dell'ultimo tratto")
    static let mapWords = Text(
        en: "The list has the distance of each runner.",
        it: "L'elenco dà la distanza di ogni atleta.")
    static func courseOf(_ title: String) -> Text {
        Text(en: "Course of \(title), north up", it: "Percorso di \(title), nord in alto")
    }
    static func onMap(located: Int, projected: Int) -> Text {
        Text(
            en: "Runners on the course: \(located) measured, \(projected) projected.",
            it: "Atleti sul percorso: \(located) misurati, \(projected) stimati.")
    }
}
