import Foundation
import Testing
import Vault

@testable import Contract

@Suite struct `The spool` {
    private func inDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "spool-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory.path + "/unsent.jsonl")
    }

    @Test func `brings back what it was given`() throws {
        try inDirectory { path in
            let envelopes = [Sample.envelope(1), Sample.envelope(2, lane: .alarm, isRetained: true)]
            try Spool(path: path).save(envelopes)
            let (loaded, unreadable) = try Spool(path: path).load()
            #expect(loaded == envelopes)
            #expect(unreadable == 0)
        }
    }

    @Test func `is empty where there is no file, and leaves none when there is nothing`() throws {
        try inDirectory { path in
            #expect(try Spool(path: path).load().envelopes.isEmpty)
            try Spool(path: path).save([Sample.envelope(1)])
            try Spool(path: path).save([])
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `can be read by its owner alone`() throws {
        try inDirectory { path in
            try Spool(path: path).save([Sample.envelope(1)])
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `reads around damage and counts it, at every length of a torn file`() throws {
        try inDirectory { path in
            try Spool(path: path).save([Sample.envelope(1), Sample.envelope(2)])
            let whole = try Data(contentsOf: URL(filePath: path))
            let firstLine = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
            for length in 0..<whole.count {
                try whole.prefix(length).write(to: URL(filePath: path))
                let (loaded, unreadable) = try Spool(path: path).load()
                let isSecondWhole = length == whole.count - 1
                #expect(loaded.count == (length >= firstLine ? 1 : 0) + (isSecondWhole ? 1 : 0), "\(length)")
                #expect(loaded.count + unreadable <= 2)
            }
        }
    }

    @Test func `says which file and why when the disk refuses`() throws {
        #expect {
            try Spool(path: "/proc/nowhere/unsent.jsonl").save([Sample.envelope(1)])
        } throws: { error in
            "\(error)".contains("/proc/nowhere/unsent.jsonl.new") && "\(error)".contains("No such file")
        }
    }
}
