import ControlContract
import GatewayModel

/// How well each wearable is heard, counted from the states that the gateway tells each second. Pure.
struct ReceptionCount: Sendable {
    /// Two ages of one message differ by the time that the answer took.
    private static let sameMessage = Duration.milliseconds(300)
    /// A strap or an oximeter sends each second or so: so long without it, and alarms come late.
    private static let longestSilence = Duration.seconds(15)
    /// Kinds that a wearable streams for as long as it is worn.
    private static let streamed: Set = [
        QuantityKind.heartRate.rawValue, QuantityKind.oxygenSaturation.rawValue,
    ]

    private struct Count {
        var heard = 0
        var last: BootInstant
        var longest = Duration.zero
        var streams = false
    }

    private let begin: BootInstant
    private var counts: [String: Count] = [:]
    private var end: BootInstant

    init(from begin: BootInstant) { (self.begin, end) = (begin, begin) }

    mutating func take(_ devices: [HouseSnapshot.Device], at now: BootInstant) {
        end = now
        for device in devices {
            var count = counts[device.id] ?? Count(last: begin)
            count.streams = count.streams || device.kinds?.contains(where: Self.streamed.contains) == true
            if let age = device.lastHeardAgeMs {
                let heard = now.advanced(by: .zero - .milliseconds(age))
                if heard > begin, count.heard == 0 || count.last.duration(to: heard) > Self.sameMessage {
                    count.heard += 1
                    count.longest = max(count.longest, count.last.duration(to: heard))
                    count.last = heard
                }
            }
            counts[device.id] = count
        }
    }

    /// One for each wearable, by its name.
    var findings: [CheckReport.Finding] {
        let seconds = begin.duration(to: end).wholeMilliseconds / 1_000
        guard !counts.isEmpty else {
            return [
                CheckReport.Finding(
                    .problem, part: "wearables", seen: "the house has none: nobody is watched over",
                    remedy: "add one: homegateway devices, or the page of the installer")
            ]
        }
        return counts.sorted { $0.key < $1.key }.map { name, count in
            let silence = max(count.longest, count.last.duration(to: end)).wholeMilliseconds
            guard count.heard > 0 else {
                return CheckReport.Finding(
                    .problem, part: "reception of \(name)", seen: "not heard in \(seconds) s",
                    remedy:
                        "put it on or measure with it, change its battery, bring it nearer; then run this again"
                )
            }
            let seen = "heard \(count.heard) times in \(seconds) s, longest silence \(silence / 1_000) s"
            guard count.streams, silence > Self.longestSilence.wholeMilliseconds else {
                return CheckReport.Finding(.ok, part: "reception of \(name)", seen: seen)
            }
            return CheckReport.Finding(
                .problem, part: "reception of \(name)", seen: seen,
                expected: "at most \(Self.longestSilence.components.seconds) s",
                remedy:
                    "wear it well, move the box or its antenna away from metal and USB 3, and run this again")
        }
    }
}
