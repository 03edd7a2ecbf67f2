import GatewayModel
import RaceSimulation
import RunBeacon
import Testing

@Suite struct `A course` {
    private func point(_ latitude: Double, _ longitude: Double) throws -> Coordinates {
        try #require(Coordinates(latitude: latitude, longitude: longitude))
    }

    /// Geodesics on WGS 84 by GeographicLib 2.0 (Karney 2013).
    @Test(arguments: [
        (0.0, 16.0, 0.0, 16.01, 1_113.195), (48.0, 16.0, 48.01, 16.0, 1_111.904),
        (48.0, 16.0, 48.0, 16.01, 746.254),
        (69.65, 18.9, 69.66, 18.9, 1_115.576), (-33.9, 179.995, -33.9, -179.995, 924.929),
    ])
    func `is as long as the ground is`(_ a: Double, _ b: Double, _ c: Double, _ d: Double, metres: Double)
        throws
    {
        let course = try #require(Course([try point(a, b), try point(c, d)]))
        #expect(abs(course.length - metres) < metres * 0.000_05)
    }

    @Test func `has a place for each distance, and stops at its ends`() throws {
        let course = DrawnCourse.road.course
        #expect(course.place(at: -5) == course.points[0])
        #expect(course.place(at: course.length + 5) == course.points[course.points.count - 1])
        for index in stride(from: 0, to: course.points.count, by: 50) {
            let place = course.place(at: course.distances[index])
            #expect(abs(place.latitude - course.points[index].latitude) < 1e-9)
            #expect(abs(place.longitude - course.points[index].longitude) < 1e-9)
        }
    }

    @Test func `is none of one place, however often it is given`() throws {
        let here = try point(48, 16)
        #expect(Course([]) == nil)
        #expect(Course([here, here, here]) == nil)
        let there = try point(48.001, 16)
        let course = try #require(Course([here, here, there, there]))
        #expect(course.points == [here, there])
    }
}
