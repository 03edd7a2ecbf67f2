import Glibc
import RaceSimulation

// A field as JSON lines, to be played on the air (Tests/BLERig): first one object with the true times, then an array
// [seconds, runner, dBm] for each advertisement that the box hears.

/// Rounds to milliseconds, enough for events that come ten times a second.
func rounded(_ seconds: Double) -> String { "\((seconds * 1_000).rounded() / 1_000)" }

let name = CommandLine.arguments.dropFirst().first ?? ""
guard let plan = Field.Plan.all.first(where: { $0.scenario.name == name }) else {
    let names = Field.Plan.all.map(\.scenario.name).joined(separator: ", ")
    print("RaceField: no field is called '\(name)'; expected one of: \(names)")
    exit(64)
}
let field = Field(plan)
let truths = field.truths.map {
    #"{"runner":\#($0.runner),"order":\#($0.order),"time":\#(rounded($0.nearest))}"#
}
print(
    #"{"seed":\#(plan.scenario.seed),"runners":\#(plan.scenario.runners),"guns":\#(plan.guns),"#
        + #""distances":\#(plan.distances),"waves":\#(field.waves),"truths":[\#(truths.joined(separator: ","))]}"#
)
for heard in field.heard { print("[\(rounded(heard.time)),\(heard.runner),\(heard.rssi)]") }
