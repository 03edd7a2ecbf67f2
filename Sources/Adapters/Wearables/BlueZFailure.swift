import Systemd

/// Kind of a failed call.
enum BlueZFailure: Hashable {
    /// It is as wanted already.
    case alreadySo
    /// Weak link, busy adapter, object just removed, no answer: worth trying again soon.
    case passing
    /// Asks for a person (pairing, rights, another device): tried again at the longest pause only.
    case lasting

    init(_ error: BusError) {
        guard case .remote(let name, _) = error else {
            self = .passing
            return
        }
        self =
            switch name {
            case "org.bluez.Error.AlreadyConnected": .alreadySo
            case "org.bluez.Error.AuthenticationCanceled", "org.bluez.Error.AuthenticationFailed",
                "org.bluez.Error.AuthenticationRejected", "org.bluez.Error.NotAuthorized",
                "org.bluez.Error.NotPermitted", "org.bluez.Error.NotSupported",
                "org.freedesktop.DBus.Error.AccessDenied":
                .lasting
            default: .passing
            }
    }
}

extension BusError {
    /// Nobody answered in time, so the request may still be going on.
    var isTimeout: Bool {
        hasName("org.freedesktop.DBus.Error.NoReply") || hasName("org.freedesktop.DBus.Error.Timeout")
    }

    /// The code in "Operation failed with ATT error: 0x80", as bluetoothd writes those it has no name for.
    var attributeError: UInt8? {
        guard case .remote(_, let message) = self,
            let code = message.firstMatch(of: /ATT error: 0x([0-9a-fA-F]{1,2})/)
        else { return nil }
        return UInt8(code.1, radix: 16)
    }

    /// Said by the bus daemon or by our own side of the connection, so no sign of bluetoothd.
    var isOfBus: Bool {
        guard case .remote(let name, _) = self else { return true }
        return isTimeout || ["ServiceUnknown", "NameHasNoOwner"].contains { name.hasSuffix("Error." + $0) }
    }

    func hasName(_ wanted: String) -> Bool {
        guard case .remote(let name, _) = self else { return false }
        return name == wanted
    }
}

/// Cause of a failed call; tells an old trouble from a new one.
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
