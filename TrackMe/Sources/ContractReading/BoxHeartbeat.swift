public import GatewayModel

/// Sign of life of a gateway.
public struct BoxHeartbeat: Hashable, Sendable {
    public struct Wearable: Hashable, Sendable {
        public let device: DeviceID
        /// Nil if the gateway has heard nothing of it yet.
        public let lastReadingAge: Duration?
    }

    public let id: MessageID
    public let version: String
    public let time: WallTime
    /// Time until the next one.
    public let interval: Duration
    public let uptime: Duration
    public let conditionCount, openAlarms, unsent: Int
    /// Severity of the worst condition, as the contract names it.
    public let worst: String?
    public let wearables: [Wearable]
    /// Nil where the box does not show it.
    public let hasMains: Bool?
    public let batteryPercent: Int?

    public init(_ payload: [UInt8]) throws(ContractFault) {
        let fields: Fields = try WirePayload.read(from: payload)
        // A day is the longest interval that a command can set.
        guard (1...86_400).contains(fields.intervalS), fields.uptimeS >= 0, fields.uptimeS < 1 << 40 else {
            throw .form("'interval_s' or 'uptime_s' is outside of its range")
        }
        (id, version, time) = (fields.id, fields.version.text, fields.time.wall)
        (interval, uptime) = (.seconds(fields.intervalS), .seconds(fields.uptimeS))
        conditionCount = max(0, fields.conditionCount)
        openAlarms = max(0, fields.openAlarms)
        unsent = max(0, fields.unsent)
        worst = fields.worst?.text
        wearables = fields.wearables.map { wearable in
            let age = wearable.lastReadingS.flatMap { (0..<1 << 40).contains($0) ? $0 : nil }
            return Wearable(device: wearable.device, lastReadingAge: age.map { .seconds($0) })
        }
        hasMains = fields.power?.mains
        batteryPercent = fields.power?.batteryPercent.flatMap { (0...100).contains($0) ? $0 : nil }
    }

    /// Names of the contract; `S` stands for seconds.
    private struct Fields: Decodable {
        struct Wearable: Decodable {
            let device: DeviceID
            let lastReadingS: Int64?
        }

        struct Power: Decodable {
            let mains: Bool?
            let batteryPercent: Int?
        }

        let id: MessageID
        let version: WireText
        let time: WireTime
        let intervalS, uptimeS: Int64
        let conditionCount, openAlarms, unsent: Int
        let worst: WireText?
        let wearables: [Wearable]
        let power: Power?
    }
}
