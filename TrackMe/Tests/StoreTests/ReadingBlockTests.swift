import GatewayModel
import SeededRandom
import Testing

@testable import Store

struct ReadingBlockTests {
    private static let noon: Int64 = 1_772_366_400_000
    private let key = BlockKey(series: 7, form: .readings, span: 492_324, part: 0)

    /// Readings in any form, sorted: regular or wild times, IDs of each kind, values of each scale, flags and beats.
    private static func readings(_ count: Int, _ chance: inout SeededGenerator) -> [PackedReading] {
        var sequence = MessageIDSequence(SeededGenerator(seed: chance.next()))
        let (isWild, form) = (Bool.random(using: &chance), Int.random(in: 0...3, using: &chance))
        let scale = [1, 10, 100, 1_000, 3, 0].randomElement(using: &chance)!
        var time = noon
        var found: [MessageID: PackedReading] = [:]
        for _ in 0..<count {
            time += isWild ? Int64.random(in: 0...5_000_000, using: &chance) : 1_000
            let wall = WallTime(
                millisecondsSince1970: [0, 1 << 48 - 1].randomElement(using: &chance)!
                    == 0 || !isWild ? time : Int64.random(in: 0..<1 << 48, using: &chance))
            let id =
                switch form == 3 ? Int.random(in: 0...2, using: &chance) : form {
                case 0: sequence.next(at: wall)
                case 1: MessageID(wall: wall, using: &chance)
                default: MessageID(high: chance.next(), low: chance.next())
                }
            let value =
                scale == 0
                ? [
                    -0.0, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
                    .infinity, 0.1, 9_007_199_254_740_994, Double(bitPattern: chance.next()),
                ].randomElement(using: &chance)!
                : Double(Int.random(in: -400...4_000, using: &chance)) / Double(scale)
            let delay = isWild ? Int64(bitPattern: chance.next()) : 0
            found[id] = PackedReading(
                id: id, time: id.wall.millisecondsSince1970 &+ delay, value: value.isNaN ? 1 : value,
                flags: isWild ? Int64(bitPattern: chance.next()) : Int64.random(in: 0...63, using: &chance),
                beats: Bool.random(using: &chance)
                    ? nil
                    : (0..<Int.random(in: 0...9, using: &chance)).map { _ in
                        UInt8.random(in: .min ... .max, using: &chance)
                    })
        }
        return found.values.sorted { $0.id < $1.id }
    }

    @Test(arguments: 1...400) func `a block gives back each bit of its readings`(seed: Int) throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        let readings = Self.readings(seed % 37, &chance)
        let content = ReadingBlock.packed(readings, at: key, -5...9)
        let read = try ReadingBlock.readings(content, at: key, -5...9)
        #expect(read == readings)
        #expect(read.map(\.value.bitPattern) == readings.map(\.value.bitPattern))
        #expect(try ReadingBlock.ids(content, at: key, -5...9) == readings.map(\.id))
        let ids = readings.map(\.id)
        #expect(try ReadingBlock.ids(ReadingBlock.packed(ids, at: idKey, 0...0), at: idKey, 0...0) == ids)
    }

    private let idKey = BlockKey(series: 7, form: .ids, span: 20_513, part: 0)

    @Test func `each bit that changes, each byte that is missing and each other place is damage`() throws {
        var chance = SeededGenerator(seed: 1)
        let readings = Self.readings(12, &chance)
        let content = ReadingBlock.packed(readings, at: key, 1...2)
        for bit in 0..<content.count * 8 {
            var changed = content
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: DamagedBlock.self) { try ReadingBlock.readings(changed, at: key, 1...2) }
            #expect(throws: DamagedBlock.self) { try ReadingBlock.ids(changed, at: key, 1...2) }
        }
        for count in 0..<content.count {
            #expect(throws: DamagedBlock.self) {
                try ReadingBlock.readings(Array(content.prefix(count)), at: key, 1...2)
            }
        }
        let other = BlockKey(series: 8, form: .readings, span: key.span, part: 0)
        #expect(throws: DamagedBlock.self) { try ReadingBlock.readings(content, at: other, 1...2) }
        #expect(throws: DamagedBlock.self) { try ReadingBlock.readings(content, at: key, 1...3) }
    }

    /// The check sum is made for the changed bytes, so the decoder itself meets them.
    @Test(arguments: 0..<10) func `hostile bytes give an error or readings, and never a trap`(part: Int) {
        var chance = SeededGenerator(seed: UInt64(part))
        var (errors, others) = (0, 0)
        for _ in 0..<10_000 {
            let readings = Self.readings(Int.random(in: 0...6, using: &chance), &chance)
            var body = Array(ReadingBlock.packed(readings, at: key, 0...0).dropFirst(17))
            switch Int.random(in: 0...3, using: &chance) {
            case 0:
                body = (0..<Int.random(in: 0...60, using: &chance)).map { _ in
                    .random(in: 0...255, using: &chance)
                }
            case 1: body.removeLast(Int.random(in: 0...body.count, using: &chance))
            default:
                for _ in 0..<Int.random(in: 1...8, using: &chance) where !body.isEmpty {
                    body[Int.random(in: 0..<body.count, using: &chance)] = .random(in: 0...255, using: &chance)
                }
            }
            let content = ReadingBlock.sealed(body, at: key, 0...0)
            do throws(DamagedBlock) {
                let read = try ReadingBlock.readings(content, at: key, 0...0)
                // What can be read can be written and read again.
                let again = try ReadingBlock.readings(
                    ReadingBlock.packed(read, at: key, 0...0), at: key, 0...0)
                if again.map(\.value.bitPattern) != read.map(\.value.bitPattern)
                    || again.map(\.id) != read.map(\.id)
                {
                    Issue.record("\(body) is read in two ways")
                }
                others += 1
            } catch { errors += 1 }
            _ = try? ReadingBlock.ids(content, at: key, 0...0)
        }
        #expect(errors > 1_000 && others > 100)
    }

    @Test func `a second of five kinds takes two bytes of ID for each reading, and random IDs ten`() throws {
        var chance = SeededGenerator(seed: 3)
        var sequence = MessageIDSequence(SeededGenerator(seed: 4))
        var (ids, random): ([MessageID], [MessageID]) = ([], [])
        for second in 0..<3_600 {
            let jitter = Int64.random(in: -25...25, using: &chance)
            let wall = WallTime(millisecondsSince1970: Self.noon + Int64(second) * 1_000 + jitter)
            for kind in 0..<5 {
                let id = sequence.next(at: wall)
                if kind == 0 { ids.append(id) }
            }
            random.append(MessageID(wall: wall, using: &chance))
        }
        #expect(ReadingBlock.packed(ids, at: idKey, 0...0).count < 2 * 3_600)
        #expect(ReadingBlock.packed(random, at: idKey, 0...0).count < 10_300 * 3_600 / 1_000)
    }
}
