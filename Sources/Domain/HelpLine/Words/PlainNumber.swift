extension Double {
    /// As people write it: `150`, `36.8`; nil for what is no number.
    public var plain: String? {
        guard isFinite else { return nil }
        let rounded = (self * 1_000).rounded() / 1_000
        guard rounded.magnitude < 1e15 else { return "\(self)" }
        return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
    }
}
