/// Figure with the half width of its interval of 95 %.
public struct GroupFigure: Hashable, Sendable {
    public let value: Double
    /// By the noise, the width of the buckets and rounding together.
    public let error: Double
    /// By the noise alone.
    public let noise: Double
}

/// Answer to a question out of one weekly table. It is arithmetic on published numbers: the same for each party and each time.
public struct GroupAnswer: Hashable, Sendable {
    public enum Refusal: String, CaseIterable, Hashable, Sendable {
        /// The group may have no more than 1,000 persons.
        case tooSmall = "too-small"
        /// The table of the week lacks an area of the question.
        case unknownArea = "unknown-area"
    }

    public struct Figures: Hashable, Sendable {
        /// Rounded to 10.
        public let count: GroupFigure
        /// Nil where the noise hides it.
        public let mean: GroupFigure?
        /// Values below which 10, 50 and 90 % of the persons are; empty where the noise hides them.
        public let quantiles: [Int: GroupFigure]
    }

    public enum Outcome: Hashable, Sendable {
        case figures(Figures)
        case refused(Refusal)
    }

    /// Persons that a group must exceed (requirement R9).
    public static let floor = 1_000
    private static let rounding = 10
    static let percents = [10, 50, 90]
    /// Half width in standard deviations of the interval that has 95 % of a normal distribution.
    private static let normal95 = 1.96

    public let week: Week
    public let rule: GroupRule
    public let kind: GroupKind
    /// The group that was counted, in full.
    public let areas: [AreaName]
    public let ages: [AgeBand]
    public let genders: [Gender]
    public let outcome: Outcome

    public init(_ question: GroupQuestion, of table: WeekTable) {
        (week, rule, kind) = (table.week, table.rule, question.kind)
        (areas, ages) = (question.areas ?? table.areas, question.ages ?? AgeBand.all)
        genders = question.genders ?? Gender.allCases
        outcome = Self.outcome(question, of: table)
    }

    private static func outcome(_ question: GroupQuestion, of table: WeekTable) -> Outcome {
        let known = table.areas
        guard question.areas?.allSatisfy(known.contains) ?? true else { return .refused(.unknownArea) }
        let rows = table.rows.filter { $0.kind == question.kind && question.contains($0.cell) }
        guard !rows.isEmpty else { return .refused(.tooSmall) }
        var counts = Tally.empty
        for row in rows {
            for (bucket, count) in row.counts.enumerated() where bucket < counts.count {
                counts[bucket] += count
            }
        }
        let noise = NoiseSum(of: rows.count * GroupKind.buckets)
        guard rows.reduce(0, { $0 + $1.exact }) > floor else { return .refused(.tooSmall) }
        switch table.rule {
        case .letter: break
        case .margin:
            guard counts.reduce(0, +) >= floor + 1 + noise.margin else { return .refused(.tooSmall) }
        }
        return .figures(figures(counts, question.kind, cells: rows.count, noise))
    }

    private static func figures(
        _ counts: [Int], _ kind: GroupKind, cells: Int, _ noise: NoiseSum
    ) -> Figures {
        let total = counts.reduce(0, +)
        let rounded = Int((Double(total) / Double(rounding)).rounded()) * rounding
        let size = GroupFigure(
            value: Double(rounded), error: Double(noise.halfWidth + rounding / 2),
            noise: Double(noise.halfWidth))
        guard total > noise.halfWidth else { return Figures(count: size, mean: nil, quantiles: [:]) }
        let shape = Shape(counts, edges: kind.edges, variance: Double(cells) * NoiseSum.variance)
        var quantiles: [Int: GroupFigure] = [:]
        for percent in percents {
            quantiles[percent] = shape.quantile(Double(percent) / 100, width: normal95)
        }
        return Figures(count: size, mean: shape.mean(width: normal95), quantiles: quantiles)
    }
}

/// Distribution of values over buckets, with the variance of the noise of each.
private struct Shape {
    private let counts: [Double]
    private let edges: [Double]
    private let variance: Double
    private let total: Double

    /// - Parameter variance: of each count.
    init(_ counts: [Int], edges: [Double], variance: Double) {
        self.counts = counts.map(Double.init)
        (self.edges, self.variance) = (edges, variance)
        total = self.counts.reduce(0, +)
    }

    /// Mean of the middles. Its noise is that of a ratio to the first order.
    func mean(width: Double) -> GroupFigure {
        var (sum, halves) = (0.0, 0.0)
        for (bucket, count) in counts.enumerated() {
            sum += count * middle(bucket)
            halves += max(count, 0) * (edges[bucket + 1] - edges[bucket]) / 2
        }
        let mean = min(max(sum / total, edges[0]), edges[counts.count])
        var squares = 0.0
        for bucket in counts.indices { squares += (middle(bucket) - mean) * (middle(bucket) - mean) }
        let noise = width * (squares * variance).squareRoot() / total
        return GroupFigure(value: mean, error: noise + halves / total, noise: noise)
    }

    /// Value below which a share of the persons is, with the persons of a bucket spread evenly over it.
    func quantile(_ share: Double, width: Double) -> GroupFigure {
        // The persons below and those above have independent noise; this is the most that both can add to the share.
        let spread =
            max(share, 1 - share) * (Double(counts.count) * variance).squareRoot() / total
        let value = place(share)
        let (low, high) = (place(share - width * spread), place(share + width * spread))
        let noise = max(value - low, high - value)
        let inside = bucket(of: value)
        return GroupFigure(
            value: value, error: noise + (edges[inside + 1] - edges[inside]), noise: noise)
    }

    private func middle(_ bucket: Int) -> Double { (edges[bucket] + edges[bucket + 1]) / 2 }

    private func bucket(of value: Double) -> Int {
        min(edges.dropFirst().prefix { $0 <= value }.count, counts.count - 1)
    }

    private func place(_ share: Double) -> Double {
        let wanted = min(max(share, 0), 1) * counts.reduce(0) { $0 + max($1, 0) }
        var sum = 0.0
        for (bucket, count) in counts.enumerated() where count > 0 {
            if sum + count >= wanted {
                return edges[bucket] + (wanted - sum) / count * (edges[bucket + 1] - edges[bucket])
            }
            sum += count
        }
        return edges[counts.count]
    }
}
