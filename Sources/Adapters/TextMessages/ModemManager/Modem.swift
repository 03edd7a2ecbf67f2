import Systemd

/// A modem as ModemManager shows it.
struct Modem: Hashable, Sendable {
    /// MMModemState. What is not known here is kept as its number.
    enum State: Hashable, Sendable {
        case failed
        case locked
        case disabled
        /// Being switched on, enabled, searching: on its way to `registered`.
        case underWay(String)
        /// Registered, or with a data connection, which does not disturb texts.
        case registered
        case other(Int32)

        init(_ number: Int32) {
            self =
                switch number {
                case -1: .failed
                case 1: .underWay("being initialised")
                case 2: .locked
                case 3: .disabled
                case 4: .underWay("being disabled")
                case 5: .underWay("being enabled")
                case 6: .underWay("enabled, not yet searching for a network")
                case 7: .underWay("searching for a network")
                case 8...11: .registered
                default: .other(number)
                }
        }
    }

    let path: String
    let state: State
    let canText: Bool
    /// Per cent.
    let signal: UInt32?
    let operatorName: String?
    /// By any of which the settings may call it: IMEI, port, device.
    let names: [String]

    /// Nil for an object that is no modem.
    init?(path: String, interfaces: BusValue) {
        guard let interfaces = interfaces.dictionary?.keyed(by: \.string),
            let properties = interfaces[ModemManager.modem]?.properties,
            case .int32(let state)? = properties["State"]
        else { return nil }
        self.path = path
        self.state = State(state)
        canText = interfaces[ModemManager.messaging] != nil
        if case .structure(let values)? = properties["SignalQuality"], case .uint32(let quality)? = values.first
        {
            signal = quality
        } else {
            signal = nil
        }
        operatorName = interfaces["\(ModemManager.modem).Modem3gpp"]?.properties?["OperatorName"]?.string
        names = ["EquipmentIdentifier", "PrimaryPort", "Device"].compactMap { properties[$0]?.string }
    }

    /// All that `GetManagedObjects` told, by path.
    static func all(_ reply: [BusValue]) -> [Modem] {
        let objects = reply.first?.dictionary?.keyed(by: \.objectPath) ?? [:]
        return objects.compactMap { Modem(path: $0.key, interfaces: $0.value) }.sorted { $0.path < $1.path }
    }

    /// For people: `Rig Mobile, signal 58 %`.
    var registration: String {
        [operatorName.flatMap { $0.isEmpty ? nil : $0 } ?? "registered", signal.map { "signal \($0) %" }]
            .compactMap(\.self).joined(separator: ", ")
    }
}
