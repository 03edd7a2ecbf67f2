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

    package var controls: [ControlRequest.Verb: ControlHandler] {
        let handler = ControlHandler(\.install) { [self] act, reply in reply(answer(act.act)) }
        return [.startWalk: handler, .walkRoom: handler, .stopWalk: handler, .walk: handler]
    }

    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) {
        let results = machine.withLock(\.results)
        if !results.isEmpty { snapshot.walks = results }
    }

    private func answer(_ act: InstallerAct.Act) -> ControlReply {
        let now = Clock.boot()
        do throws(ControlError) {
            switch act {
            case .startWalk(let device): try begin(device, at: now)
            case .walkRoom(let room):
                try machine.withLock { machine throws(ControlError) in try machine.enter(room, at: now) }
            case .stopWalk:
                machine.withLock { $0.end(at: now) }
                signals.listen(to: nil)
            default: break
            }
        } catch {
            return .refused(error.description)
        }
        let document = machine.withLock { $0.document(at: now) }
        return ControlReply(isDone: true, lines: [], content: document.map { .walk($0) })
    }

    private func begin(_ device: DeviceID, at now: BootInstant) throws(ControlError) {
        guard let wearable = core.roster.wearables.first(where: { $0.id == device }) else {
            throw ControlError("\(device): no wearable has this id; see: homegateway devices list")
        }
        try machine.withLock { machine throws(ControlError) in try machine.begin(device, at: now) }
        signals.listen(to: wearable.heardBy == .advertising ? wearable.address : nil)
    }
}
