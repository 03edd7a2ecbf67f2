import Consent
import Contract
import GatewayModel
import Hub
import Logging
import OutboxService
import Settings
import Synchronization
import Vault

/// Sends the items of the profiles to the third parties that persons let see them.
final class ProfileSharer: Sendable {
    private struct State {
        var plan: ProfileSharePlan
        var marks = MessageMarks()
    }

    private let state: Mutex<State>
    private let core: GatewayCore

    /// Restores the state of the last run. Where it cannot be read, the values are sent again under their ids. Blocking
    /// I/O.
    init(_ core: GatewayCore) {
        var rows: [StateRow] = []
        do throws(DiskFailure) {
            rows = try core.database.rows(of: .profileShare)
        } catch {
            core.log.error("the shared profiles cannot be restored", metadata: ["reason": "\(error)"])
        }
        state = Mutex(State(plan: ProfileSharePlan(rows)))
        self.core = core
    }

    /// Sends the values that are new to a third party. Call about once a second.
    func look(at wall: WallTime) {
        let grants = core.gate.snapshot.openGrants
        let shares = core.settings().persons.flatMap { person in
            items(of: person.id, in: grants).flatMap { item in
                core.gate.clearShares(of: ProfileDatum(item, of: person.profile, at: wall), at: wall)
            }
        }
        state.withLock { state in
            for message in state.plan.due(shares, by: core.gateway) {
                let envelope = message.value.reshaped {
                    Envelope.share($0, id: message.id, topics: core.topics)
                }
                guard let envelope else { continue }
                core.queue.enqueue(envelope)
                state.marks.add(state.plan.record(message), after: core.queue)
            }
            for change in state.plan.forget(besides: Set(grants.map(\.epoch))) {
                state.marks.add(change, after: core.queue)
            }
        }
        keepRows()
    }

    /// Writes the rows of the messages that are durable. Call it also at the end of the gateway.
    func keepRows() {
        let rows = state.withLock { $0.marks.take(by: core.queue) }
        if !rows.isEmpty { core.writer.put(rows) }
    }

    private func items(of person: PersonID, in grants: [Grant]) -> [ProfileItem] {
        let kinds = grants.filter { $0.request.person == person }.reduce(into: Set<DataKind>()) {
            $0.formUnion($1.request.kinds)
        }
        return ProfileItem.allCases.filter { kinds.contains(.profile($0)) }
    }
}
