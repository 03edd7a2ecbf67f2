import SOSExploration
import Testing

@Suite struct `Every history of an alarm` {
    /// A smaller bound than `make explore`, for each build.
    @Test(arguments: ExploredHouse.all)
    func `keeps every promise`(of house: ExploredHouse) {
        let result = Exploration(house, depth: 5, faults: 1).run()
        #expect(result.broken == [:])
        #expect(result.states > 1_000, "it has not gone anywhere")
    }
}
