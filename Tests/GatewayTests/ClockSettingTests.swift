import GatewayModel
import HomeGateway
import Hub
import RealTime
import Testing

@testable import Supervision

@Suite struct `A clock that cannot be right` {
    private let built = WallTime(millisecondsSince1970: 1_700_000_000_000)
    private func wall(_ seconds: Int64) -> WallTime { WallTime(millisecondsSince1970: seconds * 1_000) }
    private func setting(latest: Int64? = nil) -> ClockSetting {
        ClockSetting(built: built, latest: latest.map { wall($0) })
    }

    @Test func `is before the program was built, whoever keeps it`() {
        #expect(!setting().isSet(at: wall(0), isSynchronised: false))
        #expect(!setting().isSet(at: wall(1_699_999_999), isSynchronised: true))
        #expect(setting().isSet(at: wall(1_700_000_000), isSynchronised: false))
    }

    @Test func `is before a time that is over, unless somebody keeps it right`() {
        let setting = setting(latest: 1_800_000_000)
        #expect(!setting.isSet(at: wall(1_799_000_000), isSynchronised: false))
        #expect(setting.isSet(at: wall(1_799_000_000), isSynchronised: true))
        #expect(setting.isSet(at: wall(1_799_999_990), isSynchronised: false), "set back by 10 s")
        #expect(setting.isSet(at: wall(1_800_000_001), isSynchronised: false))
    }

    @Test func `is measured by times that were believed, written down now and then`() {
        var setting = setting()
        func moment(_ seconds: Int64, _ wall: WallTime) -> Moment {
            Moment(boot: BootInstant(nanoseconds: seconds * 1_000_000_000), wall: wall)
        }
        #expect(setting.record(at: moment(1, wall(1_800_000_000)), isTrusted: false) == nil)
        #expect(setting.record(at: moment(2, wall(5)), isTrusted: true) == nil)
        #expect(setting.record(at: moment(3, wall(1_800_000_000)), isTrusted: true) == wall(1_800_000_000))
        #expect(setting.record(at: moment(602, wall(1_800_000_599)), isTrusted: true) == nil)
        #expect(!setting.isSet(at: wall(1_799_000_000), isSynchronised: false))
        #expect(setting.record(at: moment(603, wall(1_800_000_600)), isTrusted: true) == wall(1_800_000_600))
    }

    @Test func `is not the clock of who built it`() {
        #expect(Clock.built < Clock.wall())
        #expect(Clock.built > WallTime(millisecondsSince1970: 1_700_000_000_000))
    }
}
