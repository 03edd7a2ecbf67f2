import Systemd

extension BusError {
    /// For the installer: what ModemManager or the bus said, by its name, and what to do.
    func reason(_ doing: String) -> String {
        let advice = advice
        return "\(doing): \(description)" + (advice.isEmpty ? "" : "; \(advice)")
    }

    private var advice: String {
        guard case .remote(let name, _) = self else { return "check: systemctl status dbus" }
        switch name {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            return "install and start it: systemctl enable --now ModemManager"
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout":
            return "it does not answer in time; see: journalctl -u ModemManager"
        case "org.freedesktop.ModemManager1.Error.Core.Unauthorized", "org.freedesktop.DBus.Error.AccessDenied":
            return "polkit does not let the gateway's account do it: install systemd/homegateway.rules to "
                + "/etc/polkit-1/rules.d/"
        case _ where name.hasPrefix("org.freedesktop.ModemManager1.Error.Message."):
            return "the network or the modem refused the text; check the SIM card's credit and the number"
        default: return ""
        }
    }

    /// Only this text failed: the network answered, and another number may fare better.
    var isAboutTheText: Bool {
        guard case .remote(let name, _) = self else { return false }
        return name.hasPrefix("org.freedesktop.ModemManager1.Error.Message.")
            || name == "org.freedesktop.ModemManager1.Error.Core.InvalidArgs"
    }

    /// The other side has said what became of it.
    var isAnswer: Bool {
        guard case .remote(let name, _) = self else { return false }
        return name.hasPrefix("org.freedesktop.ModemManager1.Error.") && !name.hasSuffix("Timeout")
    }
}
