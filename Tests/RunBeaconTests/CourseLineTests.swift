import Foundation
import GatewayModel
import RunBeacon
import SeededRandom
import Testing

/// Vectors of the Python package polyline 2.0.2, and of the format's own page where it says so.
@Suite struct `A course as a line of text` {
    private static func course(_ text: String) throws -> [[Double]] {
        try CourseLine(text).course.points.map { [$0.latitude, $0.longitude] }
    }

    private static func flaw(_ text: String) -> CourseLine.Flaw? {
        do throws(CourseLine.Flaw) {
            _ = try CourseLine(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `has the points that were encoded`() throws {
        #expect(
            try Self.course("owntGo|aw@R_Dsb@ox@") == [[45.4644, 9.19], [45.4643, 9.1908], [45.47, 9.2]])
        // Across the date line, in the south.
        #expect(try Self.course("~a|mEw`sia@?nbgtcA") == [[-33.9, 179.999], [-33.9, -179.999]])
        // A lap, closed.
        let lap = try CourseLine(
            #"_|mtG_bcw@wFx@}EjDqDfGoBnIg@pJf@pJnBnIpDfG|EjDvFx@vFy@|EkDpDgGnBoIf@qJg@qJoBoIqDgG}EkDwFy@"#)
        #expect(lap.course.points.count == 21 && lap.course.points.first == lap.course.points.last)
        #expect((2_500...3_000).contains(lap.course.length))
    }

    @Test func `is none of fewer than two places, of a leap, and of places that are not on the globe`() {
        #expect(Self.flaw("") == .survey(.tooFewPoints(0)))
        #expect(Self.flaw("owntGo|aw@") == .survey(.tooFewPoints(1)))
        #expect(Self.flaw("owntGo|aw@????") == .survey(.tooFewPoints(3)))
        // The format's own example: three places in California, hundreds of kilometres apart.
        let leap = Self.flaw("_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        #expect(leap?.description.contains("km from point 1 to point 2, expected 50 km at most") == true)
        let north = Self.flaw("owntGo|aw@ot|tG?")
        #expect(north?.description.contains("saw latitude 91.0, expected -90 to 90") == true)
        // 444 km in legs below 50 km that are each allowed.
        let long = Self.flaw("_ocsF_y|u@" + String(repeating: "_cmA?", count: 10))
        guard case .survey(.tooLong(let metres))? = long else {
            Issue.record("\(String(describing: long))")
            return
        }
        #expect((443_000...446_000).contains(metres))
    }

    @Test func `is none with a point far from its neighbours`() {
        #expect(Self.flaw("owntGo|aw@gE?gwE?~pE?gE?") == .stray(point: 3, metres: 3_845))
    }

    @Test(arguments: [
        // A latitude alone, a number that does not end, and one with more bits than a circle has.
        "owntG", "owntGo|aw", "owntGo|aw@_", "owntGo|aw@~~~~~~~?", "owntGo|aw@~~~~~~~~~~~~~~~~~~~~~~~~",
        // An empty last group, which would give a number two forms.
        "owntGo|aw@`?A", "owntGo|aw@_D_D_?A",
        // Characters outside of the alphabet.
        "owntGo|aw@ _D_D", "owntGo|aw@_D_D\n", "owntGo|aw@_D_D\u{7f}", "owntGo|aw@_D_D\u{0}", "owntGo|aw@_Dé",
        "owntGo|aw@>>", "45.4644,9.19",
    ])
    func `is none where it is no encoded polyline`(_ text: String) {
        guard case .malformed(let place)? = Self.flaw(text) else {
            Issue.record("\(text): \(String(describing: Self.flaw(text)))")
            return
        }
        #expect((1...text.utf8.count + 1).contains(place))
    }

    @Test func `traps on no text, cut off or changed anywhere`() {
        let whole = Array("owntGo|aw@R_Dsb@ox@".utf8)
        for length in whole.indices { _ = Self.flaw(String(decoding: whole[..<length], as: UTF8.self)) }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0...Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if let line = try? CourseLine(text) { #expect(line.text == text && line.course.length > 0) }
        }
        #expect(Self.flaw(String(repeating: "~", count: 20_000)) == .tooLong(characters: 20_000))
    }

    @Test func `outlives its state file, beside the name of a file`() throws {
        let line = PlannedCourse.line(try CourseLine("owntGo|aw@_D_D"))
        let file = PlannedCourse.file(try #require(CompanionFile("milan.gpx")))
        let kept = try JSONEncoder().encode([line, file])
        #expect(String(decoding: kept, as: UTF8.self) == #"["line:owntGo|aw@_D_D","milan.gpx"]"#)
        #expect(try JSONDecoder().decode([PlannedCourse].self, from: kept) == [line, file])
        for wrong in [#"["line:"]"#, #"["line:owntG"]"#, #"["../milan.gpx"]"#, "[1]"] {
            #expect(throws: (any Error).self) {
                try JSONDecoder().decode([PlannedCourse].self, from: Data(wrong.utf8))
            }
        }
    }
}
