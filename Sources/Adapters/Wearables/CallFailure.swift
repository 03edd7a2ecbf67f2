import Systemd

/// What a failure of a call says of who was called; tells an old trouble from a new one.
public enum CallFailure: Hashable, Sendable {
    /// Nobody answered, or no link came about: it is not there, or cannot be heard.
    case absent
    /// Asks for a person: pairing, rights.
    case needsPerson
    /// Anything else.
    case other

    init(_ error: BusError) {
        guard !error.isTimeout else {
            self = .absent
            return
        }
        self =
            switch BlueZFailure(error) {
            case .lasting: .needsPerson
            case .passing where Self.isOfLink(error): .absent
            case .passing, .alreadySo: .other
            }
    }

    /// How bluetoothd (5.62 and newer) words a link that does not come about.
    private static let linkWords = ["le-connection-abort-by-local", "le-connection-timeout", "Page Timeout"]

    private static func isOfLink(_ error: BusError) -> Bool {
        guard case .remote(_, let message) = error else { return false }
        return linkWords.contains { message.contains($0) }
            || error.hasName("org.bluez.Error.ConnectionAttemptFailed")
    }
}
