public import GatewayModel

/// Number of a subscription in the store. Never reused.
public struct SubscriptionID: Hashable, Sendable, CustomStringConvertible {
    public let number: Int64

    public init(_ number: Int64) { self.number = number }

    public init?(_ text: String) {
        guard let number = Int64(text), number > 0, String(number) == text else { return nil }
        self.number = number
    }

    public var description: String { String(number) }
}

/// Webhook of a party: its endpoint, and the place in the log up to which it has the copies.
public struct Subscription: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        case active
        /// The endpoint has failed for so long that nothing is sent until the party asks for a replay.
        case suspended
        /// For ever: by the party, or by the endpoint's answer 410.
        case ended
    }

    /// Outcome of one attempt.
    public enum Outcome: Hashable, Sendable {
        case response(status: Int, retryAfter: Duration?)
        /// There was no whole response.
        case noResponse
    }

    /// Subscriptions of one party.
    public static let most = 5
    /// Waits before the retries, as Standard Webhooks proposes them. After the last one the subscription is suspended.
    public static let waits: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1_800), .seconds(7_200), .seconds(18_000), .seconds(36_000),
        .seconds(50_400), .seconds(72_000), .seconds(86_400),
    ]
    /// Shortest wait after an answer that asks for fewer requests.
    private static let slowDown = Duration.seconds(60)
    /// A retry comes at most a tenth of its wait earlier or later, so that endpoints are not all asked at once.
    private static let jitter = 0.1

    public let id: SubscriptionID
    public let party: PartyID
    public let url: String
    public private(set) var state: State
    /// Number of the last copy that the endpoint has acknowledged.
    public private(set) var cursor: Int64
    /// Number of the last copy of the batch that is being sent. A retry has the same batch.
    public private(set) var pending: Int64?
    /// Attempts that have failed in a row.
    public private(set) var failures: Int
    /// Time of the next attempt.
    public private(set) var next: WallTime
    /// Status of the last answer; 0 for none.
    public private(set) var lastStatus: Int?
    /// Time of the failure that suspended it; nil unless it is suspended.
    public private(set) var suspended: WallTime?

    public init(
        id: SubscriptionID, party: PartyID, url: String, state: State = .active, cursor: Int64,
        pending: Int64? = nil, failures: Int = 0, next: WallTime, lastStatus: Int? = nil,
        suspended: WallTime? = nil
    ) {
        (self.id, self.party, self.url, self.state) = (id, party, url, state)
        (self.cursor, self.pending, self.failures) = (cursor, pending, failures)
        (self.next, self.lastStatus, self.suspended) = (next, lastStatus, suspended)
    }

    /// Fixes the batch before its first attempt.
    public mutating func begin(upTo number: Int64) { pending = pending ?? number }

    /// The batch is empty by now: its grants have ended.
    public mutating func skip() {
        (cursor, pending, failures) = (max(cursor, pending ?? cursor), nil, 0)
    }

    /// - Parameter chance: random number from 0 to 1.
    public mutating func apply(_ outcome: Outcome, chance: Double, at now: WallTime) {
        guard state == .active else { return }
        switch outcome {
        case .response(let status, _) where (200..<300).contains(status):
            skip()
            (lastStatus, next) = (status, now)
        case .response(410, _): (state, pending, lastStatus) = (.ended, nil, 410)
        case .response(let status, let wanted):
            let isSlowed = [429, 502, 504].contains(status)
            fail(status, atLeast: max(wanted ?? .zero, isSlowed ? Self.slowDown : .zero), chance, now)
        case .noResponse: fail(0, atLeast: .zero, chance, now)
        }
    }

    private mutating func fail(_ status: Int, atLeast least: Duration, _ chance: Double, _ now: WallTime) {
        lastStatus = status
        failures += 1
        guard failures <= Self.waits.count else {
            (state, pending, suspended) = (.suspended, nil, now)
            return
        }
        let factor = 1 - Self.jitter + 2 * Self.jitter * min(max(chance, 0), 1)
        let wait = max(Self.waits[failures - 1] * factor, min(least, Self.waits[Self.waits.count - 1]))
        next = now.advanced(by: wait)
    }

    /// Sends again from the copy after `number`, also after a suspension. False for an ended subscription, and for a
    /// number beyond the cursor: copies are not skipped.
    public mutating func replay(after number: Int64, at now: WallTime) -> Bool {
        guard state != .ended, (0...cursor).contains(number) else { return false }
        (state, cursor, pending, failures, next) = (.active, number, nil, 0, now)
        suspended = nil
        return true
    }

    /// Ends it. False where it has ended already.
    public mutating func end() -> Bool {
        guard state != .ended else { return false }
        (state, pending, suspended) = (.ended, nil, nil)
        return true
    }
}
