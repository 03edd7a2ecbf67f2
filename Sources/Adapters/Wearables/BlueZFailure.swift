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
