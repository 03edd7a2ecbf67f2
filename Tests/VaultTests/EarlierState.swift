import Foundation

@testable import Vault

/// Files that the version before `state.sqlite` wrote. Three are those of a gateway that was killed
/// (`Tests/OldState/before-state-sqlite`); the others are written here as it wrote them.
enum EarlierState {
    static let names = [
        "alarms.jsonl", "commands.inbox", "beacons.jsonl", "records.json", "commanded.json", "commands.json",
    ]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "OldState/before-state-sqlite")

    /// `state.marks` of that gateway.
    static var marks: URL { folder.appending(path: "state.marks") }

    static func bytes(of name: String) throws -> [UInt8] {
        switch name {
        case "commands.inbox": ["aa.bb.cc", "dd.ee.ff"].flatMap { CheckedLine.seal(Array($0.utf8)) }
        case "beacons.jsonl":
            CheckedFile.seal(
                Array(
                    #"{"address":"C0:FF:EE:00:00:05","counter":600,"device":"button","sendsRegularly":true}"#
                        .utf8)
                    + [UInt8(ascii: "\n")])
        case "records.json": CheckedFile.seal(Array(#"{"meter":[1,18446744073709551615]}"#.utf8))
        default: [UInt8](try Data(contentsOf: folder.appending(path: name)))
        }
    }

    /// Rows of one file.
    static func changes(of name: String) throws -> [StateChange] {
        let directory = FileManager.default.temporaryDirectory.appending(path: "earlier-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data(bytes(of: name)).write(to: directory.appending(path: name))
        return EarlierStateFiles(in: directory.path, marks: nil).load().changes
    }

    /// Fills a state directory with all of them.
    static func fill(_ directory: URL) throws {
        for name in names { try Data(bytes(of: name)).write(to: directory.appending(path: name)) }
    }
}
