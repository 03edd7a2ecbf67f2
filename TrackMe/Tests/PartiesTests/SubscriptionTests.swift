import GatewayModel
import Parties
import Testing

/// Rules of webhooks: retries, suspension, end and replay.
struct SubscriptionTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    private func subscription(cursor: Int64 = 0) -> Subscription {
        Subscription(
            id: SubscriptionID(1), party: PartyID("clinic")!, url: "https://clinic.example/hook",
            cursor: cursor,
            next: noon)
    }

    private func wait(_ subscription: Subscription) -> Int64 {
        (subscription.next.millisecondsSince1970 - noon.millisecondsSince1970) / 1_000
    }

    @Test func `an acknowledged batch moves the cursor to its end`() {
        var subscription = subscription(cursor: 3)
        subscription.begin(upTo: 9)
        subscription.begin(upTo: 12)
        #expect(subscription.pending == 9)
        subscription.apply(.response(status: 500, retryAfter: nil), chance: 0.5, at: noon)
        #expect((subscription.cursor, subscription.pending, subscription.failures) == (3, 9, 1))
        subscription.apply(.response(status: 204, retryAfter: nil), chance: 0.5, at: noon)
        #expect((subscription.cursor, subscription.pending, subscription.failures) == (9, nil, 0))
        #expect(subscription.next == noon)
    }

    @Test func `nine retries come with growing waits, and then the subscription is suspended`() {
        var subscription = subscription()
        var waits: [Int64] = []
        subscription.begin(upTo: 1)
        for _ in 0..<9 {
            subscription.apply(.noResponse, chance: 0.5, at: noon)
            #expect(subscription.state == .active)
            waits.append(wait(subscription))
        }
        #expect(waits == [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
        subscription.apply(.noResponse, chance: 0.5, at: noon)
        #expect(subscription.state == .suspended)
        #expect(subscription.suspended == noon)
        #expect(subscription.cursor == 0)
        subscription.apply(.response(status: 200, retryAfter: nil), chance: 0.5, at: noon)
        #expect(subscription.state == .suspended)
    }

    @Test(arguments: [100, 301, 302, 307, 400, 404, 500, 503]) func `only 2xx acknowledges`(status: Int) {
        var subscription = subscription()
        subscription.begin(upTo: 5)
        subscription.apply(.response(status: status, retryAfter: nil), chance: 0.5, at: noon)
        #expect((subscription.cursor, subscription.failures, wait(subscription)) == (0, 1, 5))
        #expect(subscription.lastStatus == status)
    }

    @Test func `410 ends it for ever`() {
        var subscription = subscription(cursor: 3)
        subscription.apply(.response(status: 410, retryAfter: nil), chance: 0.5, at: noon)
        #expect(subscription.state == .ended)
        let isReplayed = subscription.replay(after: 0, at: noon)
        #expect(!isReplayed)
    }

    @Test func `an endpoint that asks for fewer requests gets them, within a day`() {
        for status in [429, 502, 504] {
            var subscription = subscription()
            subscription.apply(.response(status: status, retryAfter: nil), chance: 0.5, at: noon)
            #expect(wait(subscription) == 60)
        }
        for (wanted, seconds) in [
            (Duration.seconds(1), Int64(5)), (.seconds(900), 900), (.seconds(9_000_000), 86_400),
        ] {
            var subscription = subscription()
            subscription.apply(.response(status: 503, retryAfter: wanted), chance: 0.5, at: noon)
            #expect(wait(subscription) == seconds)
        }
    }

    @Test func `a wait differs by a tenth at most`() {
        for (chance, seconds) in [(0.0, Int64(270)), (1.0, 330), (-5, 270), (7, 330)] {
            var subscription = subscription()
            subscription.apply(.noResponse, chance: 0.5, at: noon)
            subscription.apply(.noResponse, chance: chance, at: noon)
            #expect(wait(subscription) == seconds)
        }
    }

    @Test func `a replay moves the cursor back, wakes a suspended one, and never skips`() {
        var subscription = subscription(cursor: 7)
        for _ in 0..<10 { subscription.apply(.noResponse, chance: 0.5, at: noon) }
        let replays = [
            subscription.replay(after: 8, at: noon), subscription.replay(after: -1, at: noon),
            subscription.replay(after: 2, at: noon),
        ]
        #expect(replays == [false, false, true])
        #expect((subscription.state, subscription.cursor, subscription.failures) == (.active, 2, 0))
        #expect(subscription.suspended == nil)
        let ends = [subscription.end(), subscription.end()]
        #expect(ends == [true, false])
    }
}
