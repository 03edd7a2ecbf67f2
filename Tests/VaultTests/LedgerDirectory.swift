import Consent
import Foundation
import GatewayModel
import ModelSamples
import Samples
import Vault

/// A ledger in a directory of its own, as one run after another finds it.
final class LedgerDirectory {
    static let house = GatewayID(sample: "house-12")

    let path: String
    private(set) var consent = ConsentLedger(persons: [ConsentSample.maria, ConsentSample.paolo])
    private(set) var file: LedgerFile
    private(set) var found: LedgerFile.Found

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        (file, found) = try LedgerFile.open(in: path, of: Self.house, at: ConsentSample.wall(0))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var ledger: URL { URL(filePath: path + "/ledger.jsonl") }
    var head: URL { URL(filePath: path + "/ledger.head") }

    /// Decides and writes it down.
    func take(_ acts: ConsentAct..., at seconds: Int = 0) throws {
        for act in acts {
            let entries = try consent.record(
                ConsentDecision(
                    act, for: ConsentSample.maria, by: "Maria\n\"è\"", means: .commandLine,
                    at: ConsentSample.wall(seconds)))
            try file.append(entries, at: ConsentSample.wall(seconds))
        }
    }

    /// What every test below tampers with: all forms of entries.
    func fill() throws {
        let sealed = ConsentSample.party(sealing: ConsentSample.key(1), isSigning: true)
        try take(
            .policy(.dataPolicy, .accepted), .policy(.automatedSOS, .accepted),
            .requested(
                ConsentSample.request(
                    "r1", by: sealed, for: [.heartRate, .glucose], as: .fhir, from: 0, until: 90)),
            .granted(ConsentSample.id("r1")),
            .partyKeyChanged(ConsentSample.clinic, ConsentSample.key(2)),
            .requested(ConsentSample.request("r2", by: ConsentSample.party(ConsentSample.study))),
            .refused(ConsentSample.id("r2")), .withdrawn(ConsentSample.id("r1")),
            .policy(.dataPolicy, .withdrawn))
    }

    func open(of gateway: GatewayID = house) throws {
        (file, found) = try LedgerFile.open(in: path, of: gateway, at: ConsentSample.wall(7))
    }

    var lines: [String] {
        get throws {
            try String(contentsOf: ledger, encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }

    func write(_ lines: [String]) throws {
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: ledger)
    }

    func changeLines(_ body: (inout [String]) throws -> Void) throws {
        var lines = try lines
        try body(&lines)
        try write(lines)
    }

    var flaws: [LedgerFlaw] { get throws { try LedgerReport(of: path).flaws } }
}

extension LedgerFile.Found {
    /// Nil where it is damaged.
    var entries: [ConsentEntry]? {
        switch self {
        case .nothing: []
        case .entries(let entries, _): entries
        case .damage: nil
        }
    }
}
