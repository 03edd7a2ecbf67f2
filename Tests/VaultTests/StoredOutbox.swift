import Contract
import Foundation
import GatewayModel
import Vault

@testable import Consent

/// An outbox with a database of its own, as the gateway pairs them.
final class StoredOutbox {
    let path: String
    let directory: URL
    var database: OutboxDatabase
    var outbox = Outbox()
    let now = BootInstant(nanoseconds: 0)

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "outbox-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.path + "/outbox.sqlite"
        database = try OutboxDatabase(at: path)
        try load()
    }

    deinit {
        try? database.close()
        try? FileManager.default.removeItem(at: directory)
    }

    func load() throws {
        outbox.loaded(
            alarms: try database.alarms(), stored: database.count, receipts: try database.receipts(),
            at: now)
    }

    func write() throws {
        try database.carryOut(outbox.takeChanges())
        outbox.written(stored: database.count)
    }

    func enqueue(_ envelopes: Envelope...) throws { try enqueue(envelopes) }

    func enqueue(_ envelopes: [Envelope]) throws {
        for envelope in envelopes { outbox.enqueue(Cleared(envelope), at: now) }
        try write()
    }

    /// As after a crash: a new run on the same file.
    func restart() throws {
        try database.close()
        database = try OutboxDatabase(at: path)
        outbox = Outbox()
        try load()
    }

    func offered() throws -> [Envelope] {
        _ = outbox.connected()
        var offered: [Envelope] = []
        while true {
            while let request = outbox.takePageRequest() {
                let (rows, last, isEnd) = try database.page(request)
                outbox.read(rows, upTo: last, isEnd: isEnd, for: request, at: now)
            }
            guard let next = outbox.next(at: now, clear: { Cleared($0) }).cleared else { return offered }
            offered.append(next.value)
        }
    }
}
