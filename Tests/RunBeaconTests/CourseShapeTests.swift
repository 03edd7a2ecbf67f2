import GatewayModel
import RunBeacon
import Testing

@Suite struct `The line of a course for a drawing` {
    /// A zigzag to the north with a point each few metres.
    private func course(_ count: Int, sway: Double) throws -> Course {
        let points = try (0..<count).map { index in
            try #require(
                Coordinates(
                    latitude: 45 + Double(index) * 0.000_05,
                    longitude: 9 + (index.isMultiple(of: 2) ? sway : 0)))
        }
        return try #require(Course(points))
    }

    @Test func `has at most 300 points, whatever the file has`() throws {
        for (count, sway) in [(2, 0.0), (5_000, 0.000_3), (150_000, 0.000_3), (20_000, 0.01)] {
            let shape = CourseShape(try course(count, sway: sway))
            #expect((2...CourseShape.mostPoints).contains(shape.points.count), "\(count)")
        }
    }

    @Test func `keeps its corners, and drops the points of a straight line`() throws {
        let corner = try [(45.0, 9.0), (45.005, 9.0), (45.01, 9.0), (45.01, 9.01)].map {
            try #require(Coordinates(latitude: $0.0, longitude: $0.1))
        }
        let shape = CourseShape(try #require(Course(corner)))
        #expect(shape.points.count == 3)
        #expect((1_110...1_113).contains(shape.height) && (785...790).contains(shape.width))
        #expect(shape.points[0].x == 0 && abs(shape.points[0].y - shape.height) <= 1)
        #expect(shape.points[1].y == 0 && shape.points[1].x == 0)
    }

    @Test func `places a distance on it, and the ends for distances outside`() throws {
        let shape = CourseShape(try course(1_000, sway: 0))
        #expect(shape.place(at: -5) == shape.points.first)
        #expect(shape.place(at: 1_000_000) == shape.points.last)
        let half = shape.place(at: Double(shape.height) / 2)
        #expect(abs(half.y - shape.height / 2) <= 1 && half.x == 0)
    }
}
