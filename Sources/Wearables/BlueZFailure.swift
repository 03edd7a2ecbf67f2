import Systemd

/// What a failed call asks for.
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
    /// Nobody answered in time, so what was asked for may still be going on.
    var isTimeout: Bool {
        hasName("org.freedesktop.DBus.Error.NoReply") || hasName("org.freedesktop.DBus.Error.Timeout")
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
