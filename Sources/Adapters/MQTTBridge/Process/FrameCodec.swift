import GatewayModel

/// Writes the body of a frame: big-endian numbers, and texts and blocks behind their length in four bytes.
struct FrameWriter {
    private(set) var body: [UInt8] = []

    mutating func bytes(_ bytes: [UInt8]) { body += bytes }

    mutating func number<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { body.append(contentsOf: $0) }
    }

    mutating func flag(_ flag: Bool) { number(flag ? UInt8(1) : 0) }

    mutating func block(_ block: [UInt8]) {
        number(UInt32(block.count))
        body += block
    }

    mutating func text(_ text: String) { block(Array(text.utf8)) }

    mutating func optional<Value>(_ value: Value?, _ write: (inout FrameWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    /// Milliseconds.
    mutating func duration(_ duration: Duration) { number(Int64(duration.wholeMilliseconds)) }
}

/// Reads what `FrameWriter` wrote. After the first value that is not there it gives zeros, and `isWhole` is false:
/// asked once, at the end.
struct FrameReader {
    private let body: [UInt8]
    private var position = 0
    private var hasFailed = false

    init(_ body: [UInt8]) {
        self.body = body
    }

    /// All was there, and nothing is left.
    var isWhole: Bool { !hasFailed && position == body.count }

    mutating func bytes(_ count: Int) -> [UInt8] {
        guard !hasFailed, count >= 0, count <= body.count - position else {
            hasFailed = true
            return []
        }
        defer { position += count }
        return Array(body[position..<position + count])
    }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
        bytes(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    mutating func flag() -> Bool { number(UInt8.self) != 0 }

    mutating func block() -> [UInt8] { bytes(Int(number(UInt32.self))) }

    mutating func text() -> String { String(decoding: block(), as: UTF8.self) }

    mutating func optional<Value>(_ read: (inout FrameReader) -> Value) -> Value? {
        flag() ? read(&self) : nil
    }

    mutating func duration() -> Duration { .milliseconds(number(Int64.self)) }
}
