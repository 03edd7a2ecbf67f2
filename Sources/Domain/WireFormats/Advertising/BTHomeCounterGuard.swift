public import GatewayModel

/// Tells new encrypted frames of one device from recorded ones, by their counter.
///
/// Only a counter above every counter before it proves that a frame is new. A changed battery lets most devices count
/// from 0 again, and nothing in such a frame tells it from a recording: the key is the same. So it may call for help,
/// which costs a false call at worst, and may do nothing else until a person at the box confirms the change. No number
/// of frames confirms it: a person with a receiver records a whole day of them, and replays them in their order.
///
/// The state is to be kept over a restart of the gateway: without `last`, each recording is new.
public struct BTHomeCounterGuard: Hashable, Sendable {
    public enum Verdict: Hashable, Sendable {
        /// Above every counter before it.
        case fresh
        /// Possibly of a changed battery, possibly a recording: good for a call for help, and for nothing else.
        case unproven
        case repeated
        case replayed(last: UInt32)
    }

    /// The counters that outlive a restart.
    public struct State: Hashable, Sendable {
        /// Of the newest frame that was proven to be new.
        public var last: UInt32?
        /// Of the newest unproven frame; nil where none came since the last proven one.
        public var unproven: UInt32?
        /// The highest counter before a battery change that was confirmed. Recordings of up to it may exist.
        public var retired: UInt32?

        public init(last: UInt32? = nil, unproven: UInt32? = nil, retired: UInt32? = nil) {
            (self.last, self.unproven, self.retired) = (last, unproven, retired)
        }
    }

    /// Below this a lower counter is possibly a restart. The reference receiver's number (bthome-ble): as many frames
    /// as a device can have sent unheard since its battery was changed.
    static let restartLimit: UInt32 = 100
    /// How many frames may be missed between two of a counter that began anew. The same number for the same reason.
    static let stride: UInt32 = 100
    /// For this long the same low counter begins nothing anew: one recording calls once an hour at most, and a battery
    /// that is taken out and put in again calls with its next press.
    static let restartPause = Duration.seconds(3_600)

    public private(set) var state: State
    /// When each low counter began a run. At most `restartLimit` entries.
    private var restarts: [UInt32: BootInstant] = [:]

    public init(_ state: State = State()) { self.state = state }

    public var last: UInt32? { state.last }

    public func judge(_ counter: UInt32, at now: BootInstant) -> Verdict {
        guard let last = state.last else { return .fresh }
        guard counter != last, counter != state.unproven else { return .repeated }
        if counter > last {
            // Of the earlier battery there may be recordings up to `retired`: the new one is followed closely.
            guard let retired = state.retired, counter <= retired, !Self.follows(counter, last) else {
                return .fresh
            }
        }
        if let unproven = state.unproven, Self.follows(counter, unproven) { return .unproven }
        if counter > last { return counter > state.unproven ?? 0 ? .unproven : .replayed(last: last) }
        guard counter < Self.restartLimit else { return .replayed(last: last) }
        let isSpent = restarts[counter].map { $0.duration(to: now) < Self.restartPause } ?? false
        return isSpent ? .replayed(last: last) : .unproven
    }

    private static func follows(_ counter: UInt32, _ earlier: UInt32) -> Bool {
        counter > earlier && counter - earlier <= stride
    }

    /// After the frame's tag was found right.
    /// - Parameter verdict: of `judge`; a repeated or replayed frame moves nothing.
    public mutating func accept(_ counter: UInt32, as verdict: Verdict, at now: BootInstant) {
        switch verdict {
        case .fresh:
            state.last = counter
            state.unproven = nil
            if let retired = state.retired, counter > retired { state.retired = nil }
        case .unproven:
            if counter < Self.restartLimit { restarts[counter] = now }
            state.unproven = counter
        case .repeated, .replayed: break
        }
    }

    /// A person at the box says that the battery was changed: the frames count from the newest unproven one on.
    /// - Returns: false where no unproven frame came.
    public mutating func confirmRestart() -> Bool {
        guard let unproven = state.unproven, let last = state.last else { return false }
        state = State(last: unproven, retired: max(last, state.retired ?? 0))
        restarts = [:]
        return true
    }
}

/// Tells a new frame of one device from a repetition: each frame is advertised several times, and a button
/// pressed once must count once.
public struct BTHomeRepeatGuard: Hashable, Sendable {
    /// After so long without a frame, the next one is new with any number: the device may have started again.
    /// The reference receiver's number (bthome-ble), but counted from the last frame heard, not from the last
    /// one believed: a button that repeats itself for longer than this was still pressed once.
    static let silence = Duration.seconds(4)
    /// Numbers so far ahead are new, the others behind; of 256. The reference receiver's number.
    static let window: UInt8 = 64

    private var last: BTHomeFrame?
    private var heardAt: BootInstant?

    public init() {}

    /// Whether `frame` is new; remembers it.
    public mutating func isNew(_ frame: BTHomeFrame, at now: BootInstant) -> Bool {
        defer { heardAt = now }
        guard let last, let heardAt, heardAt.duration(to: now) <= Self.silence, !isAhead(frame, of: last)
        else {
            last = frame
            return true
        }
        return false
    }

    private func isAhead(_ frame: BTHomeFrame, of last: BTHomeFrame) -> Bool {
        guard let number = frame.packetID, let before = last.packetID else { return frame != last }
        return (1..<Self.window).contains(number &- before)
    }
}
