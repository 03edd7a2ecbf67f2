import GatewayModel
import RaceSimulation
import RunBeacon

func padded(_ text: String, _ width: Int) -> String {
    text.count >= width ? text : String(repeating: " ", count: width - text.count) + text
}

func left(_ text: String, _ width: Int) -> String {
    text.count >= width ? text : text + String(repeating: " ", count: width - text.count)
}

func number(_ value: Double) -> String { value.isNaN ? "-" : "\(Int(value.rounded()))" }

func row(_ cells: [String]) {
    print(left(cells[0], 24) + left(cells[1], 24) + cells.dropFirst(2).map { padded($0, 9) }.joined())
}

func line(_ scenario: String, _ method: String, _ score: Score) {
    row([
        scenario, method, number(score.quantile(0.5)), number(score.quantile(0.95)), number(score.quantile(1)),
        "\(score.missed)", "\(score.surplus)", number(score.coverage), number(score.medianBound),
    ])
}

let used = memory()
print("Error of the time of passing, ms; bound: median of what was stated, and how many of 100 lie within it\n")
row(["scenario", "method", "median", "p95", "max", "missed", "surplus", "within", "bound"])
// Another seed plays the same scenarios with other runners: no result may depend on one of them.
let seed = CommandLine.arguments.dropFirst().first.flatMap(UInt64.init)
for var scenario in Scenario.all {
    scenario.seed = seed ?? scenario.seed
    let race = Race(scenario)
    let passages = detect(race.hits)
    // At a start the last passage counts, also for runners that stay; elsewhere, a runner that stays passes nothing.
    let sure =
        scenario.crowd == nil
        ? passages.filter { !$0.flags.contains(.lingered) }
        : Dictionary(grouping: passages, by: \.tag).values.compactMap { $0.max { $0.nearest < $1.nearest } }
    line(
        scenario.name, "this",
        Score(sure.map { Score.Answer(tag: $0.tag, nearest: $0.nearest, bound: $0.bound) }, race.truths))
    let byTag = Dictionary(grouping: race.hits, by: \.tag)
    // The baselines know only one passing, and no bystanders.
    for baseline in Baseline.allCases where scenario.laps == 1 && scenario.crowd == nil {
        line("", baseline.rawValue, Score(baseline.answers(byTag), race.truths))
    }
    for floor in Floor.allCases where scenario.laps == 1 && scenario.crowd == nil && scenario.road == nil {
        line("", floor.rawValue, Score(floor.answers(byTag, race), race.truths))
    }
}
let clones = Clones()
line("clones, 40 pairs", "this", clones.score)
print(
    "\nMarked as cloned: \(clones.copied.marked) of \(clones.copied.all) passings of copied tags, "
        + "\(clones.single.marked) of \(clones.single.all) of the others")
try follow()
speed()
print("\nMemory, KiB")
for line in used { print(line) }
