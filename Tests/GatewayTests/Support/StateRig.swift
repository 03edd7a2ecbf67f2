import Consent
import Foundation
import GatewayModel
import Samples
import TestSupport

@testable import Contract
@testable import Hub
@testable import Vault

/// State directory with its writer. The writer's thread begins with `running`: until then the disk hangs.
final class StateRig: Sendable {
    let scratch: ScratchDirectory
    let database: StateDatabase
    let writer: StateWriter
    /// Failures of `state.sqlite`; "well" for a write that succeeded.
    let results = Recorder<String>()
    /// Every write, by its file: "others" for the open alarms and the ledger.
    let writes = Recorder<String>()

    /// - Parameter directory: nil for the scratch directory itself.
    init(in scratch: ScratchDirectory? = nil, directory: String? = nil) throws {
        let scratch = try scratch ?? ScratchDirectory()
        self.scratch = scratch
        database = StateDatabase(in: directory ?? scratch.url.path)
        let (ledger, _) = try LedgerFile.open(
            in: scratch.url.path, of: Sample.topics.gateway, at: Sample.moment(0).wall)
        writer = try StateWriter(
            ledger: ledger, alarms: AlarmStateFile(path: scratch.file("alarms.json").path, boot: "b-1"),
            database: database, boot: "b-1",
            onResult: { [results, writes] file, failure in
                writes.add(file?.rawValue ?? "others")
                if file == .state { results.add(failure?.description ?? "well") }
            })
    }

    /// Lets the writer run during `body`; when this returns, all is written.
    func running(_ body: (StateWriter) async throws -> Void) async throws {
        async let writing: Void = writer.run()
        try await body(writer)
        writer.stop()
        try await writing
    }
}
