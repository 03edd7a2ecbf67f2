import CloudCommands
import GatewayModel
import OutboxService

/// Commands that set the interval of the heartbeats.
struct HeartbeatCommands: Sendable {
    private let commanded: CommandedSettings
    private let heartbeats: Heartbeats
    private let written: @Sendable () -> Duration

    /// - Parameter written: interval in the settings that run now.
    init(
        commanded: CommandedSettings, heartbeats: Heartbeats, written: @escaping @Sendable () -> Duration
    ) {
        (self.commanded, self.heartbeats, self.written) = (commanded, heartbeats, written)
    }

    var handlers: [CommandKind: SettingHandler] {
        [
            .heartbeatInterval: { command in
                guard case .heartbeat(let interval) = command.command else {
                    return .refused(.unsupported(command.kind))
                }
                return set(interval)
            }
        ]
    }

    private func set(_ interval: Duration) -> SettingEffect {
        var next = commanded.content
        next.heartbeat = .init(value: interval.components.seconds, of: written().components.seconds)
        return .change(
            next.heartbeatChanges, .done(),
            hold: { [commanded, heartbeats, heartbeat = next.heartbeat] in
                commanded.hold { $0.heartbeat = heartbeat }
                heartbeats.change(to: interval)
            })
    }
}
