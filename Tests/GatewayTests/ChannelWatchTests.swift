import GatewayModel
import HelpLine
import HomeGateway
import Hub
import ModelSamples
import SOSLocal
import Samples
import Testing

@testable import Alarms

@Suite struct `The channels that are known to be dead` {
    @Test func `are untried for five seconds from the first word about them, unless they were live`() {
        let (mqtt, https) = (ChannelID(sample: "mqtt"), ChannelID(sample: "https"))
        let channels = DeadChannels()
        func instant(_ seconds: Double) -> BootInstant { Sample.moment(0).boot.advanced(by: .seconds(seconds)) }
        channels.follow(.channelState(mqtt, isLive: false), at: instant(0))
        channels.follow(.channelState(https, isLive: true), at: instant(0))
        #expect(channels.untried(at: instant(1)) == [mqtt] && channels.all == [mqtt])
        channels.follow(.channelState(https, isLive: false), at: instant(2))
        channels.follow(.channelState(mqtt, isLive: false), at: instant(4))
        #expect(channels.untried(at: instant(4.9)) == [mqtt] && channels.all == [mqtt, https])
        #expect(channels.untried(at: instant(5)).isEmpty && channels.all == [mqtt, https])
        channels.follow(.channelState(mqtt, isLive: true), at: instant(6))
        #expect(channels.all == [https])
    }
}

@Suite struct `The tests of the ways to help` {
    private static let mqtt = ChannelID(sample: "mqtt")
    private static let https = ChannelID(sample: "https")
    private static let day = Duration.seconds(86_400)

    private func watch(probed: Set<ChannelID> = []) -> ChannelWatch {
        var random = SystemRandomNumberGenerator()
        return ChannelWatch(
            [Self.mqtt, Self.https], probed: probed, every: Self.day, startingAt: Sample.moment(0).boot,
            using: &random)
    }

    private func failing(_ changes: [HealthChange]) -> [String?] {
        changes.filter(\.holds).map(\.condition.subject)
    }

    @Test func `begin soon after the start, each channel by itself`() {
        var watch = watch()
        let early = watch.due(at: Sample.moment(4.9).boot)
        #expect(early.isEmpty)
        let due = watch.due(at: Sample.moment(10).boot)
        #expect(due == [Self.https, Self.mqtt])
    }

    @Test func `come again after about a day where they worked, and after a minute where not`() {
        var watch = watch()
        _ = watch.due(at: Sample.moment(10).boot)
        _ = watch.tested(Self.mqtt, .works(detail: ""), at: Sample.moment(11))
        let failed = watch.tested(Self.https, .fails(reason: "no route"), at: Sample.moment(11))
        #expect(failing(failed) == ["https"])
        #expect(watch.states[Self.https]?.fault == "no route")
        let soon = watch.due(at: Sample.moment(71).boot)
        #expect(soon == [Self.https, Self.mqtt], "with the fault of one the other is tested")
        for channel in [Self.mqtt, Self.https] {
            _ = watch.tested(channel, .works(detail: ""), at: Sample.moment(72))
        }
        let early = watch.due(at: Sample.moment(86_400 * 0.89).boot)
        #expect(early.isEmpty)
        let late = watch.due(at: Sample.moment(86_400 * 1.1 + 73).boot)
        #expect(late == [Self.https, Self.mqtt])
    }

    @Test func `are made again where a channel gave no answer`() {
        var watch = watch()
        _ = watch.due(at: Sample.moment(10).boot)
        let between = watch.due(at: Sample.moment(69).boot)
        #expect(between.isEmpty)
        let again = watch.due(at: Sample.moment(70).boot)
        #expect(again.count == 2)
    }

    @Test func `are brought forward with the first fault of another channel, once a minute at most`() {
        var watch = watch()
        _ = watch.due(at: Sample.moment(10).boot)
        for channel in [Self.mqtt, Self.https] {
            _ = watch.tested(channel, .works(detail: ""), at: Sample.moment(11))
        }
        _ = watch.failed(Self.mqtt, "no session", at: Sample.moment(1_000).boot)
        let now = watch.due(at: Sample.moment(1_000).boot)
        #expect(now == [Self.https], "a test a thousand seconds ago says nothing of now")
        _ = watch.tested(Self.https, .works(detail: ""), at: Sample.moment(1_001))
        // The session flaps: the other channel is not tested with each fault.
        _ = watch.worked(Self.mqtt, at: Sample.moment(1_010))
        _ = watch.failed(Self.mqtt, "no session", at: Sample.moment(1_020).boot)
        let soon = watch.due(at: Sample.moment(1_059).boot)
        #expect(!soon.contains(Self.https))
        let later = watch.due(at: Sample.moment(1_060).boot)
        #expect(later.contains(Self.https))
        // A fault that goes on brings nothing forward.
        _ = watch.tested(Self.https, .works(detail: ""), at: Sample.moment(1_061))
        _ = watch.failed(Self.mqtt, "no session", at: Sample.moment(1_200).boot)
        let same = watch.due(at: Sample.moment(1_200).boot)
        #expect(!same.contains(Self.https))
    }

    @Test func `come with a probe that does not reach the server, and decide whether the channel works`() {
        var watch = watch(probed: [Self.https])
        _ = watch.due(at: Sample.moment(10).boot)
        for channel in [Self.mqtt, Self.https] {
            _ = watch.tested(channel, .works(detail: ""), at: Sample.moment(11))
        }
        let first = watch.dueProbes(at: Sample.moment(100).boot)
        #expect(first == [Self.https], "a channel without a server is not probed")
        let hanging = watch.dueProbes(at: Sample.moment(200).boot)
        #expect(hanging.isEmpty, "one probe at a time")
        watch.probed(Self.https, isReached: true, at: Sample.moment(201).boot)
        let quiet = watch.due(at: Sample.moment(201).boot)
        #expect(quiet.isEmpty)
        let second = watch.dueProbes(at: Sample.moment(202).boot)
        #expect(second == [Self.https])
        watch.probed(Self.https, isReached: false, at: Sample.moment(206).boot)
        #expect(watch.isLive(Self.https), "a probe is no test")
        let test = watch.due(at: Sample.moment(206).boot)
        #expect(test == [Self.https])
        _ = watch.tested(Self.https, .fails(reason: "no route"), at: Sample.moment(210))
        let probes = watch.dueProbes(at: Sample.moment(400).boot)
        #expect(probes.isEmpty, "a channel with a fault is tested each minute")
    }

    @Test func `agree with what calls show`() {
        var watch = watch()
        let failed = watch.failed(Self.mqtt, "refused", at: Sample.moment(19).boot)
        #expect(failing(failed) == ["mqtt"])
        let worked = watch.worked(Self.mqtt, at: Sample.moment(20))
        #expect(worked.map(\.holds) == [false])
        #expect(watch.states[Self.mqtt]?.worked == Sample.moment(20).wall)
        #expect(watch.states[Self.mqtt]?.fault == nil)
    }

    @Test func `and its session say whether a channel is known to be dead`() {
        var watch = watch()
        #expect(watch.isLive(Self.mqtt) && watch.isLive(Self.https))
        let down = watch.session(Self.mqtt, isUp: false, at: Sample.moment(1))
        #expect(down.isEmpty, "the test of the way raises the condition")
        #expect(!watch.isLive(Self.mqtt))
        _ = watch.tested(Self.mqtt, .fails(reason: "no session"), at: Sample.moment(8))
        let up = watch.session(Self.mqtt, isUp: true, at: Sample.moment(9))
        #expect(up.map(\.holds) == [false], "one that stands is as good as a test")
        #expect(watch.isLive(Self.mqtt) && watch.states[Self.mqtt]?.worked == Sample.moment(9).wall)
        _ = watch.failed(Self.https, "refused", at: Sample.moment(9).boot)
        #expect(!watch.isLive(Self.https))
        _ = watch.worked(Self.https, at: Sample.moment(10))
        #expect(watch.isLive(Self.https))
    }

    @Test func `come a minute after the end of a session, unless it is up again before`() {
        var watch = watch()
        _ = watch.due(at: Sample.moment(10).boot)
        _ = watch.tested(Self.https, .works(detail: ""), at: Sample.moment(11))
        _ = watch.session(Self.mqtt, isUp: true, at: Sample.moment(12))
        _ = watch.session(Self.mqtt, isUp: false, at: Sample.moment(100))
        _ = watch.session(Self.mqtt, isUp: true, at: Sample.moment(130))
        let afterReturn = watch.due(at: Sample.moment(161).boot)
        #expect(afterReturn.isEmpty)
        _ = watch.session(Self.mqtt, isUp: false, at: Sample.moment(200))
        // The broker's end is reported once more by each attempt that fails.
        _ = watch.session(Self.mqtt, isUp: false, at: Sample.moment(230))
        let early = watch.due(at: Sample.moment(259.9).boot)
        #expect(early.isEmpty)
        let due = watch.due(at: Sample.moment(260).boot)
        #expect(due == [Self.mqtt])
        let failed = watch.tested(Self.mqtt, .fails(reason: "no session"), at: Sample.moment(260))
        #expect(failing(failed) == ["mqtt"])
        let other = watch.due(at: Sample.moment(260).boot)
        #expect(other == [Self.https])
        _ = watch.tested(Self.https, .works(detail: ""), at: Sample.moment(261))
        let again = watch.due(at: Sample.moment(320).boot)
        #expect(again == [Self.mqtt], "tested every minute until it works")
    }

    @Test func `leave a person without help when the last of their ways is dead, until one lives again`() {
        var reach = HelpReach()
        let maria = HelpReach.Person(id: Sample.maria, channels: [Self.mqtt, Self.https])
        let paolo = HelpReach.Person(id: PersonID(sample: "paolo"), channels: [Self.https])
        let nobody = HelpReach.Person(id: PersonID(sample: "anna"), channels: [])
        let one = reach.changes([maria, paolo, nobody]) { $0 == Self.mqtt }
        #expect(one.isEmpty)
        let all = reach.changes([maria, paolo, nobody]) { _ in true }
        #expect(all.map(\.condition.subject) == ["maria", "paolo"] && all.allSatisfy(\.holds))
        let same = reach.changes([maria, paolo, nobody]) { _ in true }
        #expect(same.isEmpty)
        let left = reach.changes([maria]) { _ in true }
        #expect(left.map(\.condition.subject) == ["paolo"] && !left[0].holds)
        let back = reach.changes([maria]) { $0 == Self.https }
        #expect(back.map(\.holds) == [false])
    }

    @Test func `say nothing of a channel that is not set up`() {
        var watch = watch()
        let changes = watch.failed(
            ChannelID(sample: "sms"), "no channel of this name", at: Sample.moment(1).boot)
        #expect(changes.isEmpty)
    }
}
