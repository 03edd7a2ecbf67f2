import Consent
import ControlContract
import Foundation
import GatewayModel
import HostileInput
import SOSLocal
import Samples
import TestSupport
import Testing

@testable import Vault

/// Inputs of broken or hostile senders: an answer, an error, and never the end of the process.
@Suite(.serialized) struct `Hostile input` {
    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func `in the files of earlier versions ends nothing`() throws {
        let names = [
            "alarms.jsonl", "commands.inbox", "beacons.jsonl", "records.json", "commanded.json",
            "commands.json",
        ]
        for name in names {
            let folder = try MemoryFolder()
            Campaign("earlier-\(name)").run(seeds: [try EarlierState.bytes(of: name)]) {
                folder.write($0, name)
                let found = EarlierStateFiles(in: folder.path(""), marks: nil).load()
                for file in found.files { try? file.remove() }
            }
        }
    }

    @Test func `in a row of the state ends nothing`() throws {
        let record = try #require(try EarlierState.changes(of: "alarms.jsonl").first)
        guard case .put(_, let row) = record else { return }
        let memory =
            #"{"device":"button","address":"C0:FF:EE:00:00:05","counter":7,"sendsRegularly":true}"#
        Campaign("state-row").run(seeds: [row.content, Array(memory.utf8)]) {
            let row = StateRow(key: "a", content: $0)
            _ = AlarmRecord.sorted([row])
            _ = BeaconMemory(row)
        }
    }

    @Test func `in the files of lines ends nothing`() throws {
        let folder = try MemoryFolder()
        let directory = folder.path("")
        let aside = #"{"at":1772353800000,"deaths":1,"sha256":"abc"}"# + "\n"
        Campaign("set-aside-file").run(seeds: Self.bytes([aside])) {
            folder.write($0, "set-aside.jsonl")
            _ = try? SetAsideFile(stateDirectory: directory).load()
        }
        let decision =
            #"{"at":1772353800000,"by":"Maria","means":"command-line","person":"maria","subject":"data-policy","verdict":"accepted"}"#
            + "\n"
        Campaign("consent-journal").run(seeds: Self.bytes([decision])) {
            folder.write($0, "consent.jsonl")
            _ = try? ConsentJournal(in: directory).load()
        }
    }

    @Test func `in the ledger of consent ends nothing`() throws {
        let directory = try LedgerDirectory()
        try directory.fill()
        let (ledger, head) = (
            [UInt8](try Data(contentsOf: directory.ledger)), [UInt8](try Data(contentsOf: directory.head))
        )
        Campaign("ledger").run(seeds: [ledger]) { bytes in
            var consent = ConsentLedger(persons: [ConsentSample.maria])
            for entry in LedgerWalk(ledger: bytes, head: head).entries { consent.replay(entry) }
        }
        Campaign("ledger-head").run(seeds: [head]) { _ = LedgerWalk(ledger: ledger, head: $0) }
    }

    @Test func `in the log of passings ends nothing`() throws {
        let folder = try MemoryFolder()
        var (log, _) = try PassingLog.open(in: folder.path(""), of: RaceSample.box, boot: "b-1")
        try log.append([
            PassingLog.Entry(.start, made: Sample.moment(0)),
            PassingLog.Entry(.passing(RaceSample.record(1)), made: Sample.moment(1)),
            PassingLog.Entry(.passing(RaceSample.record(2)), made: Sample.moment(2)),
        ])
        let seed = folder.read("passings.jsonl")
        Campaign("passings-log").run(seeds: [seed]) {
            folder.write($0, "passings.jsonl")
            _ = try? PassingLog.open(in: folder.path(""), of: RaceSample.box, boot: "b-2")
        }
    }
}
