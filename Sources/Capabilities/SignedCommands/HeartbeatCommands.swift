import CloudCommands
import GatewayModel
import Hub
import OutboxService

/// Carries out commands that set the interval of the heartbeats.
struct HeartbeatCommands: Sendable {
    private let commanded: CommandedSettings
    private let heartbeats: Heartbeats
    private let disk: DiskQueue
    private let written: @Sendable () -> Duration

    /// - Parameter written: interval in the settings that run now.
    init(
        commanded: CommandedSettings, heartbeats: Heartbeats, disk: DiskQueue,
        written: @escaping @Sendable () -> Duration
    ) {
        (self.commanded, self.heartbeats, self.disk, self.written) = (commanded, heartbeats, disk, written)
    }

    var handlers: [CommandKind: CommandHandler] {
        [
            .heartbeatInterval: { command in
                guard case .heartbeat(let interval) = command.command else {
                    return .refused(.unsupported(command.kind))
                }
                return await setInterval(interval)
            }
        ]
    }

    private func setInterval(_ interval: Duration) async -> CommandJournal.Outcome {
        let written = written().components.seconds
        let isKept = await disk.perform { [commanded] in
            (try? commanded.change { $0.heartbeat = .init(value: interval.components.seconds, of: written) })
                != nil
        }
        guard isKept == true else { return .refused(.notKept) }
        heartbeats.change(to: interval)
        return .done()
    }
}
