package import GatewayModel
package import Hub
package import Readings
import RealTime
package import Settings
import Synchronization

/// Supervision of the wearables: what the radio and the scanners report of each, as conditions. From any thread.
package final class Supervisor: Sendable {
    /// Last sign of life of a wearable, and the last level of its battery that it sent.
    struct Sign: Hashable, Sendable {
        var heard: BootInstant
        /// Percent.
        var battery: Int?
        /// Notifications since the start that nobody judged.
        var ignored = 0
    }

    private let lastSigns = Mutex<[DeviceID: Sign]>([:])
    private let supervision: Mutex<WearableSupervision>
    private let beacons: Mutex<BeaconSupervision>
    private let health: HealthBoard
    private let buttons: SOSButtonSupervision?

    /// - Parameter buttons: gets the signs of life and the presses, too.
    package init(
        supervision: WearableSupervision, beacons: BeaconSupervision, health: HealthBoard,
        buttons: SOSButtonSupervision? = nil
    ) {
        self.supervision = Mutex(supervision)
        self.beacons = Mutex(beacons)
        self.health = health
        self.buttons = buttons
    }

    /// Begins with the wearables of the start.
    package convenience init(
        of wearables: [GatewaySettings.Wearable], _ broadcasters: BroadcasterState, health: HealthBoard,
        buttons: SOSButtonSupervision
    ) {
        let now = Clock.boot()
        self.init(
            supervision: WearableSupervision(wearables: wearables.rhythms, startingAt: now),
            beacons: BeaconSupervision(
                broadcasters.expected(of: wearables).mapValues(BeaconSupervision.Expected.init), startingAt: now
            ),
            health: health, buttons: buttons)
    }

    /// Applies a report of the radio about a connected wearable.
    package func note(_ event: @Sendable (inout WearableSupervision) -> [HealthChange]) {
        set(supervision.withLock { event(&$0) })
    }

    /// Applies a report of a scanner about a wearable that only advertises.
    package func noteBeacon(_ event: @Sendable (inout BeaconSupervision) -> [HealthChange]) {
        set(beacons.withLock { event(&$0) })
    }

    /// Applies a report about a wearable of either kind to the supervision of the buttons.
    func noteButton(_ event: (inout SOSButtonMachine) -> Void) {
        buttons?.note(event)
    }

    /// Last signs of life since the start, by wearable.
    var signs: [DeviceID: Sign] { lastSigns.withLock { $0 } }

    /// Last sign of life of a wearable since the start.
    package func lastHeard(of device: DeviceID) -> BootInstant? { signs[device]?.heard }

    /// Records a sign of life of a wearable.
    ///
    /// - Parameters:
    ///   - battery: percent; nil leaves the last level.
    ///   - isIgnored: nobody judges it.
    func recordSign(of device: DeviceID, battery: Int? = nil, isIgnored: Bool = false, at now: BootInstant) {
        lastSigns.withLock { signs in
            var sign = signs[device] ?? Sign(heard: now)
            sign.heard = now
            if let battery { sign.battery = battery }
            if isIgnored { sign.ignored += 1 }
            signs[device] = sign
        }
    }

    /// Looks at the silence of every wearable. About once a second; waits for nothing.
    package func look(at now: BootInstant) {
        note { $0.tick(at: now) }
        noteBeacon { $0.tick(at: now) }
    }

    private func set(_ changes: [HealthChange]) {
        for change in changes { health.set(change.condition, change.holds) }
    }
}
