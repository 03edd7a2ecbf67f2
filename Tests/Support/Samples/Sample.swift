public import GatewayModel
import ModelSamples
import SOSLocal

@testable public import Consent
@testable public import Contract

/// Values that several suites need.
public enum Sample {
    public static let maria = PersonID(sample: "maria")
    public static let topics = Topics(gateway: GatewayID(sample: "house-12"))

    public static func id(_ number: Int) -> MessageID {
        MessageID(
            "0190c3a2-0000-7000-8000-" + String(repeating: "0", count: 12 - String(number).count)
                + String(number))!
    }

    public static func moment(_ seconds: Double) -> Moment {
        Moment(
            boot: BootInstant(nanoseconds: Int64(seconds * 1e9)),
            wall: WallTime(millisecondsSince1970: 1_772_353_800_000 + Int64(seconds * 1_000)))
    }

    public static func reading(_ number: Int, bpm: Double = 72, contact: SensorContact = .detected) -> Reading {
        Reading(
            id: id(number), person: maria, device: DeviceID(sample: "strap"),
            quantity: Quantity(.heartRate, bpm), contact: contact, arrival: moment(Double(number)))
    }

    /// Not asked: for tests of what comes after the gate.
    public static func cleared(
        _ number: Int, lane: Envelope.Lane = .live, topic: String = "t", payload: String = "{}",
        retention: Envelope.Retention? = nil, isRetained: Bool = false
    ) -> Cleared<Envelope> {
        Cleared(
            envelope(
                number, lane: lane, topic: topic, payload: payload, retention: retention,
                isRetained: isRetained))
    }

    public static func envelope(
        _ number: Int, lane: Envelope.Lane = .live, topic: String = "t", payload: String = "{}",
        retention: Envelope.Retention? = nil, isRetained: Bool = false
    ) -> Envelope {
        Envelope(
            id: id(number), lane: lane, retention: retention ?? (lane == .alarm ? .certain : .sample),
            disclosure: lane == .alarm ? .emergency(of: maria) : .readings(of: maria, kind: .heartRate),
            topic: topic, payload: Array(payload.utf8), isRetained: isRetained)
    }
}
