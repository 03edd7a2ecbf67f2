/// Reason why bits are no block. `ReadingBlock` adds the place.
struct BitFault: Error {
    let reason: String
}

/// Bits in the order of their writing; the last byte is filled with zeros.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var held: UInt64 = 0
    private var count = 0

    /// - Parameter width: lowest bits that are written, 0 to 64.
    mutating func write(_ value: UInt64, _ width: Int) {
        guard width <= 32 else {
            write(value >> 32, width - 32)
            return write(value & 0xFFFF_FFFF, 32)
        }
        held = held << UInt64(width) | value & (1 << UInt64(width) - 1)
        count += width
        while count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: held >> UInt64(count)))
        }
    }

    /// Number of unknown size: its width, then its bits.
    mutating func write(number: UInt64) {
        let width = 64 - number.leadingZeroBitCount
        write(UInt64(width), 7)
        write(number, width)
    }

    mutating func finish() -> [UInt8] {
        if count > 0 { write(0, 8 - count) }
        return bytes
    }
}

struct BitReader {
    private let bytes: ArraySlice<UInt8>
    private var next: Int
    private var held: UInt64 = 0
    private var count = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        next = bytes.startIndex
    }

    /// - Parameter width: 0 to 64.
    mutating func read(_ width: Int) throws(BitFault) -> UInt64 {
        guard width <= 32 else {
            let high = try read(width - 32)
            return high << 32 | (try read(32))
        }
        while count < width {
            guard next < bytes.endIndex else { throw BitFault(reason: "it ends in the middle of a value") }
            held = held << 8 | UInt64(bytes[next])
            next += 1
            count += 8
        }
        count -= width
        return held >> UInt64(count) & (1 << UInt64(width) - 1)
    }

    mutating func number() throws(BitFault) -> UInt64 {
        let width = Int(try read(7))
        guard width <= 64 else { throw BitFault(reason: "a number has \(width) bits, expected 64 at most") }
        return try read(width)
    }

    /// Whether nothing is left but the zeros of the last byte.
    var isAtEnd: Bool { next == bytes.endIndex && count < 8 && held & (1 << UInt64(count) - 1) == 0 }
}

/// A column of numbers by their distance from a base: the number itself or its difference from the one before, in the code of
/// Golomb and Rice. A distance that is far from the others
/// takes 74 bits, as many as a random ID.
enum Column {
    private static let escape = 10
    /// Width of a column with distances of 0 alone: it takes no bit for each.
    private static let constant = 63

    static func write(_ values: [Int64], to writer: inout BitWriter) {
        guard !values.isEmpty else { return }
        var before: Int64 = 0
        let steps = values.map { value in
            defer { before = value }
            return value &- before
        }
        let (plain, difference) = (Plan(values), Plan(steps, from: 1))
        let isDifference = difference.cost < plain.cost
        let plan = isDifference ? difference : plain
        writer.write(isDifference ? 1 : 0, 1)
        writer.write(UInt64(plan.width), 6)
        writer.write(number: zigzag(plan.base))
        guard plan.width != constant else { return }
        for value in isDifference ? steps : values {
            let distance = zigzag(value &- plan.base)
            let quotient = distance >> UInt64(plan.width)
            if quotient < UInt64(escape) {
                // Ones, and a zero at their end.
                writer.write((1 << (quotient + 1)) - 2, Int(quotient) + 1)
                writer.write(distance, plan.width)
            } else {
                writer.write((1 << UInt64(escape)) - 1, escape)
                writer.write(distance, 64)
            }
        }
    }

    static func read(_ count: Int, from reader: inout BitReader) throws(BitFault) -> [Int64] {
        guard count > 0 else { return [] }
        let isDifference = try reader.read(1) == 1
        let width = Int(try reader.read(6))
        let base = value(ofZigzag: try reader.number())
        var values: [Int64] = []
        values.reserveCapacity(count)
        var before: Int64 = 0
        for _ in 0..<count {
            var distance: UInt64 = 0
            if width != constant {
                var quotient = 0
                while quotient < escape, try reader.read(1) == 1 { quotient += 1 }
                distance =
                    quotient == escape
                    ? try reader.read(64) : UInt64(quotient) << UInt64(width) | (try reader.read(width))
            }
            let value = value(ofZigzag: distance) &+ base &+ (isDifference ? before : 0)
            values.append(value)
            before = value
        }
        return values
    }

    private struct Plan {
        let base: Int64
        let width: Int
        let cost: Int

        /// - Parameter first: values before it say nothing about the others.
        init(_ values: [Int64], from first: Int = 0) {
            let part = values.dropFirst(min(first, values.count - 1))
            let base = Self.median(part.map { $0 })
            self.base = base
            let distances = values.map { zigzag($0 &- base) }
            if distances.allSatisfy({ $0 == 0 }) {
                (width, cost) = (constant, 0)
                return
            }
            let middle = Self.median(distances.dropFirst(min(first, values.count - 1)).map { $0 })
            let bits = 64 - middle.leadingZeroBitCount
            var best: (width: Int, cost: Int) = (0, .max)
            for width in max(bits - 2, 0)...min(bits + 1, constant - 1) {
                let cost = distances.reduce(0) { sum, distance in
                    let quotient = distance >> UInt64(width)
                    return sum + (quotient < UInt64(escape) ? Int(quotient) + 1 + width : escape + 64)
                }
                if cost < best.cost { best = (width, cost) }
            }
            (width, cost) = best
        }

        /// Of some of the values where there are many.
        private static func median<Value: Comparable>(_ values: [Value]) -> Value {
            let step = max(values.count / 1_000, 1)
            let some = stride(from: 0, to: values.count, by: step).map { values[$0] }.sorted()
            return some[some.count / 2]
        }
    }

    private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

    private static func value(ofZigzag code: UInt64) -> Int64 {
        Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1)
    }
}
