import Contract
import Foundation
import GRDB
import GatewayModel
import TestSupport
import Vault

@testable import Consent

extension House {
    /// Number of unsent heart rates on the disk, beside the running gateway; nil if the file cannot be read now.
    var keptReadings: Int? {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try? DatabaseQueue(
            path: scratch.file("state/outbox.sqlite").path, configuration: configuration)
        return try? queue?.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM message WHERE kind = 'heart-rate'")
        }
    }

    /// The unsent messages that the stopped gateway has left on the disk, as its next run would find them.
    func keptIDs() throws -> [String] {
        let database = try OutboxDatabase(at: scratch.file("state/outbox.sqlite").path)
        defer { try? database.close() }
        var outbox = Outbox()
        let now = BootInstant(nanoseconds: 0)
        outbox.loaded(alarms: try database.alarms(), stored: database.count, at: now)
        _ = outbox.connected()
        while let request = outbox.takePageRequest() {
            let (rows, last, isEnd) = try database.page(request)
            outbox.read(rows, upTo: last, isEnd: isEnd, for: request, at: now)
        }
        var ids: [String] = []
        while let next = outbox.next(at: now, clear: { Cleared($0) }).cleared {
            ids.append(next.value.id.description)
        }
        return ids
    }
}
