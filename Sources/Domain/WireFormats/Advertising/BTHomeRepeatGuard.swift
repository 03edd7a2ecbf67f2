public import GatewayModel

/// Tells what one device says from what it says again: each frame is advertised several times, and a button
/// pressed once must count once.
public struct BTHomeRepeatGuard: Hashable, Sendable {
    /// After so long without a frame, the next one is new whatever its number: the device may have started
    /// again. The reference receiver's number (bthome-ble), but counted from the last frame heard, not from
    /// the last one believed: a button that repeats itself for longer than this was still pressed once.
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
