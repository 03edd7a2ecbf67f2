import ContractReading
import GatewayModel
import HTML

/// Vital signs of the minutes before a call: one line a kind, with its first, lowest, highest and last value.
struct TrendLines {
    let values: [EmergencyMessage.TrendValue]
    let words: Words

    var html: HTML {
        let kinds = values.reduce(into: [String]()) { if !$0.contains($1.kind) { $0.append($1.kind) } }
        return HTML(kinds.prefix(8).map(line))
    }

    private func line(_ kind: String) -> HTML {
        let own = values.filter { $0.kind == kind }.sorted { $0.time < $1.time }.suffix(200)
        guard let last = own.last, let low = own.map(\.value).min(), let high = own.map(\.value).max(),
            let from = own.first?.time.millisecondsSince1970
        else { return .none }
        let span = max(last.time.millisecondsSince1970 - from, 1)
        let height = max(high - low, 1e-9)
        var path = HTML.PathData()
        for (index, value) in own.enumerated() {
            let x = Int(Double(value.time.millisecondsSince1970 - from) / Double(span) * 560) + 20
            let y = 100 - Int((value.value - low) / height * 80)
            if index == 0 { path.move(to: x, y) } else { path.line(to: x, y) }
            if own.count == 1 { path.dot() }
        }
        let figures = words.figure(last.value, last.unit, kind: kind)
        let range = "\(words.figure(low, "")) - \(words.figure(high, last.unit, kind: kind))"
        return HTML(
            .div, .set(.class, "trend"),
            content: HTML(.h3, text: "\(words.title(ofKind: kind)): \(figures)"),
            HTML(
                .svg, .set(.class, "spark"), .set(.viewBox, "0 0 600 120"), .set(.role, "img"),
                .set(.ariaLabel, "\(words.title(ofKind: kind)): \(range)"),
                content: HTML(.path, .d(path))), HTML(.p, text: range))
    }
}
