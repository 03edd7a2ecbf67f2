package import GatewayModel
package import HistoryService
package import Hub
package import OutboxService
package import Readings
import RealTime
package import ServiceLifecycle
import Settings

/// Readings that other programs of the house hand over: files in an inbox, and lines at a socket, of each `[[source]]`.
///
/// Its thread is no part of the way of an alarm. A program's values reach the SOS rules only where the settings say so.
package final class SourceService: Capability {
    package static let names = CapabilityNames(
        settings: ["source"], conditions: [.sourceUnavailable, .sourceRefused])

    private let core: GatewayCore
    private let pipeline: ReadingPipeline
    private let history: HistoryKeeper
    private let seen: SeenRecords
    private let board: SourceBoard
    private let requests: Mailbox<SourceLoop.Request>

    /// - Parameters:
    ///   - seen: keeps the marks of the entries that have come.
    ///
    /// Errors: the kernel has no descriptor left.
    package init(
        _ core: GatewayCore, pipeline: ReadingPipeline, history: HistoryKeeper, seen: SeenRecords
    ) throws {
        (self.core, self.pipeline, self.history, self.seen) = (core, pipeline, history, seen)
        board = SourceBoard(core.health)
        requests = try Mailbox()
    }

    package var services: [any Service] {
        [ThreadService(run: run, stop: { [requests] in requests.put(.stop) })]
    }

    private func run() async throws {
        let thread = try NamedThread("sources") { [self] in
            SourceLoop(
                core, pipeline: pipeline, history: history, seen: seen, board: board, requests: requests
            ).run()
        }
        await thread.finished()
    }

    package var statusLines: [String] { board.lines(of: core.settings().sources) }

    package func follow(_ reload: SettingsReload) { requests.put(.follow(reload.current)) }

    // MARK: A person's data

    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        guard hasSource(person) else { return done(.success(data)) }
        requests.put(
            .export(person) { result in
                switch result {
                case .success(let lines):
                    var data = data
                    data.add("inbox", lines)
                    done(.success(data))
                case .failure(let failure):
                    done(.failure(PersonDataFailure("an inbox cannot be read now: \(failure)")))
                }
            })
    }

    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        guard hasSource(person) else { return done([]) }
        requests.put(.erase(person, done))
    }

    private func hasSource(_ person: PersonID) -> Bool {
        core.settings().sources.contains { $0.person == person }
    }
}
