import Consent
import Foundation
import GatewayModel
import Testing
import Vault

@Suite struct `The consent journal` {
    private func inDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory.path + "/consent.jsonl")
    }

    private func decision(_ verdict: ConsentDecision.Verdict) -> ConsentDecision {
        ConsentDecision(
            person: Sample.maria, subject: .dataPolicy, verdict: verdict, by: "Maria\n\"", means: .commandLine,
            at: Sample.moment(1).wall)
    }

    @Test func `brings back every decision in its order`() throws {
        try inDirectory { path in
            let journal = ConsentJournal(path: path)
            #expect(try journal.load().decisions.isEmpty)
            try journal.append([decision(.accepted)])
            try journal.append([decision(.withdrawn)])
            let (decisions, unreadable) = try ConsentJournal(path: path).load()
            #expect(decisions == [decision(.accepted), decision(.withdrawn)])
            #expect(unreadable == 0)
        }
    }

    @Test func `loses nothing after a line that was torn`() throws {
        try inDirectory { path in
            let journal = ConsentJournal(path: path)
            try journal.append([decision(.accepted)])
            let whole = try Data(contentsOf: URL(filePath: path))
            try whole.dropLast(10).write(to: URL(filePath: path))
            try journal.append([decision(.withdrawn)])
            let (decisions, unreadable) = try journal.load()
            #expect(decisions == [decision(.withdrawn)])
            #expect(unreadable == 1)
        }
    }

    @Test func `says which file the disk does not take`() {
        #expect {
            try ConsentJournal(path: "/proc/nowhere/consent.jsonl").append([decision(.withdrawn)])
        } throws: { "\($0)".contains("/proc/nowhere/consent.jsonl") }
    }
}
