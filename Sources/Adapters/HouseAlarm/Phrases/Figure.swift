/// A measured value as people read it: tenths where there are any, 36.6 but 152.
struct Figure: Hashable, Sendable {
    let text: String
    /// Takes the singular.
    let isOne: Bool

    init(_ value: Double, decimalMark: Character) {
        // Wide beyond anything that a body gives, and what is no number must not trap here.
        let bounded = value.isFinite ? min(max(value, -1_000_000), 1_000_000) : 0
        let tenths = Int((bounded * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        text = rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole)\(decimalMark)\(rest)"
        isOne = tenths == 10
    }
}
