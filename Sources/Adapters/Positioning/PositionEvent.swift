public import GatewayModel

/// What the satellite receiver tells. Told on the gpsd thread: hand it on, do not work in it.
public enum PositionEvent: Hashable, Sendable {
    case fix(Fix)
    /// Fixes come again. Once a change, before the first fix.
    case available
    /// No fixes come, why, and what to do. Once a change of the reason.
    case unavailable(reason: String)
}
