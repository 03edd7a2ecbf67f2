import HostileInput
import SettingsReading
import SettingsSamples
import TestSupport
import Testing

@testable import RunFiles

/// Inputs of broken or hostile senders: an answer, an error, and never the end of the process.
@Suite(.serialized) struct `Hostile input` {
    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func `in run files and start lists ends nothing`() throws {
        let folder = try MemoryFolder()
        let run = RunSample.text()
        Campaign("run-file").run(seeds: Self.bytes([run]), words: Mutator.tomlWords) { bytes in
            folder.write(bytes, "milan.toml")
            _ = try? RunFile(path: folder.path("milan.toml")) { path in
                throw RunSample.NoCourse(description: path)
            }
        }
        let list = "bib;name;tags\n17;\"Rossi; Maria\";C0:FF:EE:00:00:01\r\n18;\"a\"\"b\";\n"
        Campaign("start-list").run(
            seeds: Self.bytes([list]), words: [";", "\"", "\"\"", "\n", "\r", ",", "\t", "é", "\u{0}"]
        ) {
            _ = StartList.read($0, Problems(file: "list.csv"))
        }
    }

    @Test func `in courses ends nothing`() throws {
        let points = (0..<6).map {
            "<trkpt lat=\"\(48 + Double($0) / 1_000)\" lon=\"16.0\"><ele>9</ele></trkpt>"
        }
        let seeds = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">"
                + "<trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        ]
        Campaign("course").run(
            seeds: Self.bytes(seeds), words: Mutator.xmlWords + ["nan", "inf", "1e308", "-180", "90"]
        ) {
            _ = try? CourseFile(bytes: $0, path: "city.gpx")
        }
    }
}
