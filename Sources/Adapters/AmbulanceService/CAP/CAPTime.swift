import FoundationEssentials
import GatewayModel

/// Wall time as CAP 1.2 writes it (section 3.3.2).
enum CAPTime {
    /// `2026-03-01T08:30:00-00:00`: whole seconds, rounded down, and UTC as `-00:00`; the standard forbids `Z`.
    static func text(_ time: WallTime) -> String {
        let seconds = (Double(time.millisecondsSince1970) / 1_000).rounded(.down)
        let text = Date(timeIntervalSince1970: seconds).formatted(Date.ISO8601FormatStyle())
        return text.dropLast() + "-00:00"
    }
}

/// Wall time as RFC 3339 writes it, with milliseconds and in UTC: the JSON's form.
extension WallTime {
    var internetTime: String {
        Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
