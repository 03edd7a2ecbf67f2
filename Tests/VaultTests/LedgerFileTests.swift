import Consent
import Foundation
import GatewayModel
import Samples
import Testing

@testable import Vault

@Suite struct `The ledger on disk` {
    @Test func `brings back every form of entry as it was`() throws {
        let rig = try LedgerDirectory()
        try rig.fill()
        try rig.open()
        #expect(rig.found.entries == rig.consent.entries)
        #expect(rig.consent.entries.count == 10)
    }

    @Test func `brings back a request for the place and the profile, and readings are written as ever`() throws
    {
        let rig = try LedgerDirectory()
        try rig.take(
            .policy(.dataPolicy, .accepted),
            .requested(ConsentSample.request("r1", for: [.glucose, .heartRate])),
            .requested(
                ConsentSample.request(
                    "r2", data: [.location, .quantity(.glucose), .profile(.fiscalCode)], precision: .exact)),
            .granted(ConsentSample.id("r2")),
            .requested(
                ConsentSample.request("r3", by: ConsentSample.party(.accounts), for: [], role: .acts)))
        try rig.open()
        #expect(rig.found.entries == rig.consent.entries)
        let lines = try rig.lines.filter { $0.contains("\"kinds\"") }
        #expect(lines.count == 3)
        #expect(!lines[0].contains("role") && lines[2].contains(#""role":"acts""#))
        // As an earlier version wrote it, without a member that it does not know.
        #expect(lines[0].contains(#""kinds":["glucose","heart-rate"]"#) && !lines[0].contains("precision"))
        #expect(
            lines[1].contains(#""kinds":["glucose","location","profile-fiscal-code"]"#)
                && lines[1].contains(#""precision":"exact""#))
    }

    @Test func `goes on after a restart where it ended`() throws {
        let rig = try LedgerDirectory()
        try rig.take(.policy(.dataPolicy, .accepted))
        try rig.open()
        try rig.take(.policy(.automatedSOS, .accepted))
        try rig.open()
        #expect(rig.found.entries == rig.consent.entries)
        #expect(try rig.flaws.isEmpty)
    }

    @Test func `does not exist before the first decision, and begins with whose it is`() throws {
        let rig = try LedgerDirectory()
        #expect(try LedgerReport(of: rig.path).mark == nil)
        #expect(!FileManager.default.fileExists(atPath: rig.ledger.path))
        try rig.take(.policy(.dataPolicy, .accepted), at: 5)
        let report = try LedgerReport(of: rig.path)
        #expect(report.gateway == LedgerDirectory.house && report.began == ConsentSample.wall(5))
        #expect(report.mark?.sequence == LedgerSequence(1))
        #expect(try rig.lines.count == 2)
    }

    @Test func `is canonical text, each line with the hash of the one before`() throws {
        let rig = try LedgerDirectory()
        try rig.take(.policy(.dataPolicy, .accepted))
        let lines = try rig.lines
        let zeros = String(repeating: "0", count: 64)
        #expect(
            lines[0]
                == #"{"act":"genesis","at":1772353800000,"gateway":"house-12","prev":"\#(zeros)","seq":0}"#)
        // SHA-256 of the first line, from sha256sum.
        #expect(
            lines[1]
                == #"{"act":"accepted","at":1772353800000,"by":"Maria\n\"è\"","means":"command-line","person":"maria","#
                + #""prev":"\#(LedgerHash.of(lines[0].utf8))","seq":1,"subject":"data-policy"}"#)
        // FIPS 180-2, appendix B.1.
        #expect(
            LedgerHash.of("abc".utf8) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func `can be read by its owner alone`() throws {
        let rig = try LedgerDirectory()
        try rig.take(.policy(.dataPolicy, .accepted))
        for file in [rig.ledger, rig.head] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    /// The possible content of the disk when the power is cut at any byte of an append.
    @Test func `is whole again after a power cut at any moment of an append`() throws {
        let rig = try LedgerDirectory()
        try rig.take(.policy(.dataPolicy, .accepted), .policy(.automatedSOS, .accepted))
        let before = (try Data(contentsOf: rig.ledger), try Data(contentsOf: rig.head))
        let entriesBefore = rig.consent.entries
        // Two entries in one.
        try rig.take(.policy(.dataPolicy, .withdrawn))
        let after = (try Data(contentsOf: rig.ledger), try Data(contentsOf: rig.head))
        // The head was not written yet: the decision has not happened.
        try before.0.write(to: rig.ledger)
        try before.1.write(to: rig.head)
        try rig.open()
        #expect(rig.found.entries == entriesBefore)
        // The head was written: from any prefix of the append in the ledger, the rest is completed.
        try after.1.write(to: rig.head)
        for length in before.0.count...after.0.count {
            let zeros = Data(repeating: 0, count: after.0.count - length)
            for tail in [Data(), zeros] {
                try (after.0.prefix(length) + tail).write(to: rig.ledger)
                #expect(try rig.flaws.isEmpty)
                try rig.open()
                #expect(rig.found.entries == rig.consent.entries, "\(length)")
                #expect(try Data(contentsOf: rig.ledger) == after.0)
            }
        }
    }

    @Test func `is whole again after a power cut at its very first line`() throws {
        let rig = try LedgerDirectory()
        try rig.take(.policy(.dataPolicy, .accepted))
        try FileManager.default.removeItem(at: rig.ledger)
        try rig.open()
        #expect(rig.found.entries == rig.consent.entries)
    }

    @Test func `writes what the disk did not take with what comes next, in order`() throws {
        let rig = try LedgerDirectory()
        try rig.take(.policy(.dataPolicy, .accepted))
        // A directory in the place of the file that replaces the head.
        let obstacle = rig.path + "/ledger.head.new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        #expect(throws: DiskFailure.self) { try rig.take(.policy(.automatedSOS, .accepted)) }
        #expect(rig.file.hasUnwritten)
        try FileManager.default.removeItem(atPath: obstacle)
        try rig.take(.policy(.automatedSOS, .withdrawn))
        #expect(!rig.file.hasUnwritten)
        try rig.open()
        #expect(rig.found.entries == rig.consent.entries)
        #expect(rig.consent.entries.count == 3)
    }

    @Test func `completes what it began before it adds anything`() throws {
        let rig = try LedgerDirectory()
        try rig.take(.policy(.dataPolicy, .accepted))
        // The head can be written and the ledger cannot: a directory stands in its place.
        let kept = try Data(contentsOf: rig.ledger)
        try FileManager.default.removeItem(at: rig.ledger)
        try FileManager.default.createDirectory(at: rig.ledger, withIntermediateDirectories: true)
        #expect(throws: DiskFailure.self) { try rig.take(.policy(.automatedSOS, .accepted)) }
        #expect(rig.file.hasUnwritten)
        try FileManager.default.removeItem(at: rig.ledger)
        try kept.write(to: rig.ledger)
        try rig.file.append([], at: ConsentSample.wall(0))
        #expect(!rig.file.hasUnwritten)
        try rig.open()
        #expect(rig.found.entries == rig.consent.entries)
    }

    @Test func `leaves a directory that cannot be read as it is`() throws {
        let failure = #expect(throws: DiskFailure.self) {
            try LedgerFile.open(in: "/proc/self/mem/x", of: LedgerDirectory.house, at: ConsentSample.wall(0))
        }
        let file = LedgerFile(
            unusable: "/nowhere", of: LedgerDirectory.house, because: try #require(failure))
        #expect(throws: DiskFailure.self) { try file.append([], at: ConsentSample.wall(0)) }
        #expect(!file.hasUnwritten)
    }
}
