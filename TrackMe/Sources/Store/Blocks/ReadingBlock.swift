import Crypto
public import GatewayModel

/// Reading of a block. The series has the rest.
public struct PackedReading: Hashable, Sendable {
    public let id: MessageID
    /// Milliseconds since 1970.
    public let time: Int64
    public let value: Double
    public let flags: Int64
    /// Intervals between beats as the store writes them.
    public let beats: [UInt8]?

    public init(id: MessageID, time: Int64, value: Double, flags: Int64, beats: [UInt8]?) {
        (self.id, self.time, self.value) = (id, time, value)
        (self.flags, self.beats) = (flags, beats)
    }
}

/// Content of a block: the columns of many readings, each by its own small differences, behind a check sum.
///
/// A round trip gives each bit back. Bytes that were changed give an error: the first 16 are those of a SHA-256 over the rest and
/// the place of the block, so a block at the place of another one is damaged as well.
public enum ReadingBlock {
    /// Bounds of a block, for the one that packs: its decoding takes some megabytes at most.
    public static let (mostEntries, mostBeats) = (100_000, 1 << 20)

    private static let version: UInt8 = 1
    private static let digestLength = 16

    /// - Parameter readings: sorted by ID, each once; no more than the bounds.
    public static func packed(_ readings: [PackedReading], at key: BlockKey, _ ends: ClosedRange<Int64>)
        -> [UInt8]
    {
        var writer = BitWriter()
        writer.write(number: UInt64(readings.count))
        IDColumns.write(readings.map(\.id), to: &writer)
        Column.write(readings.map { $0.time &- $0.id.wall.millisecondsSince1970 }, to: &writer)
        ValueColumn.write(readings.map(\.value), to: &writer)
        Column.write(readings.map(\.flags), to: &writer)
        Column.write(readings.map { Int64($0.beats.map { $0.count + 1 } ?? 0) }, to: &writer)
        Column.write(readings.flatMap { words(of: $0.beats ?? []) }, to: &writer)
        return sealed(writer.finish(), at: key, ends)
    }

    /// - Parameter ids: sorted, each once; no more than the bound.
    public static func packed(_ ids: [MessageID], at key: BlockKey, _ ends: ClosedRange<Int64>) -> [UInt8] {
        var writer = BitWriter()
        writer.write(number: UInt64(ids.count))
        IDColumns.write(ids, to: &writer)
        return sealed(writer.finish(), at: key, ends)
    }

    /// - Parameter ends: times of the readings, as they stand beside the block.
    public static func readings(
        _ content: [UInt8], at key: BlockKey, _ ends: ClosedRange<Int64>
    ) throws(DamagedBlock) -> [PackedReading] {
        let body = try body(of: content, at: key, ends)
        do throws(BitFault) { return try unpackedReadings(body) } catch {
            throw DamagedBlock(key, error.reason)
        }
    }

    /// IDs of a block of either form.
    public static func ids(
        _ content: [UInt8], at key: BlockKey, _ ends: ClosedRange<Int64>
    ) throws(DamagedBlock) -> [MessageID] {
        let body = try body(of: content, at: key, ends)
        do throws(BitFault) {
            var reader = BitReader(body)
            let ids = try IDColumns.read(try count(&reader), from: &reader)
            guard key.form == .readings || reader.isAtEnd else {
                throw BitFault(reason: "bytes follow its end")
            }
            return ids
        } catch { throw DamagedBlock(key, error.reason) }
    }

    private static func unpackedReadings(_ body: ArraySlice<UInt8>) throws(BitFault) -> [PackedReading] {
        var reader = BitReader(body)
        let count = try count(&reader)
        let ids = try IDColumns.read(count, from: &reader)
        let delays = try Column.read(count, from: &reader)
        let values = try ValueColumn.read(count, from: &reader)
        let flags = try Column.read(count, from: &reader)
        let lengths = try Column.read(count, from: &reader)
        var all = 0
        for length in lengths {
            guard (0...Int64(mostBeats) + 1).contains(length), all <= 2 * mostBeats else {
                throw BitFault(reason: "its beats have more than \(mostBeats) bytes")
            }
            all += Int(length) / 2
        }
        var words = try Column.read(all, from: &reader)[...]
        var readings: [PackedReading] = []
        readings.reserveCapacity(count)
        for index in 0..<count {
            let length = Int(lengths[index])
            let beats = length == 0 ? nil : try bytes(length - 1, words.prefix(length / 2))
            words = words.dropFirst(length / 2)
            readings.append(
                PackedReading(
                    id: ids[index], time: delays[index] &+ ids[index].wall.millisecondsSince1970,
                    value: values[index], flags: flags[index], beats: beats))
        }
        guard reader.isAtEnd else { throw BitFault(reason: "bytes follow its end") }
        return readings
    }

    private static func count(_ reader: inout BitReader) throws(BitFault) -> Int {
        let count = try reader.number()
        guard count <= UInt64(mostEntries) else {
            throw BitFault(reason: "it has \(count) entries, expected \(mostEntries) at most")
        }
        return Int(count)
    }

    // MARK: Beats, two bytes each

    private static func words(of beats: [UInt8]) -> [Int64] {
        stride(from: 0, to: beats.count, by: 2).map { index in
            index + 1 < beats.count ? Int64(beats[index]) << 8 | Int64(beats[index + 1]) : Int64(beats[index])
        }
    }

    private static func bytes(_ count: Int, _ words: ArraySlice<Int64>) throws(BitFault) -> [UInt8] {
        var bytes: [UInt8] = []
        for word in words {
            guard (0...0xFFFF).contains(word) else {
                throw BitFault(reason: "an interval has the value \(word)")
            }
            if count - bytes.count > 1 { bytes.append(UInt8(truncatingIfNeeded: word >> 8)) }
            bytes.append(UInt8(truncatingIfNeeded: word))
        }
        return bytes
    }

    // MARK: Seal

    static func sealed(_ body: [UInt8], at key: BlockKey, _ ends: ClosedRange<Int64>) -> [UInt8] {
        let content = [version] + body
        return digest(of: content[...], at: key, ends) + content
    }

    private static func digest(of content: ArraySlice<UInt8>, at key: BlockKey, _ ends: ClosedRange<Int64>)
        -> [UInt8]
    {
        var hash = SHA256()
        for number in [key.series, key.form.rawValue, key.span, key.part, ends.lowerBound, ends.upperBound] {
            withUnsafeBytes(of: number.bigEndian) { hash.update(bufferPointer: $0) }
        }
        hash.update(data: content)
        return Array(hash.finalize().prefix(digestLength))
    }

    private static func body(
        of content: [UInt8], at key: BlockKey, _ ends: ClosedRange<Int64>
    ) throws(DamagedBlock) -> ArraySlice<UInt8> {
        guard content.count > digestLength else {
            throw DamagedBlock(key, "it has \(content.count) bytes, expected more than \(digestLength)")
        }
        let rest = content.dropFirst(digestLength)
        guard digest(of: rest, at: key, ends).elementsEqual(content.prefix(digestLength)) else {
            throw DamagedBlock(key, "its bytes do not match its check sum")
        }
        guard rest.first == version else {
            throw DamagedBlock(key, "it has version \(rest.first ?? 0), expected \(version)")
        }
        return rest.dropFirst()
    }
}

/// IDs in their order: times, and the bits behind them in the shortest form that gives them back.
private enum IDColumns {
    private enum Tail: UInt64 {
        /// Of a sequence: its number.
        case numbered
        /// Of version 7: 74 bits.
        case random
        /// Of any other version: 80 bits.
        case whole
    }

    private static let mixed: UInt64 = 3

    static func write(_ ids: [MessageID], to writer: inout BitWriter) {
        let numbers = ids.map(\.number)
        let tails = zip(ids, numbers).map { id, number -> Tail in
            if number != nil { return .numbered }
            return id.high & 0xF000 == 0x7000 && id.low >> 62 == 0b10 ? .random : .whole
        }
        Column.write(ids.map(\.wall.millisecondsSince1970), to: &writer)
        let common = tails.first.flatMap { first in tails.allSatisfy { $0 == first } ? first : nil }
        writer.write(common?.rawValue ?? mixed, 2)
        if common == nil { for tail in tails { writer.write(tail.rawValue, 2) } }
        Column.write(numbers.compactMap { $0.map { Int64(bitPattern: $0) } }, to: &writer)
        for (id, tail) in zip(ids, tails) {
            switch tail {
            case .numbered: continue
            case .random:
                writer.write(id.high, 12)
                writer.write(id.low, 62)
            case .whole:
                writer.write(id.high, 16)
                writer.write(id.low, 64)
            }
        }
    }

    static func read(_ count: Int, from reader: inout BitReader) throws(BitFault) -> [MessageID] {
        let times = try Column.read(count, from: &reader)
        let form = try reader.read(2)
        var tails: [Tail] = []
        tails.reserveCapacity(count)
        for _ in 0..<count {
            guard let tail = Tail(rawValue: form == mixed ? try reader.read(2) : form) else {
                throw BitFault(reason: "an ID has a form of a later version")
            }
            tails.append(tail)
        }
        var numbers = try Column.read(tails.count { $0 == .numbered }, from: &reader)[...]
        var ids: [MessageID] = []
        ids.reserveCapacity(count)
        for (time, tail) in zip(times, tails) {
            guard (0..<1 << 48).contains(time) else {
                throw BitFault(reason: "an ID has the time \(time), expected 48 bits")
            }
            let high = UInt64(time) << 16
            let id: MessageID
            switch tail {
            case .numbered:
                let number = UInt64(bitPattern: numbers.popFirst() ?? 0)
                id = MessageID(wall: WallTime(millisecondsSince1970: time), number: number)
            case .random:
                let first = try reader.read(12)
                id = MessageID(
                    high: high | 0x7000 | first, low: 0x8000_0000_0000_0000 | (try reader.read(62)))
            case .whole:
                let first = try reader.read(16)
                id = MessageID(high: high | first, low: try reader.read(64))
            }
            if let last = ids.last, last >= id {
                throw BitFault(reason: "its IDs are not in their order")
            }
            ids.append(id)
        }
        return ids
    }
}

/// Values as whole numbers of the largest decimal digit that gives each of them back, bit by bit; else their 64 bits.
private enum ValueColumn {
    private static let scales: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
    private static let exact: UInt64 = 7

    static func write(_ values: [Double], to writer: inout BitWriter) {
        for (place, scale) in scales.enumerated() {
            guard let numbers = numbers(values, scale) else { continue }
            writer.write(UInt64(place), 3)
            return Column.write(numbers, to: &writer)
        }
        writer.write(exact, 3)
        Column.write(values.map { Int64(bitPattern: $0.bitPattern) }, to: &writer)
    }

    private static func numbers(_ values: [Double], _ scale: Double) -> [Int64]? {
        var numbers: [Int64] = []
        for value in values {
            // Beyond 2^53 whole numbers are missing.
            let number = (value * scale).rounded()
            guard number.magnitude < 0x20_0000_0000_0000, (number / scale).bitPattern == value.bitPattern,
                number != 0 || number.sign == .plus
            else { return nil }
            numbers.append(Int64(number))
        }
        return numbers
    }

    static func read(_ count: Int, from reader: inout BitReader) throws(BitFault) -> [Double] {
        let place = try reader.read(3)
        let numbers = try Column.read(count, from: &reader)
        return place == exact
            ? numbers.map { Double(bitPattern: UInt64(bitPattern: $0)) }
            : numbers.map { Double($0) / scales[Int(place)] }
    }
}
