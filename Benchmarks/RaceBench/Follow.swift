import RaceSimulation
import RunBeacon

/// What is told of runners by their positions, beside the truth: a table.
func follow() throws {
    print(
        "\nRunners followed by their positions, each 2 s, ± 10 m, 5 % of the time without; times in s, distances in m\n"
    )
    columns([
        "course", "style", "off, med", "p95", "max", "unsure %", "foreseen", "within", "bound", "line",
        "within",
        "bound", "missed", "leap",
    ])
    for drawn in DrawnCourse.allCases {
        let course = drawn.course
        let points = Array(stride(from: 2_000, to: course.length - 500, by: 2_000)) + [course.length]
        for style in Jog.Style.allCases {
            var score = FollowScore()
            for seed in 1...10 as ClosedRange<UInt64> {
                try score.play(
                    Jog(course, style, speed: 2.2 + 0.3 * Double(seed), seed: seed), points: points)
            }
            columns([drawn.rawValue, style.rawValue] + cells(score))
        }
    }
}

private func cells(_ score: FollowScore) -> [String] {
    let all = score.errors.count + score.unsure
    return [0.5, 0.95, 1].map { number(score.errors.quantile($0)) }
        + [
            number(100 * Double(score.unsure) / Double(max(1, all))),
            number(score.predictions.map(\.error).quantile(0.5)), number(score.predictions.coverage),
            number(score.predictions.map(\.bound).quantile(0.5)),
            tenths(score.crossings.map(\.error).quantile(0.5)), number(score.crossings.coverage),
            tenths(score.crossings.map(\.bound).quantile(0.5)), "\(score.missed)", number(score.leap),
        ]
}

private func tenths(_ value: Double) -> String { value.isNaN ? "-" : "\((value * 10).rounded() / 10)" }

private func columns(_ cells: [String]) {
    print(left(cells[0], 14) + left(cells[1], 14) + cells.dropFirst(2).map { padded($0, 9) }.joined())
}
