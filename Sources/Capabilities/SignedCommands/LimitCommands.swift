import Alarms
import CloudCommands
import GatewayModel
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
        var next = commanded.content
        // The limits of the settings, with those that were moved before and now; nil takes a move back.
        var limits = next.moves(of: plan).first { $0.kind == thresholds.kind }?.limits ?? [:]
        for (slot, limit) in thresholds.limits { limits[slot] = limit }
        let move = LimitMove(thresholds.kind, limits)
        do throws(LimitMove.Refusal) {
            _ = try move.applied(to: plan.rules)
        } catch {
            return .refused(CommandRefusal(.outOfBounds, error.text))
        }
        let written = plan.rules.filter { $0.kind == thresholds.kind }
        next.keep(move, insteadOf: written, of: thresholds.person)
        return .change(
            next.limitChanges(of: thresholds.person), .done(next.lines(of: plan).joined(separator: "; ")),
            hold: { [commanded, inbox, next] in
                commanded.hold(next)
                inbox.submit(.limits(plan.person, commanded.rules(of: plan)), at: Clock.boot())
            })
    }
}
