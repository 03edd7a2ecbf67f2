import GatewayModel
import RunBeacon
import Testing

@testable import Runs

/// Text forms of the parts of a run.
struct RunTextTests {
    @Test func `reads what it writes`() throws {
        let text = "start 0 house-11; bridge 2500,7500.5 house-12; finish 10000 finish"
        let points = try RunText.checkpoints(text)
        #expect(points.map(\.distances) == [[0], [2_500, 7_500.5], [10_000]])
        #expect(points.map(\.isFinish) == [false, false, true])
        #expect(RunText.text(of: points) == text)
        let waves = try RunText.waves("fast 2026-05-10T09:00:00+02:00; late 2026-05-10T09:10:00+02:00")
        #expect(waves.map(\.id.text) == ["fast", "late"])
    }

    @Test(arguments: [
        "", "start", "start x", "start 0 house-11 more", "start 5,3", "Start 0", "start 0 house_11", "start -1",
        "start 1e99", "start nan", "<script> 0", "start 0 house-11 finish finish",
    ])
    func `refuses other checkpoints`(text: String) {
        #expect(throws: RunFault.checkpoints) { try RunText.checkpoints(text) }
    }

    @Test(arguments: ["", "2026-05-10", "fast fast 2026-05-10T09:00:00Z", "2026-05-10T09:00:00"])
    func `refuses other waves`(text: String) {
        #expect(throws: RunFault.waves) { try RunText.waves(text) }
    }

    @Test func `encodes a course as the document of the format does, and thins a long one`() throws {
        // developers.google.com/maps/documentation/utilities/polylinealgorithm has these three points.
        let example = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)].map {
            Coordinates(latitude: $0.0, longitude: $0.1)!
        }
        #expect(CoursePolyline.encoded(example) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        let long = try #require(
            Course((0..<20_000).map { Coordinates(latitude: 45 + Double($0) * 0.00002, longitude: 9)! }))
        let line = try CoursePolyline.line(of: long)
        #expect(line.text.utf8.count <= CourseLine.mostCharacters)
        #expect(abs(line.course.length - long.length) < 5)
    }

    @Test func `refuses a run of a week, and one that ends before its start`() throws {
        func define(_ end: String) throws -> RunDefinition {
            try RunDefinition(
                id: RunID("milan")!, description: "",
                outline: RunOutline(
                    title: "Milan", end: WallTime(rfc3339: end)!,
                    waves: try RunText.waves("2026-05-10T09:00:00Z"),
                    checkpoints: try RunText.checkpoints("finish 1000 finish")), most: 10)
        }
        #expect(throws: RunFault.tooLong) { try define("2026-05-17T09:00:00Z") }
        #expect(throws: RunFault.self) { try define("2026-05-10T09:00:00Z") }
        #expect(try define("2026-05-10T10:00:00Z").most == 10)
    }
}
