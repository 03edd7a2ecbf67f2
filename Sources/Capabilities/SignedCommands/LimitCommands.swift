import Alarms
import CloudCommands
import GatewayModel
import Hub
import RealTime
import SOSLocal
import Settings

/// Commands that move limits of the alarms.
struct LimitCommands: Sendable {
    private let commanded: CommandedSettings
    private let inbox: SOSInbox
    private let persons: @Sendable () -> [GatewaySettings.Person]

    /// - Parameter persons: those of the settings that run now.
    init(
        commanded: CommandedSettings, inbox: SOSInbox,
        persons: @escaping @Sendable () -> [GatewaySettings.Person]
    ) {
        (self.commanded, self.inbox, self.persons) = (commanded, inbox, persons)
    }

    var handlers: [CommandKind: SettingHandler] {
        [
            .thresholds: { command in
                guard case .thresholds(let thresholds) = command.command else {
                    return .refused(.unsupported(command.kind))
                }
                return move(thresholds)
            }
        ]
    }

    /// Moves limits within the bounds of the settings. A move is on the disk before it holds; an open alarm goes on.
    private func move(_ thresholds: CloudCommand.Thresholds) -> SettingEffect {
        guard let plan = persons().first(where: { $0.id == thresholds.person })?.plan else {
            return .refused(CommandRefusal(.unknownPerson, "no person of this id lives here"))
        }
        guard let turn = commanded.turn.take(at: Clock.boot()) else {
            return .refused(CommandRefusal(.busy, "other limits are being written: send it again later"))
        }
        let proposal: LimitProposal
        do throws(LimitMove.Refusal) {
            proposal = try commanded.propose(thresholds.limits, of: thresholds.kind, for: plan)
        } catch {
            commanded.turn.give(turn)
            return .refused(CommandRefusal(.outOfBounds, error.text))
        }
        return .change(
            proposal.rows, .done(proposal.lines.joined(separator: "; ")),
            hold: { [commanded, inbox] in
                commanded.hold(proposal)
                commanded.turn.give(turn)
                inbox.submit(.limits(plan.person, commanded.rules(of: plan)), at: Clock.boot())
            })
    }
}
