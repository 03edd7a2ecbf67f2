import GatewayModel
import Hub
import Samples
import Testing

@testable import ConsentService

@Suite struct `The box's clock` {
    private final class Rig {
        var watch = ClockStability()

        /// - Parameter ahead: seconds by which the wall clock is ahead of what it would show unset.
        func look(at seconds: Double, ahead: Double = 0, _ isSynchronised: Bool = true) -> Bool {
            let moment = Sample.moment(seconds)
            let wall = WallTime(
                millisecondsSince1970: moment.wall.millisecondsSince1970 + Int64(ahead * 1_000))
            return watch.isTrusted(at: Moment(boot: moment.boot, wall: wall), isSynchronised: isSynchronised)
        }
    }

    @Test func `is believed when it has been synchronised for a minute`() {
        let rig = Rig()
        let looks = [
            rig.look(at: 0, false), rig.look(at: 100, false), rig.look(at: 101), rig.look(at: 160.9),
            rig.look(at: 161), rig.look(at: 5_000), rig.look(at: 5_001, false), rig.look(at: 5_002),
            rig.look(at: 5_062),
        ]
        #expect(looks == [false, false, false, false, true, true, false, false, true])
    }

    /// Synchronised it may be said to be all the while, by a program that believed a receiver.
    @Test func `is not believed for a minute after it was set, either way`() {
        let rig = Rig()
        let century = 3_000_000_000.0
        let looks = [
            rig.look(at: 0), rig.look(at: 60), rig.look(at: 61, ahead: century),
            rig.look(at: 62, ahead: century), rig.look(at: 63), rig.look(at: 122), rig.look(at: 123),
            rig.look(at: 124, ahead: -7_200), rig.look(at: 184, ahead: -7_200),
        ]
        #expect(looks == [false, true, false, false, false, false, true, false, true])
        #expect(rig.watch.steps == 3)
    }

    @Test func `is believed while it is steered, however far in time`() {
        let rig = Rig()
        _ = rig.look(at: 0)
        // 500 ppm, an hour long.
        let looks = stride(from: 60.0, through: 3_600, by: 1).map { rig.look(at: $0, ahead: $0 * 0.000_5) }
        #expect(!looks.contains(false) && rig.watch.steps == 0)
    }

    @Test func `is believed always where the settings say so, and else not at once`() {
        #expect(ClockTrust(isAssumedRight: true).isTrusted)
        #expect(!ClockTrust(isAssumedRight: false).isTrusted)
    }
}
