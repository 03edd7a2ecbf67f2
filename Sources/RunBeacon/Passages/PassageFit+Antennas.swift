extension PassageFit {
    /// One estimate of those of several antennas, which stand on one line across the course.
    ///
    /// They hear the same tag with different distances, bodies in the way and fading, so their errors have little to do
    /// with each other: the mean, weighted by what each is sure of, is surer than either. One that contradicts the surest
    /// by more than both bounds allow has heard something else, a reflection mostly: it is left out.
    static func joined(_ estimates: [Estimate]) -> Estimate? {
        guard let surest = estimates.min(by: { $0.bound < $1.bound }) else { return nil }
        let agreeing = estimates.filter { other in
            let allowed = (surest.bound * surest.bound + other.bound * other.bound).squareRoot()
            return abs(other.nearest - surest.nearest) <= allowed
        }
        guard agreeing.count > 1 else { return surest }
        let weights = agreeing.map { 1 / max(1e-6, $0.bound * $0.bound) }
        let whole = weights.reduce(0, +)
        let sum = zip(agreeing, weights).reduce(0) { $0 + $1.0.nearest * $1.1 }
        return Estimate(
            nearest: sum / whole, bound: (1 / whole).squareRoot(),
            prominence: agreeing.map(\.prominence).max() ?? surest.prominence)
    }
}
