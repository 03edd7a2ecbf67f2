import ControlLink
import GatewayModel
import Glibc
import Hub
import Testing

@testable import ControlSocket

@Suite struct `The schedule of states for followers` {
    private static func instant(_ milliseconds: Int64) -> BootInstant {
        BootInstant(nanoseconds: milliseconds * 1_000_000)
    }

    private static func moment(_ milliseconds: Int64) -> Moment {
        Moment(boot: instant(milliseconds), wall: WallTime(millisecondsSince1970: milliseconds))
    }

    private static func due(_ schedule: inout StateSchedule, at milliseconds: Int64) -> Bool {
        schedule.isDue(at: instant(milliseconds))
    }

    /// Followed since 0, with the first state.
    private static func followed() -> StateSchedule {
        var schedule = StateSchedule()
        schedule.followers = 1
        #expect(Self.due(&schedule, at: 0) == true)
        schedule.arrived(at: instant(0))
        return schedule
    }

    @Test func `asks for none while nobody follows`() {
        var schedule = StateSchedule()
        schedule.record(.noOpenAlarm(at: Self.moment(0)))
        #expect(schedule.pause(at: Self.instant(0)) == nil)
        #expect(Self.due(&schedule, at: 5_000) == false)
    }

    @Test func `gives a new follower one at once, and then one a second`() {
        var schedule = Self.followed()
        #expect(Self.due(&schedule, at: 999) == false)
        #expect(schedule.pause(at: Self.instant(400)) == .milliseconds(600))
        #expect(Self.due(&schedule, at: 1_000) == true)
        schedule.arrived(at: Self.instant(1_001))
        schedule.followers = 2
        #expect(Self.due(&schedule, at: 1_002) == true)
    }

    @Test func `gives one soon after an event of an alarm, and one for a burst of them`() {
        var schedule = Self.followed()
        for _ in 0..<1_000 { schedule.record(.noOpenAlarm(at: Self.moment(1))) }
        #expect(schedule.pause(at: Self.instant(1)) == .milliseconds(39))
        #expect(Self.due(&schedule, at: 40) == true)
        schedule.arrived(at: Self.instant(41))
        #expect(schedule.pause(at: Self.instant(41)) == StateSchedule.longestPause)
    }

    @Test func `asks for no second one before the first has come, and loses no event meanwhile`() {
        var schedule = Self.followed()
        #expect(Self.due(&schedule, at: 1_000) == true)
        schedule.record(.noOpenAlarm(at: Self.moment(1_010)))
        #expect(schedule.pause(at: Self.instant(1_100)) == nil)
        #expect(Self.due(&schedule, at: 9_000) == false)
        schedule.arrived(at: Self.instant(9_001))
        #expect(Self.due(&schedule, at: 9_041) == true)
    }

    @Test func `lets a follower that does not read wait with one state, the newest`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var connection = ControlConnection(descriptor: ends[0], at: Self.instant(0))
        connection.beginFollowing()
        let padding = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
        for number in 0..<5_000 {
            connection.queue(state: Array("\(number):".utf8) + padding)
            let isThere = connection.flush()
            #expect(isThere)
        }
        UnixSocket.setNonBlocking(ends[1])
        var read: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<10_000 {
            let count = recv(ends[1], &chunk, chunk.count, 0)
            if count > 0 { read += chunk.prefix(count) } else if !connection.wantsToWrite { break }
            let isThere = connection.flush()
            #expect(isThere)
        }
        let states = read.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        }
        #expect(states.first == "0" && states.last == "4999", "\(states)")
        #expect(states.count < 100)
    }
}
