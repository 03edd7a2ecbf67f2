/// A measured value as people read it: tenths where there are any, 36.6 but 152.
public struct Figure: Hashable, Sendable {
    public let text: String
    /// Takes the singular.
    public let isOne: Bool

    public init(_ value: Double, in language: PersonProfile.Language) {
        // Far beyond any value of a body; a value that is not a number must not trap here.
        let bounded = value.isFinite ? min(max(value, -1_000_000), 1_000_000) : 0
        // By hand: `rounded()` needs the library of mathematics, which this target does not link.
        let (scaled, cut) = (bounded * 10, Int(bounded * 10))
        let rest = scaled - Double(cut)
        let tenths = rest >= 0.5 ? cut + 1 : rest <= -0.5 ? cut - 1 : cut
        let sign = tenths < 0 ? "-" : ""
        let (whole, tenth) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        text = tenth == 0 ? "\(sign)\(whole)" : "\(sign)\(whole)\(language.decimalMark)\(tenth)"
        isOne = tenths == 10
    }
}
