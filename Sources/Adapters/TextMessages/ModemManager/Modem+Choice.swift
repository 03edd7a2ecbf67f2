/// Which modem sends, and whether it can now.
extension Modem {
    struct Problem: Error, Hashable { let reason: String }

    /// - Parameter wanted: of `names`; nil for the only one there is.
    static func choose(_ wanted: String?, of modems: [Modem]) throws(Problem) -> Modem {
        guard let wanted else {
            guard modems.count < 2 else {
                throw Problem(
                    reason:
                        "there are \(modems.count) modems, expected one: write modem = \"...\" with the IMEI "
                        + "or port of one of them: \(modems.compactMap(\.names.first).joined(separator: ", "))")
            }
            guard let only = modems.first else {
                throw Problem(reason: "ModemManager has no modem: check its cable and power, and: mmcli -L")
            }
            return only
        }
        guard let modem = modems.first(where: { $0.names.contains(wanted) }) else {
            let seen = modems.map { $0.names.joined(separator: " ") }.joined(separator: "; ")
            throw Problem(
                reason: "there is no modem \"\(wanted)\" (IMEI, port or device), saw "
                    + "\(seen.isEmpty ? "none" : seen): check its cable and power, and: mmcli -L")
        }
        return modem
    }

    enum Readiness: Hashable {
        case ready
        case toBeEnabled
        /// May be ready soon.
        case waiting(reason: String)
        case never(reason: String)
    }

    var readiness: Readiness {
        switch state {
        case .registered:
            canText
                ? .ready : .never(reason: "the modem cannot send texts: use another one, or another SIM card")
        case .disabled: .toBeEnabled
        case .underWay(let what):
            .waiting(reason: "the modem is \(what): check its aerial and the SIM card's contract")
        case .locked:
            .never(
                reason: "the SIM card wants its PIN: switch that off once, with: "
                    + "mmcli -i any --pin=... --disable-pin")
        case .failed: .never(reason: "the modem has failed: check its SIM card, and: mmcli -m any")
        case .other(let number): .never(reason: "the modem is in state \(number), which is not known here")
        }
    }
}
