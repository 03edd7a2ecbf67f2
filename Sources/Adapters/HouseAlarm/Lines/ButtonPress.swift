public import GatewayModel

/// The big button was used. What it means the gateway decides: with an alarm open a press cancels, without one a
/// hold calls for help.
public struct ButtonPress: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// It has gone down. Told at once, since a window to cancel may be short.
        case pressed
        /// It has been down for the time of a hold, and still is. A press came before: one that has cancelled an
        /// alarm goes on to be a hold when the finger stays, and `began` tells that both are the same.
        case held
    }

    public let kind: Kind
    /// When it went down.
    public let began: BootInstant
    /// When this was so.
    public let instant: BootInstant

    public init(kind: Kind, began: BootInstant, instant: BootInstant) {
        self.kind = kind
        self.began = began
        self.instant = instant
    }
}

/// From the levels of the button's line to what was done with it. Pure.
struct ButtonPresses: Hashable, Sendable {
    private let hold: Duration
    private var state = State.unknown

    private enum State: Hashable {
        /// Down since before anyone looked: no press, and not one before it has been up.
        case unknown
        case up
        case down(since: BootInstant, isHeld: Bool)
    }

    init(hold: Duration) {
        self.hold = hold
    }

    /// The level changed, or was read.
    mutating func level(isDown: Bool, at now: BootInstant) -> [ButtonPress] {
        switch (state, isDown) {
        case (.down(let began, _), false):
            let held = advance(to: now)
            // As long as that, in one look, is a hold too: the thread may have been late.
            state = .up
            return held.filter { _ in began.duration(to: now) >= hold }
        case (.unknown, false): state = .up
        case (.up, true):
            state = .down(since: now, isHeld: false)
            return [ButtonPress(kind: .pressed, began: now, instant: now)]
        case (.unknown, true), (.up, false), (.down, true): break
        }
        return []
    }

    mutating func advance(to now: BootInstant) -> [ButtonPress] {
        guard case .down(let began, false) = state, now >= began.advanced(by: hold) else { return [] }
        state = .down(since: began, isHeld: true)
        return [ButtonPress(kind: .held, began: began, instant: now)]
    }

    /// When it will be a hold.
    var deadline: BootInstant? {
        if case .down(let began, false) = state { began.advanced(by: hold) } else { nil }
    }

    /// Since it was first looked at, it has not been up.
    var isStuck: Bool { state == .unknown }
}
