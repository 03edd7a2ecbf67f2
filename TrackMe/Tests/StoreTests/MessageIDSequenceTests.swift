import GatewayModel
import SeededRandom
import Testing

struct MessageIDSequenceTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    @Test func `IDs of a sequence are of version 7, differ, and give their numbers back`() throws {
        var sequence = MessageIDSequence(SeededGenerator(seed: 1))
        let ids = (0..<3_000).map { _ in sequence.next(at: noon) }
        #expect(Set(ids).count == 3_000)
        for id in ids {
            #expect(id.wall == noon && id.high & 0xF000 == 0x7000 && id.low >> 62 == 0b10)
            let number = try #require(id.number)
            #expect(MessageID(wall: noon, number: number) == id)
        }
        let steps = zip(ids, ids.dropFirst()).map { ($1.number ?? 0) &- ($0.number ?? 0) }
        #expect(steps.count { $0 == 1 } == 2_997, "a new random number after each 1,024 IDs")
    }

    @Test func `a random ID is of no sequence, but for one in 4,096`() {
        var chance = SeededGenerator(seed: 2)
        let count = (0..<40_960).count { _ in MessageID(wall: noon, using: &chance).number != nil }
        #expect((1...30).contains(count))
    }
}
