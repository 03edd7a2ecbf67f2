import GatewayModel

/// Payload of `heartbeat`: the box lives, and its state. A consumer that misses some of them should look after the box.
struct HeartbeatPayload: Encodable {
    struct Wearable: Encodable {
        let device: String
        let lastReadingS: Int64?
    }

    struct Power: Encodable {
        let mains: Bool?
        let batteryPercent: Int?
    }

    let id: String
    let version: String
    /// Until the next one.
    let intervalS: Int64
    let uptimeS: Int64
    /// `status` lists them.
    let conditionCount: Int
    /// Of the gravest condition; absent where there is none.
    let worst: String?
    let openAlarms: Int
    let unsent: Int
    let wearables: [Wearable]
    let power: Power?
    let time: String

    init(_ heartbeat: Heartbeat, version: String, interval: Duration, id: MessageID, at time: WallTime) {
        self.id = id.description
        self.version = version
        intervalS = interval.components.seconds
        uptimeS = heartbeat.uptime.components.seconds
        conditionCount = heartbeat.conditions.count
        worst = heartbeat.conditions.map(\.code.declaration.severity).max()?.rawValue
        (openAlarms, unsent) = (heartbeat.openAlarms, heartbeat.unsent)
        wearables = heartbeat.wearables.map {
            Wearable(device: $0.device.text, lastReadingS: $0.lastReadingAge?.components.seconds)
        }
        power = heartbeat.power.map { Power(mains: $0.hasMains, batteryPercent: $0.batteryPercent) }
        self.time = time.rfc3339
    }
}
