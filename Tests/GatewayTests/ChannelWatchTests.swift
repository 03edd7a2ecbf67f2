import GatewayModel
import HelpLine
import HomeGateway
import Hub
import ModelSamples
import Samples
import Testing

@testable import Alarms

@Suite struct `The tests of the ways to help` {
    private static let mqtt = ChannelID(sample: "mqtt")
    private static let https = ChannelID(sample: "https")
    private static let day = Duration.seconds(86_400)

    private func watch() -> ChannelWatch {
        var random = SystemRandomNumberGenerator()
        return ChannelWatch(
            [Self.mqtt, Self.https], every: Self.day, startingAt: Sample.moment(0).boot, using: &random)
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
        #expect(soon == [Self.https])
        _ = watch.tested(Self.https, .works(detail: ""), at: Sample.moment(72))
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

    @Test func `agree with what calls show`() {
        var watch = watch()
        let failed = watch.failed(Self.mqtt, "refused")
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
        _ = watch.failed(Self.https, "refused")
        #expect(!watch.isLive(Self.https))
        _ = watch.worked(Self.https, at: Sample.moment(10))
        #expect(watch.isLive(Self.https))
    }

    @Test func `say nothing of a channel that is not set up`() {
        var watch = watch()
        let changes = watch.failed(ChannelID(sample: "sms"), "no channel of this name")
        #expect(changes.isEmpty)
    }
}
