/// Tells new encrypted frames of one device from recorded ones, by their counter. To be kept over a restart
/// of the gateway: without `last`, whatever was recorded is new.
public struct BTHomeCounterGuard: Hashable, Sendable {
    public enum Verdict: Hashable, Sendable {
        case fresh
        /// Lower than before, but low: the counter has wrapped, or the battery was changed.
        case restarted
        case repeated
        case replayed(last: UInt32)
    }

    /// Below this a lower counter is taken for a restart. The reference receiver's number (bthome-ble):
    /// what a device can have sent unheard since its battery was changed. The price is that the first
    /// hundred frames of a device can be replayed; the other way round, a panic button with a new battery
    /// would be ignored, for as long as its last one had worked.
    static let restartLimit: UInt32 = 100

    /// Of the newest frame that was accepted.
    public private(set) var last: UInt32?

    public init(last: UInt32? = nil) { self.last = last }

    public func judge(_ counter: UInt32) -> Verdict {
        guard let last else { return .fresh }
        if counter > last { return .fresh }
        if counter == last { return .repeated }
        return counter < Self.restartLimit ? .restarted : .replayed(last: last)
    }

    /// After the frame's tag was found right.
    public mutating func accept(_ counter: UInt32) { last = counter }
}
