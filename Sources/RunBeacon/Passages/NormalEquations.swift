/// The least squares of level, exponent and shadow in `value = level - exponent · loss - shadow · side`, with priors on
/// the last two. Everything is in units of its own deviation.
struct NormalEquations {
    private var w = 0.0, l = 0.0, s = 0.0, ll = 0.0, ls = 0.0, ss = 0.0
    private var y = 0.0, ly = 0.0, sy = 0.0, yy = 0.0

    /// - Parameter shadow: its deviation around zero.
    init(exponent: (mean: Double, deviation: Double), shadow: Double) {
        ll = 1 / (exponent.deviation * exponent.deviation)
        ly = -ll * exponent.mean
        yy = ll * exponent.mean * exponent.mean
        ss = 1 / (shadow * shadow)
    }

    mutating func add(one: Double, loss: Double, side: Double, value: Double) {
        w += one * one
        l += one * loss
        s += one * side
        ll += loss * loss
        ls += loss * side
        ss += side * side
        y += one * value
        ly += loss * value
        sy += side * value
        yy += value * value
    }

    /// By Cramer's rule; nil where nothing is determined.
    var solution: (level: Double, exponent: Double, shadow: Double)? {
        let determinant = w * (ll * ss - ls * ls) - l * (l * ss - ls * s) + s * (l * ls - ll * s)
        guard abs(determinant) > 1e-12 else { return nil }
        let level = y * (ll * ss - ls * ls) - l * (ly * ss - ls * sy) + s * (ly * ls - ll * sy)
        let loss = w * (ly * ss - ls * sy) - y * (l * ss - ls * s) + s * (l * sy - ly * s)
        let side = w * (ll * sy - ly * ls) - l * (l * sy - ly * s) + y * (l * ls - ll * s)
        return (level / determinant, -loss / determinant, -side / determinant)
    }

    /// Sum of squared residuals, those of the priors included.
    func misfit(_ level: Double, _ exponent: Double, _ shadow: Double) -> Double {
        let (a, b, c) = (level, -exponent, -shadow)
        let cross = a * y + b * ly + c * sy
        let square = a * a * w + b * b * ll + c * c * ss + 2 * (a * b * l + a * c * s + b * c * ls)
        return max(0, yy - 2 * cross + square)
    }
}
