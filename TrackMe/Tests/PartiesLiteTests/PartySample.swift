import Foundation
import GRDB
import GatewayModel
import Parties
import PartiesLite
import Store
import StoreLite
import StoreSamples
import TestSupport

/// An empty database with the tables of the parties.
struct PartyTrial {
    static let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    private let scratch: ScratchDirectory
    let file: LiteFile
    let parties: PartiesLite

    init() throws {
        scratch = try ScratchDirectory()
        file = try LiteFile(
            path: scratch.file("trackme.sqlite").path,
            migrations: StoreLite.migrations + AuditLog.migrations + PartiesLite.migrations)
        parties = PartiesLite(file: file)
    }

    /// Lines of the audit log about a party.
    func audit(_ party: PartyID) throws -> [String] {
        try file.readBlocking { db in
            try String.fetchAll(
                db, sql: "SELECT entry FROM audit WHERE area = 'parties' AND subject = ? ORDER BY number",
                arguments: [party.text])
        }
    }
}

extension PartyID {
    static let clinic = PartyID("clinic")!
    static let study = PartyID("study")!
}

extension NewParty {
    static func sample(_ id: PartyID, at time: WallTime = PartyTrial.noon) -> NewParty {
        NewParty(
            id: id, vat: try! VATNumber("IT00743110157"), name: "Casa di cura \(id)",
            contact: PartyContact("it@\(id).example")!,
            key: PartyKey(id: "1", thumbprint: "print of \(id)", jwk: "{}", added: time), applied: time)!
    }
}
