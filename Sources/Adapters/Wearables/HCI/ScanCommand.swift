/// The two sets of scan commands. A controller that has been given one of the extended set refuses the
/// legacy ones until its next reset (Core 5.4, Vol 4, Part E, 3.1.1), so the kernel's choice is followed.
enum ScanDialect: Hashable, Sendable {
    case legacy, extended
}

/// A command that the scanner sends.
enum ScanCommand: Hashable, Sendable {
    case readSupportedCommands
    /// As `ScanConditions.own`.
    case setParameters(ScanDialect)
    case enable(ScanDialect)
    case disable(ScanDialect)

    enum Opcode {
        static let readSupportedCommands: UInt16 = 0x1002
        static let setParameters: UInt16 = 0x200B
        static let setEnable: UInt16 = 0x200C
        static let setExtendedParameters: UInt16 = 0x2041
        static let setExtendedEnable: UInt16 = 0x2042
        static let scanning = [setParameters, setEnable, setExtendedParameters, setExtendedEnable]
    }

    /// The name in the specification.
    var name: String {
        switch self {
        case .readSupportedCommands: "Read Local Supported Commands"
        case .setParameters(.legacy): "LE Set Scan Parameters"
        case .setParameters(.extended): "LE Set Extended Scan Parameters"
        case .enable(.legacy), .disable(.legacy): "LE Set Scan Enable"
        case .enable(.extended), .disable(.extended): "LE Set Extended Scan Enable"
        }
    }

    var opcode: UInt16 {
        switch self {
        case .readSupportedCommands: Opcode.readSupportedCommands
        case .setParameters(.legacy): Opcode.setParameters
        case .setParameters(.extended): Opcode.setExtendedParameters
        case .enable(.legacy), .disable(.legacy): Opcode.setEnable
        case .enable(.extended), .disable(.extended): Opcode.setExtendedEnable
        }
    }

    /// Core 5.4, Vol 4, Part E, 7.8.10, 7.8.11, 7.8.64 and 7.8.65, for `ScanConditions.own`.
    private var parameters: [UInt8] {
        switch self {
        case .readSupportedCommands: []
        // Passive, interval and window (2 each), own address public (a passive scan shows none), no list.
        case .setParameters(.legacy): [0x00] + Self.continuous + [0x00, 0x00]
        // Own address, no list, on the 1M PHY: passive, interval and window.
        case .setParameters(.extended): [0x00, 0x00, 0x01, 0x00] + Self.continuous
        // On or off, report duplicates; of the extended one also duration and period: until stopped.
        case .enable(.legacy): [0x01, 0x00]
        case .disable(.legacy): [0x00, 0x00]
        case .enable(.extended): [0x01, 0x00, 0, 0, 0, 0]
        case .disable(.extended): [0x00, 0x00, 0, 0, 0, 0]
        }
    }

    /// Interval and window: 48 × 0.625 ms = 30 ms.
    private static let continuous: [UInt8] = [0x30, 0x00, 0x30, 0x00]

    /// As a raw socket takes it: packet type, opcode, length, parameters.
    var packet: [UInt8] {
        let parameters = parameters
        return [0x01, UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
    }
}

/// A scan command that anybody sent, this scanner too, as the kernel shows it to those who watch.
enum ObservedCommand: Hashable, Sendable {
    case parameters(ScanDialect, isActive: Bool, interval: Duration, window: Duration, listedOnly: Bool)
    case enable(ScanDialect, isOn: Bool, filtersDuplicates: Bool)

    var dialect: ScanDialect {
        switch self {
        case .parameters(let dialect, _, _, _, _), .enable(let dialect, _, _): dialect
        }
    }

    /// Nil where it is another command, or too short to be one.
    init?(opcode: UInt16, parameters bytes: Span<UInt8>) {
        func duration(at offset: Int) -> Duration {
            .microseconds((Int64(bytes[offset]) | Int64(bytes[offset + 1]) << 8) * 625)
        }
        switch opcode {
        case ScanCommand.Opcode.setParameters where bytes.count >= 7:
            self = .parameters(
                .legacy, isActive: bytes[0] == 1, interval: duration(at: 1), window: duration(at: 3),
                listedOnly: bytes[6] & 1 != 0)
        // Of several PHYs the first is the 1M one, on which all that matter here advertise.
        case ScanCommand.Opcode.setExtendedParameters where bytes.count >= 8:
            self = .parameters(
                .extended, isActive: bytes[3] == 1, interval: duration(at: 4), window: duration(at: 6),
                listedOnly: bytes[1] & 1 != 0)
        case ScanCommand.Opcode.setEnable where bytes.count >= 2:
            self = .enable(.legacy, isOn: bytes[0] == 1, filtersDuplicates: bytes[1] != 0)
        case ScanCommand.Opcode.setExtendedEnable where bytes.count >= 2:
            self = .enable(.extended, isOn: bytes[0] == 1, filtersDuplicates: bytes[1] != 0)
        default: return nil
        }
    }
}
