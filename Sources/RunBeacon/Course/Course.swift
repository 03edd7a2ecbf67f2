public import GatewayModel

/// A line over the ground, from the start to the finish.
public struct Course: Hashable, Sendable {
    /// Two at least, no two of the same place in a row.
    public let points: [Coordinates]
    /// Metres from the start along the course, one for each of `points`.
    public let distances: [Double]

    /// Nil for fewer than two places: that is no line.
    public init?(_ points: [Coordinates]) {
        var line: [Coordinates] = []
        var distances: [Double] = []
        for point in points {
            guard let last = line.last, let distance = distances.last else {
                (line, distances) = ([point], [0])
                continue
            }
            let leg = LocalPlane.metres(last, point)
            guard leg > 0 else { continue }
            line.append(point)
            distances.append(distance + leg)
        }
        guard line.count >= 2 else { return nil }
        (self.points, self.distances) = (line, distances)
    }

    /// Metres. Never zero.
    public var length: Double { distances[distances.count - 1] }

    /// Where one is after so many metres; before the start and after the finish, there.
    public func place(at distance: Double) -> Coordinates {
        let leg = leg(at: distance)
        let (from, to) = (points[leg], points[leg + 1])
        let share = max(0, min(1, (distance - distances[leg]) / (distances[leg + 1] - distances[leg])))
        var degrees = to.longitude - from.longitude
        if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
        var longitude = from.longitude + share * degrees
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        return Coordinates(
            latitude: from.latitude + share * (to.latitude - from.latitude), longitude: longitude) ?? from
    }

    /// The number of the leg that holds `distance`: from `points[leg]` to the next.
    func leg(at distance: Double) -> Int {
        var (low, high) = (0, points.count - 2)
        while low < high {
            let middle = (low + high + 1) / 2
            if distances[middle] <= distance { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
