import Systemd

/// Request of bluetoothd to a pairing agent (BlueZ, doc/org.bluez.Agent.rst).
enum AgentCall: Hashable, Sendable {
    static let interface = "org.bluez.Agent1"
    static let path = "/org/homegateway/agent"

    case release
    case requestPinCode(device: String)
    case displayPinCode(device: String, String)
    case requestPasskey(device: String)
    /// `entered`: how many digits were typed at the device so far.
    case displayPasskey(device: String, UInt32, entered: UInt16)
    case requestConfirmation(device: String, UInt32)
    case requestAuthorization(device: String)
    case authorizeService(device: String)
    case cancel

    /// Nil for a call of another name or other types.
    init?(_ request: BusRequest) {
        let device = request.arguments.first?.objectPath
        let second = request.arguments.dropFirst().first
        switch (request.member, device) {
        case ("Release", _): self = .release
        case ("Cancel", _): self = .cancel
        case ("RequestPinCode", let device?): self = .requestPinCode(device: device)
        case ("RequestPasskey", let device?): self = .requestPasskey(device: device)
        case ("RequestAuthorization", let device?): self = .requestAuthorization(device: device)
        case ("AuthorizeService", let device?): self = .authorizeService(device: device)
        case ("DisplayPinCode", let device?):
            guard let code = second?.string else { return nil }
            self = .displayPinCode(device: device, code)
        case ("DisplayPasskey", let device?):
            guard case .uint32(let passkey)? = second, case .uint16(let entered)? = request.arguments.last
            else { return nil }
            self = .displayPasskey(device: device, passkey, entered: entered)
        case ("RequestConfirmation", let device?):
            guard case .uint32(let passkey)? = second else { return nil }
            self = .requestConfirmation(device: device, passkey)
        default: return nil
        }
    }

    /// The device it is about, where it is about one.
    var device: String? {
        switch self {
        case .release, .cancel: nil
        case .requestPinCode(let device), .displayPinCode(let device, _), .requestPasskey(let device),
            .displayPasskey(let device, _, _), .requestConfirmation(let device, _),
            .requestAuthorization(let device), .authorizeService(let device):
            device
        }
    }
}

/// Capability of this computer in a pairing (Core 5.4, Vol 3, Part H, 2.3.2).
public enum AgentCapability: String, Sendable {
    /// Someone can read and type here.
    case keyboardDisplay = "KeyboardDisplay"
    /// A passkey is at hand, and nobody to read one.
    case keyboardOnly = "KeyboardOnly"
    /// Nobody is here: only devices that ask for nothing can be paired.
    case noInputNoOutput = "NoInputNoOutput"
}

/// Question to the person.
public enum PairingQuestion: Hashable, Sendable {
    /// The number that the device shows, or that is on its label.
    case passkey
    /// The same of old devices: any text.
    case pinCode
    /// Whether the device shows this number too: six digits.
    case isShown(passkey: String)
    /// Whether it is to be paired at all.
    case mayPair
}

public enum PairingAnswer: Hashable, Sendable {
    /// 0...999999
    case passkey(UInt32)
    case pinCode(String)
    case yes
    /// No, or nothing to say: ends the pairing.
    case no
}

/// How a pairing speaks to the person. All are called on the "pairing" thread and must return at once.
public struct PairingPrompts: Sendable {
    /// The answer may come from any thread, now or later; only the first counts.
    public let ask: @Sendable (PairingQuestion, _ answer: @escaping @Sendable (PairingAnswer) -> Void) -> Void
    /// To be typed at the device: six digits, or the text of an old device.
    public let show: @Sendable (_ passkey: String) -> Void
    /// The last question has no meaning any more.
    public let withdraw: @Sendable () -> Void

    public init(
        ask:
            @escaping @Sendable (PairingQuestion, _ answer: @escaping @Sendable (PairingAnswer) -> Void) -> Void,
        show: @escaping @Sendable (_ passkey: String) -> Void, withdraw: @escaping @Sendable () -> Void
    ) {
        self.ask = ask
        self.show = show
        self.withdraw = withdraw
    }

    /// Nobody is there: every question is answered with no.
    public static let nobody = PairingPrompts(ask: { $1(.no) }, show: { _ in }, withdraw: {})
}
