/// Every history of an explored house up to a bound, on the real machine.
public struct Exploration: Sendable {
    public struct Result: Sendable {
        public let states: Int
        public let steps: Int
        /// Rules that were broken, each with a shortest history that breaks it.
        public let broken: [String: String]
    }

    private let house: ExploredHouse
    private let depth: Int
    private let faults: Int

    /// - Parameters:
    ///   - depth: how many things happen at most, one after the other.
    ///   - faults: how many of them are crashes, power cuts, clock steps or restarts.
    public init(_ house: ExploredHouse, depth: Int, faults: Int) {
        self.house = house
        self.depth = depth
        self.faults = faults
    }

    /// Breadth first, so that the first history that breaks a rule is a shortest one.
    public func run() -> Result {
        var broken: [String: String] = [:]
        var seen: Set<Int> = []
        var steps = 0
        var frontier: [(world: World, history: [Choice])] = [(World(house), [])]
        for _ in 0..<depth {
            var next: [(world: World, history: [Choice])] = []
            for (world, history) in frontier {
                for choice in world.choices(faultsAllowed: faults) {
                    var after = world
                    after.perform(choice)
                    steps += 1
                    let path = history + [choice]
                    for rule in after.ledger.broken where broken[rule] == nil {
                        broken[rule] = path.map { "\($0)" }.joined(separator: ", ")
                    }
                    guard after.ledger.broken.isEmpty, seen.insert(after.key.hashValue).inserted else {
                        continue
                    }
                    next.append((after, path))
                }
            }
            frontier = next
        }
        return Result(states: seen.count, steps: steps, broken: broken)
    }
}
