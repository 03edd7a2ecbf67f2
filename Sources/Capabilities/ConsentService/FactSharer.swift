import Alarms
import Consent
import Contract
import GatewayModel
import Hub
import Logging
import OutboxService
import SOSLocal
import Settings
import Synchronization
import Vault

/// Sends items of profiles and limits of alarms to the third parties that persons let see them.
final class FactSharer: Sendable {
    private struct State {
        var plan: FactSharePlan
        var marks = MessageMarks()
    }

    private let state: Mutex<State>
    private let core: GatewayCore
    private let limits: LimitsInForce

    /// Restores the state of the last run. Where it cannot be read, the values are sent again under their ids. Blocking
    /// I/O.
    init(_ core: GatewayCore, limits: LimitsInForce) {
        var rows: [StateRow] = []
        do throws(DiskFailure) {
            rows = try core.database.rows(of: .profileShare)
        } catch {
            core.log.error("the shared facts cannot be restored", metadata: ["reason": "\(error)"])
        }
        state = Mutex(State(plan: FactSharePlan(rows)))
        (self.core, self.limits) = (core, limits)
    }

    /// Sends the values that are new to a third party. Call about once a second.
    func look(at wall: WallTime) {
        let grants = core.gate.snapshot.openGrants
        let rules = limits.rules
        let shares = core.settings().persons.flatMap { person in
            kinds(of: person.id, in: grants).flatMap { kind in
                let fact: PersonFact? =
                    switch kind {
                    case .profile(let item): PersonFact(item, of: person.profile, at: wall)
                    // Nil until the rules are known: the gateway judges by none yet.
                    case .limits:
                        rules[person.id].map {
                            PersonFact(AlarmLimits.all(of: $0), of: person.id, at: wall)
                        }
                    case .quantity, .location: nil
                    }
                return fact.map { core.gate.clearShares(of: $0, at: wall) } ?? []
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

    /// In a fixed order.
    private func kinds(of person: PersonID, in grants: [Grant]) -> [DataKind] {
        let kinds = grants.filter { $0.request.person == person }.reduce(into: Set<DataKind>()) {
            $0.formUnion($1.request.kinds)
        }
        return DataKind.facts.filter(kinds.contains)
    }
}
