import GatewayModel

extension Course {
    /// Where a place stands on the course: the nearest point of it, of one stretch.
    struct Foot: Hashable {
        /// Metres from the start.
        let distance: Double
        /// Metres from the course.
        let offset: Double
    }

    /// The points of the course that are nearest to a place: each nearer than what is on either side of it. A loop
    /// or an out-and-back has several.
    ///
    /// - Parameters:
    ///   - range: metres along the course, between which they have to lie; nil for all of it.
    ///   - gate: metres that they may be away.
    ///   - separation: metres along the course; of two that are closer together the nearer one is given.
    /// - Returns: the nearest first, not more than `limit`.
    func feet(
        of place: Coordinates, in range: ClosedRange<Double>? = nil, within gate: Double,
        separation: Double = 15, limit: Int = 16
    ) -> [Foot] {
        var best: [Foot] = []
        for foot in minima(of: place, in: range ?? 0...length, within: gate).sorted(by: Self.isNearer) {
            guard best.count < limit else { break }
            if best.allSatisfy({ abs($0.distance - foot.distance) > separation }) { best.append(foot) }
        }
        return best
    }

    /// Metres from the nearest point of all the course.
    func offset(of place: Coordinates) -> Double {
        let plane = LocalPlane(at: place)
        return (0..<points.count - 1).reduce(.infinity) { min($0, foot(onLeg: $1, plane).offset) }
    }

    private static func isNearer(_ left: Foot, _ right: Foot) -> Bool {
        (left.offset, left.distance) < (right.offset, right.distance)
    }

    private func minima(
        of place: Coordinates, in range: ClosedRange<Double>, within gate: Double
    ) -> [Foot] {
        let plane = LocalPlane(at: place)
        // One leg more on either side, to see whether a foot is a minimum.
        let first = max(0, leg(at: range.lowerBound) - 1)
        let last = min(points.count - 2, leg(at: range.upperBound) + 1)
        var found: [Foot] = []
        var before: Foot?
        var current = foot(onLeg: first, plane)
        for leg in first...last {
            let after = leg < last ? foot(onLeg: leg + 1, plane) : nil
            if current.offset <= gate, range.contains(current.distance),
                current.offset <= before?.offset ?? .infinity, current.offset <= after?.offset ?? .infinity
            {
                found.append(current)
            }
            before = current
            if let after { current = after }
        }
        return found
    }

    private func foot(onLeg leg: Int, _ plane: LocalPlane) -> Foot {
        let (from, to) = (plane.place(of: points[leg]), plane.place(of: points[leg + 1]))
        let (x, y) = (to.x - from.x, to.y - from.y)
        let square = x * x + y * y
        let share = square > 0 ? max(0, min(1, -(from.x * x + from.y * y) / square)) : 0
        let (east, north) = (from.x + share * x, from.y + share * y)
        return Foot(
            distance: distances[leg] + share * (distances[leg + 1] - distances[leg]),
            offset: (east * east + north * north).squareRoot())
    }
}
