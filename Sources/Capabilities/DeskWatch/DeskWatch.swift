package import CloudCommands
import Contract
import GatewayModel
package import Hub
import Logging
import MQTTBridge
package import OutboxService
import RealTime
import Settings
import Synchronization

/// Watch of the emergency desks that the settings name: raises a condition while nobody is at one of them.
///
/// It only tells. Nothing that decides about alarms or calls for help reads it, and it delays no call.
package final class DeskWatch: Capability {
    package static let names = CapabilityNames(conditions: [.deskUnattended], topics: ["desk"])

    private struct State {
        var desks: [IssuerID: DeskMachine]
        var refused = 0
        /// Reasons that were logged; as many as there are words.
        var logged: Set<CommandRefusal.Reason> = []
    }

    private let core: GatewayCore
    private let issuers: @Sendable () -> [PinnedIssuer]
    private let state: Mutex<State>

    /// - Parameter issuers: returns the issuers with the keys in force now.
    package init(_ core: GatewayCore, issuers: @escaping @Sendable () -> [PinnedIssuer]) {
        (self.core, self.issuers) = (core, issuers)
        let desks = core.settings().commands.issuers.filter(\.hasDesk).map { ($0.id, DeskMachine()) }
        state = Mutex(State(desks: Dictionary(desks) { first, _ in first }))
    }

    private var isOn: Bool { state.withLock { !$0.desks.isEmpty } }

    /// Route of the statuses. The broker keeps none for an absent gateway: they would be old.
    package var route: CloudSession.Route {
        CloudSession.Route(filter: core.topics.desk, subject: "desk", service: isOn ? .fleeting : .ended) {
            [self] message in
            guard message.topic == core.topics.desk else { return false }
            if isOn { receive(message.payload) }
            return true
        }
    }

    /// Reports whether the session with the broker stands.
    package func brokerSession(isUp: Bool) {
        let now = Clock.boot()
        state.withLock { state in
            for issuer in state.desks.keys { state.desks[issuer]?.session(isUp: isUp, at: now) }
        }
    }

    package var careTasks: [CareTask] { [CareTask { [self] now in look(at: now) }] }

    package var statusLines: [String] {
        state.withLock { state in
            let desks = state.desks.sorted { $0.key.text < $1.key.text }.map { issuer, desk in
                "desk of \(issuer): \(desk.finding?.words ?? "nothing heard yet")"
            }
            return desks + (state.refused > 0 ? ["statuses of desks that were refused: \(state.refused)"] : [])
        }
    }

    /// On the mqtt thread; verifies one signature, and waits for nothing.
    private func receive(_ payload: [UInt8]) {
        let now = Clock.moment()
        let isClockRight = core.settings().commands.clock == .assumedRight || Clock.isSynchronised
        do throws(CommandRefusal) {
            let status = try SignedDeskStatus(payload, to: core.gateway, from: issuers())
            try state.withLock { state throws(CommandRefusal) in
                guard var desk = state.desks[status.issuer] else {
                    throw CommandRefusal(.notAllowed, "the settings name no desk of this issuer")
                }
                try desk.receive(status, at: now, isClockRight: isClockRight)
                state.desks[status.issuer] = desk
            }
            look(at: now)
        } catch {
            record(error)
        }
    }

    private func record(_ refusal: CommandRefusal) {
        let isNews = state.withLock { state in
            state.refused += 1
            return state.logged.insert(refusal.reason).inserted
        }
        guard isNews else { return }
        core.log.warning(
            "a status of the desk is refused and changes nothing; the next ones for this reason are only counted",
            metadata: ["reason": "\(refusal.reason.rawValue)", "detail": "\(refusal.detail)"])
    }

    private func look(at now: Moment) {
        let findings = state.withLock { state in
            state.desks.keys.map { ($0, state.desks[$0]?.look(at: now.boot)) }
        }
        for case (let issuer, let finding?) in findings {
            let condition = HealthCondition(.deskUnattended, subject: issuer.text)
            if finding != .attended { core.health.explain(condition, finding.words) }
            core.health.set(condition, finding != .attended)
        }
    }
}

extension DeskMachine.Finding {
    fileprivate var words: String {
        switch self {
        case .attended: "somebody is there"
        case .unattended: "the desk says that nobody is there"
        case .silent: "nothing valid was heard from the desk for \(DeskMachine.silence.components.seconds) s"
        }
    }
}
