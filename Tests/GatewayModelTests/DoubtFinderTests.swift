import Foundation
import GatewayModel
import Testing

@Suite struct `The doubt finder` {
    /// Values of a stream at 1 Hz, each with its intervals.
    private func doubts(
        _ values: [(Double, [Double])], of kind: QuantityKind = .heartRate, every seconds: Double = 1
    ) -> [Doubts] {
        var finder = DoubtFinder()
        return values.enumerated().map { index, value in
            let quantities = [Quantity(kind, value.0)] + value.1.map { Quantity(.rrInterval, $0) }
            let now = BootInstant(nanoseconds: Int64(Double(index) * seconds * 1e9))
            return finder.doubts(about: quantities, at: now)[kind] ?? []
        }
    }

    private func bare(_ values: [Double]) -> [(Double, [Double])] { values.map { ($0, []) } }

    @Test func `doubts a jump until five more agree, and nothing after`() {
        #expect(
            doubts(bare([72, 150, 150, 150, 150, 150, 150, 150])) == [
                [], .jump, .jump, .jump, .jump, .jump, [], [],
            ])
    }

    @Test func `doubts two false beats and not the value before or after`() {
        #expect(doubts(bare([72, 200, 200, 74])) == [[], .jump, .jump, []])
    }

    @Test func `doubts no change that a body makes`() {
        #expect(doubts(bare([60, 100, 140, 175, 140, 100])).allSatisfy { $0.isEmpty })
        #expect(doubts(bare([97, 90, 83, 76]), of: .oxygenSaturation).allSatisfy { $0.isEmpty })
        #expect(doubts(bare([72, 150]), every: 3.5) == [[], []])
        #expect(doubts(bare([97, 84]), of: .oxygenSaturation) == [[], .jump])
    }

    @Test func `doubts no jump that the heart's own beats show`() {
        #expect(doubts([(72, [830]), (150, [400, 400]), (150, [400, 410])]).allSatisfy { $0.isEmpty })
    }

    @Test func `doubts a rate that its beats contradict`() {
        #expect(doubts([(72, [830]), (72, [830]), (72, [830]), (104, [830])]).last == .contradictsBeats)
        #expect(doubts([(72, [830]), (72, [830]), (72, [830]), (88, [830])]).last == [])
    }

    @Test func `names a rate that is twice or half of its beats`() {
        #expect(doubts([(140, [850, 860, 840])]) == [.miscountedBeats])
        #expect(doubts([(36, [830, 840, 830])]) == [.miscountedBeats])
    }

    @Test func `believes the rate of a heart that beats unevenly`() {
        #expect(doubts([(95, [420, 900, 610, 650, 380, 1_100])]) == [[]])
    }

    @Test func `takes any values and any number of beats`() {
        var finder = DoubtFinder()
        for second in 0..<1_000 as Range<Int64> {
            let beats = (0..<9).map { Quantity(.rrInterval, $0 % 2 == 0 ? 300 : .infinity) }
            let rate = second % 3 == 0 ? Double.nan : Double(second)
            _ = finder.doubts(
                about: [Quantity(.heartRate, rate)] + beats, at: BootInstant(nanoseconds: second * 100_000_000))
        }
    }

    @Test func `survive a snapshot by their words, and an unknown word stays a doubt`() throws {
        let all = Doubts(words: Doubts.everyWord)
        #expect(try JSONDecoder().decode(Doubts.self, from: JSONEncoder().encode(all)) == all)
        #expect(try JSONDecoder().decode(Doubts.self, from: Data(#"["of-tomorrow"]"#.utf8)) == .questionable)
    }
}
