import Foundation
import SeededRandom
import TarArchive
import TestSupport
import Testing

@Suite struct `A tar archive` {
    private struct Content: Equatable {
        var entries: [TarEntry] = []
        var bytes: [[UInt8]] = []
    }

    private static let entries = [
        TarEntry(
            path: "files/etc", kind: .directory, mode: 0o750, user: "root", group: "root",
            modified: 1_764_172_800),
        TarEntry(path: "files/etc/empty", kind: .file, mode: 0o600, modified: 5),
        TarEntry(
            path: "files/etc/a", kind: .file, mode: 0o640, user: "u", group: "g", userID: 7, groupID: 8, size: 3
        ),
        TarEntry(
            path: "files/" + String(repeating: "long-folder/", count: 20) + "è.txt", kind: .file, mode: 0o4755,
            userID: 0o7777777, size: 1_025),
        TarEntry(path: "files/" + String(repeating: "d/", count: 60) + "end", kind: .directory, mode: 0o700),
    ]

    private static func content(_ entry: TarEntry) -> [UInt8] { [UInt8](repeating: 42, count: entry.size) }

    private static func archive() throws -> [UInt8] {
        try entries.flatMap {
            try TarWriter.header(of: $0) + content($0) + TarWriter.padding($0.size)
        } + TarWriter.end
    }

    private static func parse(_ bytes: [UInt8], in pieces: Int) throws -> (content: Content, isComplete: Bool) {
        var parser = TarParser()
        var content = Content()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try parser.take(Array(bytes[start..<min(start + pieces, bytes.count)])) { event in
                switch event {
                case .entry(let entry):
                    content.entries.append(entry)
                    content.bytes.append([])
                case .content(let piece): content.bytes[content.bytes.count - 1] += piece
                case .entryEnd: break
                }
            }
        }
        return (content, parser.isComplete)
    }

    @Test(arguments: [1, 7, 511, 512, 513, 100_000])
    func `is read in pieces of any size`(pieces: Int) throws {
        let (content, isComplete) = try Self.parse(Self.archive(), in: pieces)
        #expect(content == Content(entries: Self.entries, bytes: Self.entries.map(Self.content)) && isComplete)
    }

    @Test func `is read by tar(1), also with long paths`() async throws {
        let scratch = try ScratchDirectory()
        let file = scratch.file("a.tar")
        try Data(Self.archive()).write(to: file)
        let tar = Process()
        let output = Pipe()
        tar.executableURL = URL(filePath: "/usr/bin/env")
        tar.arguments = ["tar", "--numeric-owner", "-tvf", file.path, "--full-time", "--utc"]
        tar.environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        tar.standardOutput = output
        try tar.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        tar.waitUntilExit()
        #expect(tar.terminationStatus == 0)
        let lines = text.split(separator: "\n")
        #expect(lines.count == Self.entries.count)
        for (line, entry) in zip(lines, Self.entries) {
            #expect(line.hasSuffix(entry.path + (entry.kind == .directory ? "/" : "")), "\(line)")
            #expect(line.contains(" \(entry.userID)/\(entry.groupID) "), "\(line)")
        }
        #expect(lines[0].hasPrefix("drwxr-x---") && lines[0].contains("2025-11-26 16:00:00"), "\(lines[0])")
        #expect(lines[3].hasPrefix("-rwsr-xr-x") && lines[3].contains(" 1025 "), "\(lines[3])")
    }

    @Test func `is not complete before its end, and never traps`() throws {
        let bytes = try Self.archive()
        for count in stride(from: 0, to: bytes.count - 512, by: 97) {
            let result = try? Self.parse(Array(bytes.prefix(count)), in: 4096)
            #expect(result?.isComplete != true, "\(count)")
        }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            var damaged = bytes
            damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            _ = try? Self.parse(damaged, in: 4096)
        }
    }

    @Test(arguments: ["/etc/passwd", "../a", "a/../b", "a//b", "", "a/./b", "a\0b"])
    func `holds no path that leads out of its folder`(path: String) throws {
        #expect(!TarEntry.isSafe(path))
        #expect(throws: TarFault.self) {
            try TarWriter.header(of: TarEntry(path: path, kind: .file, mode: 0o600))
        }
        // Written by another program.
        var header = try TarWriter.header(of: TarEntry(path: "aaaaaaaaaaaaaaa", kind: .file, mode: 0o600))
        for (offset, byte) in (Array(path.utf8) + [0]).enumerated() { header[offset] = byte }
        for offset in 148..<156 { header[offset] = UInt8(ascii: " ") }
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        let field = String(repeating: "0", count: 6 - sum.count) + sum
        for (offset, byte) in (Array(field.utf8) + [0]).enumerated() { header[148 + offset] = byte }
        // A NUL ends the name.
        guard path != "a\0b" else { return }
        #expect(throws: TarFault.self) { try Self.parse(header + TarWriter.end, in: 512) }
    }
}
