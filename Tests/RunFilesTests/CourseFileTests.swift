import Foundation
import GatewayModel
import RunBeacon
import SettingsReading
import Testing

@testable import RunFiles

@Suite struct `A course file` {
    private func read(_ text: String) throws(SettingsError) -> CourseFile {
        try CourseFile(bytes: Array(text.utf8), path: "city.gpx")
    }

    private func gpx(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
        \(body)
        </gpx>
        """
    }

    /// One point a line, from the third line of the document on.
    private func track(_ points: [(Double, Double)]) -> String {
        gpx(
            "<trk><trkseg>"
                + points.map { "<trkpt lat=\"\($0.0)\" lon=\"\($0.1)\"/>" }.joined(separator: "\n")
                + "</trkseg></trk>")
    }

    private func message(_ text: String) -> String {
        do throws(SettingsError) {
            _ = try read(text)
            return "no error"
        } catch {
            return error.description
        }
    }

    /// Some 111 m each.
    private let line = (0..<10).map { (48 + Double($0) / 1_000, 16.0) }

    @Test func `is read from tracks of several parts, with all that receivers add to a point`() throws {
        let file = try read(
            gpx(
                """
                <metadata><name>City 10K</name><bounds minlat="1" minlon="1" maxlat="2" maxlon="2"/></metadata>
                <wpt lat="1" lon="2"><name>Car park</name></wpt>
                <trk><name>A</name>
                <trkseg><trkpt lat="48.000" lon="16.0"><ele>171.5</ele><time>2026-05-10T08:00:00Z</time>
                <extensions><x:hr xmlns:x="urn:x">120</x:hr></extensions></trkpt>
                <trkpt lat="48.001" lon="16.0"/></trkseg>
                <trkseg><trkpt lat="48.002" lon="16.0"/><trkpt lat="48.003" lon="16.0"/></trkseg></trk>
                """))
        #expect(file.course.points.map(\.latitude) == [48, 48.001, 48.002, 48.003])
        #expect(abs(file.course.length - 333.6) < 0.5)
        #expect(file.warnings.isEmpty)
    }

    @Test func `is read from a route where there is no track`() throws {
        let file = try read(gpx(#"<rte><rtept lat="48" lon="16"/><rtept lat="48.004" lon="16"/></rte>"#))
        #expect(file.course.points.count == 2)
    }

    @Test func `says which lines it has taken for the course`() throws {
        let track = #"<trk><trkseg><trkpt lat="48" lon="16"/><trkpt lat="48.001" lon="16"/></trkseg></trk>"#
        let route = #"<rte><rtept lat="48" lon="16"/><rtept lat="48.004" lon="16"/></rte>"#
        #expect(
            try read(gpx(track + route)).warnings.map(\.message).first?.contains("the tracks count") == true)
        #expect(try read(gpx(track + track)).warnings.map(\.message).first?.contains("2 tracks") == true)
    }

    @Test func `has a line for each mistake`() {
        #expect(
            message(gpx(#"<trk><trkseg><trkpt lat="48,2" lon="16"/>"#)).hasPrefix(
                #"city.gpx:3: saw lat="48,2""#))
        for text in ["nan", "0x30", "", "inf", "1e999"] {
            let point = "<trk><trkseg>\n<trkpt lon=\"16\" lat=\"\(text)\"/></trkseg></trk>"
            #expect(message(gpx(point)).hasPrefix("city.gpx:4: saw lat="), "\(text)")
        }
        #expect(message(gpx(#"<trk><trkseg><trkpt lat="48"/></trkseg></trk>"#)).contains("without lon"))
        #expect(
            message(track([(151.2, -33.9), (151.3, -33.9)])).hasPrefix("city.gpx:3: saw latitude 151.2")
                && message(track([(151.2, -33.9), (151.3, -33.9)])).hasSuffix("swapped?"))
        #expect(
            message(track([(48, 16), (48, 181)])).hasPrefix("city.gpx:4: saw latitude 48.0 and longitude 181"))
        #expect(message(track([(48, 16)])).contains("saw one point, expected two places at least"))
        #expect(
            message(track([(48, 16), (48, 16)])).contains(
                "saw 2 points of the same place, expected two places at least"))
        #expect(message(gpx("")).contains("no point of a track or a route"))
        #expect(message(track(line + [(0, 0)])).contains("remove the wrong one"))
    }

    @Test func `is no course where it is no GPX`() {
        #expect(message("").contains("no XML"))
        #expect(message("lat,lon\n48,16\n").hasPrefix("city.gpx:1: saw no XML"))
        #expect(message("<kml></kml>").contains("saw <kml>, expected <gpx>"))
        #expect(message(String(track(line).dropLast(30))).contains("no XML"))
        #expect(message("\u{0}\u{1}\u{2}").contains("no XML"))
    }

    @Test func `unfolds no entity and opens no other file`() {
        let laughs = (1...9).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }
        let bomb = "<!DOCTYPE gpx [<!ENTITY l0 \"ha\">\(laughs.joined())]><gpx>&l9;</gpx>"
        #expect(message(bomb).contains("document type"))
        #expect(message("<!DOCTYPE gpx SYSTEM \"/etc/passwd\"><gpx/>").contains("document type"))
        #expect(
            message("<!DOCTYPE gpx [<!ENTITY x SYSTEM \"/etc/passwd\">]><gpx>&x;</gpx>").contains(
                "document type"))
        #expect(message(gpx("&undefined;")).contains("no XML"))
        #expect(message(String(repeating: "<gpx>", count: 100_000)).contains("deep"))
    }

    @Test func `warns of a far point and of a gap, and leaves the one out`() throws {
        var points = line
        points.insert((48.0045, 16.05), at: 5)
        let stray = try read(track(points))
        #expect(stray.warnings.map(\.line) == [8])
        #expect(stray.course.points.count == 10)
        let gap = try read(track(line + line.map { ($0.0 + 0.05, $0.1) }))
        #expect(gap.warnings.map(\.line) == [13])
        #expect(gap.course.points.count == 20)
        // Three corners: the far one is the turn.
        let turn = try read(track([(48, 16), (48.02, 16), (48, 16)]))
        #expect(abs(turn.course.length - 4_448) < 10)
    }

    @Test func `of more points than any course has is refused`() {
        let points = String(repeating: "<trkpt lat=\"48\" lon=\"16\"/>", count: GPXDocument.mostPoints + 1)
        #expect(message(gpx("<trk><trkseg>\(points)</trkseg></trk>")).contains("more than 200000 points"))
    }

    @Test func `that is not there or too large says so`() throws {
        #expect(throws: SettingsError.self) { try CourseFile(path: "/nonexistent/city.gpx") }
        let path = FileManager.default.temporaryDirectory.appending(path: "course-\(UUID()).gpx").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(truncate(path, 40 << 20) == 0)
        #expect(throws: SettingsError.self) { try CourseFile(path: path) }
    }

    @Test func `is read in any encoding that its first line names`() throws {
        let text = track(line).replacing("UTF-8", with: "UTF-16")
        var bytes: [UInt8] = [0xFE, 0xFF]
        for unit in text.utf16 { bytes += [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)] }
        #expect(try CourseFile(bytes: bytes, path: "x").course.points.count == 10)
    }

    @Test func `cut anywhere is an error or a course, and nothing else`() {
        let text = Array(track(line).utf8)
        for end in stride(from: 0, to: text.count, by: 7) {
            #expect(throws: SettingsError.self) { try CourseFile(bytes: Array(text.prefix(end)), path: "x") }
        }
    }
}
