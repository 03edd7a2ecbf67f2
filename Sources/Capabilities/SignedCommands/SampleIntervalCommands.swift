import CloudCommands
import GatewayModel
import Settings

/// Commands that set how often readings of a kind are sent to the broker. A command can only lengthen the interval of the
/// settings: no issuer makes more leave the house than they let.
struct SampleIntervalCommands: Sendable {
    private let commanded: CommandedSettings
    private let persons: @Sendable () -> [GatewaySettings.Person]

    /// - Parameter persons: those of the settings that run now.
    init(commanded: CommandedSettings, persons: @escaping @Sendable () -> [GatewaySettings.Person]) {
        (self.commanded, self.persons) = (commanded, persons)
    }

    var handlers: [CommandKind: SettingHandler] {
        [
            .sampleInterval: { command in
                guard case .sampleInterval(let interval) = command.command else {
                    return .refused(.unsupported(command.kind))
                }
                return set(interval)
            }
        ]
    }

    private func set(_ interval: CloudCommand.SampleInterval) -> SettingEffect {
        let (kind, seconds) = (interval.kind, interval.seconds)
        guard let person = persons().first(where: { $0.id == interval.person }) else {
            return .refused(CommandRefusal(.unknownPerson, "no person of this id lives here"))
        }
        let written = person.sampleIntervals[kind]?.components.seconds ?? 0
        guard seconds == 0 || seconds >= written else {
            return .refused(
                CommandRefusal(
                    .outOfBounds,
                    "the settings send \(kind.rawValue) every \(written) s, and a command can only lengthen that: saw "
                        + "\(seconds), expected \(written)...\(SamplePacer.seconds.upperBound), or 0 for the settings' own"
                ))
        }
        var next = commanded.content
        next.keep(sampleSeconds: seconds, insteadOf: written, of: kind, person.id)
        let sent = seconds == 0 ? written : seconds
        return .change(
            next.intervalChanges(of: person.id),
            .done("\(kind.rawValue) is sent " + (sent == 0 ? "with every reading" : "every \(sent) s")),
            hold: { [commanded, next, id = person.id] in
                commanded.hold { $0.takeIntervals(of: id, from: next) }
            })
    }
}
