/// The members of an object that `FlatJSON` wrote, in their order. Values stay as they were written.
struct FlatObject {
    struct Member {
        let key: String
        let value: ArraySlice<UInt8>
    }

    let members: [Member]

    subscript(key: String) -> ArraySlice<UInt8>? { members.first { $0.key == key }?.value }

    /// - Returns: nil where the bytes are not one flat object: no object inside, and no array inside an array.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else {
            return nil
        }
        var members: [Member] = []
        members.reserveCapacity(16)
        let end = bytes.count - 1
        var index = 1
        while index < end {
            guard bytes[index] == UInt8(ascii: "\""),
                let keyEnd = Self.endOfText(bytes, from: index, before: end),
                keyEnd < end, bytes[keyEnd] == UInt8(ascii: ":"),
                let valueEnd = Self.endOfValue(bytes, from: keyEnd + 1, before: end), valueEnd > keyEnd + 1
            else { return nil }
            let key = String(decoding: bytes[(index + 1)..<(keyEnd - 1)], as: UTF8.self)
            members.append(Member(key: key, value: bytes[(keyEnd + 1)..<valueEnd]))
            guard valueEnd < end else { break }
            index = valueEnd + 1
            guard index < end else { return nil }
        }
        self.members = members
    }

    /// Position behind the closing quotation mark of the text that begins at `start`.
    private static func endOfText(_ bytes: [UInt8], from start: Int, before end: Int) -> Int? {
        var index = start + 1
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return nil
    }

    /// Position of the comma behind the value that begins at `start`, or `end`.
    private static func endOfValue(_ bytes: [UInt8], from start: Int, before end: Int) -> Int? {
        var index = start
        var isInList = false
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard let next = endOfText(bytes, from: index, before: end) else { return nil }
                index = next
            case UInt8(ascii: "{"), UInt8(ascii: "}"): return nil
            case UInt8(ascii: "["):
                guard !isInList else { return nil }
                isInList = true
                index += 1
            case UInt8(ascii: "]"):
                guard isInList else { return nil }
                isInList = false
                index += 1
            case UInt8(ascii: ",") where !isInList: return index
            default: index += 1
            }
        }
        return isInList ? nil : end
    }
}
