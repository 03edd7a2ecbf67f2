import Consent
public import GatewayModel

/// `heartbeat`: the box lives, and how it is. Whoever hears none for some intervals should look after it.
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
}

extension Envelope {
    /// - Parameter interval: until the next one, and for as long as the broker keeps this one for somebody who
    ///   is away: an old sign of life is none.
    public static func heartbeat(
        _ heartbeat: Heartbeat, version: String, interval: Duration, id: MessageID, at time: WallTime,
        topics: Topics
    ) -> Envelope {
        let payload = HeartbeatPayload(
            id: id.description, version: version, intervalS: interval.components.seconds,
            uptimeS: heartbeat.uptime.components.seconds, conditionCount: heartbeat.conditions.count,
            worst: heartbeat.conditions.map(\.code.declaration.severity).max()?.rawValue,
            openAlarms: heartbeat.openAlarms, unsent: heartbeat.unsent,
            wearables: heartbeat.wearables.map {
                HeartbeatPayload.Wearable(
                    device: $0.device.text, lastReadingS: $0.lastReadingAge?.components.seconds)
            },
            power: heartbeat.power.map {
                HeartbeatPayload.Power(mains: $0.hasMains, batteryPercent: $0.batteryPercent)
            },
            time: time.rfc3339)
        return Envelope(
            id: id, lane: .live, retention: .moment,
            disclosure: .household(Set(heartbeat.wearables.map(\.person))),
            topic: topics.heartbeat, payload: WireJSON.encode(payload), expiry: interval)
    }
}
