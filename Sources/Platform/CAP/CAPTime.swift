import FoundationEssentials
public import GatewayModel

/// Wall time as CAP 1.2 writes it (section 3.3.2).
public enum CAPTime {
    /// `2026-03-01T08:30:00-00:00`: whole seconds, rounded down, and UTC as `-00:00`; the standard forbids `Z`.
    public static func text(_ time: WallTime) -> String {
        let seconds = (Double(time.millisecondsSince1970) / 1_000).rounded(.down)
        let text = Date(timeIntervalSince1970: seconds).formatted(Date.ISO8601FormatStyle())
        return text.dropLast() + "-00:00"
    }
}
