package import ControlContract
package import GatewayModel
package import Hub
package import OutboxService
package import Readings
import RealTime
import Settings
package import Supervision
import Synchronization

/// Walks of installers through the rooms: where the gateway hears a wearable, and where it does not. Results stay in memory.
package final class WalkService: Capability {
    private let core: GatewayCore
    private let supervisor: Supervisor
    private let signals: AdvertSignals
    private let machine = Mutex(WalkMachine())

    package init(_ core: GatewayCore, supervisor: Supervisor, signals: AdvertSignals) {
        (self.core, self.supervisor, self.signals) = (core, supervisor, signals)
    }

    package var careTasks: [CareTask] {
        [
            CareTask { [self] now in
                guard let device = machine.withLock(\.device) else { return }
                let heard = supervisor.lastHeard(of: device)
                let signals = signals.take()
                machine.withLock { $0.sample(heard: heard, signals: signals, at: now.boot) }
                if machine.withLock(\.device) == nil { self.signals.listen(to: nil) }
            }
        ]
    }

    package var controls: [ControlHandler] {
        [
            handler(Verb.Walk.self) { _, _, _ in },
            handler(Verb.StartWalk.self) { service, walk, now throws(ControlError) in
                try service.begin(walk.device, at: now)
            },
            handler(Verb.WalkRoom.self) { service, walk, now throws(ControlError) in
                try service.machine.withLock { machine throws(ControlError) in
                    try machine.enter(walk.room, at: now)
                }
            },
            handler(Verb.StopWalk.self) { service, _, now in
                service.machine.withLock { $0.end(at: now) }
                service.signals.listen(to: nil)
            },
        ]
    }

    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) {
        let results = machine.withLock(\.results)
        if !results.isEmpty { snapshot.walks = results }
    }

    /// Handler of an act, which is answered with the state after it.
    private func handler<Act: ControlAct>(
        _ verb: Act.Type,
        _ act: @escaping @Sendable (WalkService, Act, BootInstant) throws(ControlError) -> Void
    ) -> ControlHandler where Act.Document == WalkDocument {
        ControlHandler(verb) { [self] request, reply in
            let now = Clock.boot()
            do throws(ControlError) {
                try act(self, request, now)
            } catch {
                return reply(.refused(error.description))
            }
            reply(.done(with: machine.withLock { $0.document(at: now) }))
        }
    }

    private func begin(_ device: DeviceID, at now: BootInstant) throws(ControlError) {
        guard let wearable = core.roster.wearables.first(where: { $0.id == device }) else {
            throw ControlError("\(device): no wearable has this id; see: homegateway devices list")
        }
        try machine.withLock { machine throws(ControlError) in try machine.begin(device, at: now) }
        signals.listen(to: wearable.heardBy == .advertising ? wearable.address : nil)
    }
}
