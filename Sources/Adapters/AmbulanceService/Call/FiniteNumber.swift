extension Double {
    /// Nil for infinity and what is no number: JSON has no word for them.
    var finite: Double? { isFinite ? self : nil }
}
