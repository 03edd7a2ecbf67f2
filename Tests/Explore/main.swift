import Foundation
import SOSExploration

// make explore: every history of a house up to a bound, against the promises T1 to T10.
let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let depth = arguments.first ?? 7
let faults = arguments.dropFirst().first ?? 2
var isBroken = false
print("Histories of at most \(depth) events, \(faults) of them faults, on the machine as it is shipped:\n")
for house in ExploredHouse.all {
    let began = Date()
    let result = Exploration(house, depth: depth, faults: faults).run()
    let seconds = String(format: "%.1f s", Date().timeIntervalSince(began))
    print(
        "\(house.name): \(result.states) states, \(result.steps) steps, \(seconds), \(result.broken.count) rules broken"
    )
    for (rule, history) in result.broken.sorted(by: { $0.key < $1.key }) {
        print("  BROKEN \(rule)\n         after \(history)")
    }
    isBroken = isBroken || !result.broken.isEmpty
}
exit(isBroken ? 1 : 0)
