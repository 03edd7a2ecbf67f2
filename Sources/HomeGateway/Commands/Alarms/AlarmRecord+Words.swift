import Hub
import Vault

// A record as a person reads it at a terminal. What others wrote (names, reasons) is cleaned.
extension AlarmRecord {
    var timeLine: [String] {
        let about = device.map { ", by \($0)" } ?? ""
        let rows = steps.map { step in ["", "+\(step.afterMs) ms", step.at, step.inWords] }
        var lines = ["alarm \(id)", "\(cause) of \(person), priority \(priority)\(about)"]
        if isDrill { lines.append("a drill: nobody was in danger") }
        lines += Shown.table(rows)
        lines.append("limits")
        lines.append("  alarm in the house, from the confirmation: \(alarm.inWords)")
        lines.append("  call handed over, from the crossing: \(handOver.inWords)")
        if restarts > 0 { lines.append("the gateway was restarted meanwhile: \(restarts)") }
        if isOverReboot {
            lines.append("so was the machine: times after it do not count how long it was away")
        }
        return lines
    }
}

extension AlarmRecord.Step {
    var inWords: String {
        let channel = channel.map { " through \($0)" } ?? ""
        let text = text.map { Shown.text($0, most: 200) }
        return switch what {
        case .crossing: "crossing"
        case .confirmed: "confirmed"
        case .sounded: "alarm sounded in the house"
        case .called: "call given to \(self.channel ?? "-")"
        case .handedOver: "call handed over\(channel)"
        case .failed: "call failed\(channel): \(text ?? "-")"
        case .accepted: "accepted by \(text ?? "-")\(channel)"
        case .aborted: "aborted by \(text ?? "-")"
        case .resolved: "resolved by \(text ?? "-")"
        case .lapsed: "lapsed: nobody answered"
        }
    }
}

extension AlarmRecord.Measure {
    /// `503 ms`, with a mark where it is too late.
    var brief: String {
        guard let measuredMs else { return isHeld == false ? "never (!)" : "-" }
        return "\(measuredMs) ms\(isHeld == false ? " (!)" : "")"
    }

    var inWords: String {
        let limit = "limit \(limitMs) ms"
        switch (measuredMs, isHeld) {
        case (nil, false?): return "it never was, \(limit): BROKEN"
        case (nil, _): return "not measured (\(limit))"
        case (let measuredMs?, let isHeld?):
            return "\(measuredMs) ms, \(limit): \(isHeld ? "held" : "BROKEN")"
        case (let measuredMs?, nil): return "\(measuredMs) ms (no limit: not an emergency, or not to be judged)"
        }
    }
}
