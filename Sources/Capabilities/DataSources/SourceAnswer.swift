import FoundationEssentials
import GatewayModel

/// Answer to a line: `{"ok":["<id>",…]}` or `{"refused":"…"}`.
enum SourceAnswer {
    /// IDs of the readings that the line has made, now or before.
    case taken([MessageID])
    case refused(String)

    /// With its line break.
    var line: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let data: Data? =
            switch self {
            case .taken(let ids): try? encoder.encode(["ok": ids.map(\.description)])
            case .refused(let reason): try? encoder.encode(["refused": reason])
            }
        // Texts always encode.
        return [UInt8](data ?? Data()) + [UInt8(ascii: "\n")]
    }
}
