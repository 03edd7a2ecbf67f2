import GatewayModel
import Readings
import RunBeacon
import Synchronization
import WireFormats

/// Hands the positions of runners to the race thread. Other positions end here.
struct RacePositions: PositionConsumer {
    /// Bearers of positions in the runs that are underway.
    final class Bearers: Sendable {
        private let bearers = Mutex<Set<PositionBearer>>([])

        /// From any thread.
        func contains(_ bearer: PositionBearer) -> Bool { bearers.withLock { $0.contains(bearer) } }

        /// From any thread.
        func replace(_ bearers: Set<PositionBearer>) { self.bearers.withLock { $0 = bearers } }
    }

    private let bearers: Bearers
    private let inbox: RaceInbox

    init(_ bearers: Bearers, _ inbox: RaceInbox) {
        self.bearers = bearers
        self.inbox = inbox
    }

    func consume(_ fix: Fix) { put(PositionReport(fix), of: .box) }

    func consume(_ position: WearablePosition) { put(PositionReport(position), of: .person(position.person)) }

    func consumeLostFix(of person: PersonID) { put(nil, of: .person(person)) }

    private func put(_ report: @autoclosure () -> PositionReport?, of bearer: PositionBearer) {
        guard bearers.contains(bearer) else { return }
        inbox.put(report(), of: bearer)
    }
}

extension BoxStatus: PositionConsumer {
    func consume(_ fix: Fix) { note(fix) }
}

extension RaceInbox: TagAdvertConsumer {
    func consume(_ adverts: [Advert], antenna: UInt8) { put(adverts, antenna: antenna) }

    func setScanner(_ antenna: UInt8, canHear: Bool) { put(.scanner(antenna, canHear: canHear)) }
}
