package import GatewayModel
package import Positioning
import Readings
import RealTime
import RunBeacon
import Synchronization
package import WireFormats

/// Input of the race: adverts of tags, positions, and the time of the satellites. Each call returns at once.
///
/// It exists before the radio, which gives it adverts, and before `RaceService`, which reads them.
package final class RaceIntake: PositionConsumer, TagAdvertConsumer {
    let inbox: RaceInbox
    let time: RaceTime
    let box = BoxStatus()
    /// Bearers of positions in the runs that are underway.
    private let bearers = Mutex<Set<PositionBearer>>([])

    /// Errors: the kernel has no descriptor left.
    package init() throws {
        let inbox = try RaceInbox()
        self.inbox = inbox
        time = RaceTime { inbox.put(.clock($0)) }
    }

    /// Takes the time of the satellites, on gpsd's thread.
    package func consume(_ time: SatelliteTime) { self.time.hear(time) }

    // MARK: Tags

    package func consume(_ adverts: [Advert], antenna: UInt8) { inbox.put(adverts, antenna: antenna) }

    package func setScanner(_ antenna: UInt8, canHear: Bool) { inbox.put(.scanner(antenna, canHear: canHear)) }

    // MARK: Positions

    package func consume(_ fix: Fix) {
        box.note(fix)
        put(PositionReport(fix), of: .box)
    }

    package func consume(_ position: WearablePosition) {
        put(PositionReport(position), of: .person(position.person))
    }

    package func consumeLostFix(of person: PersonID) { put(nil, of: .person(person)) }

    /// Replaces the bearers whose positions the race takes; positions of others end here. From any thread.
    func replaceBearers(_ bearers: Set<PositionBearer>) { self.bearers.withLock { $0 = bearers } }

    private func put(_ report: @autoclosure () -> PositionReport?, of bearer: PositionBearer) {
        guard bearers.withLock({ $0.contains(bearer) }) else { return }
        inbox.put(report(), of: bearer)
    }
}
