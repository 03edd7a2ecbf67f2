/// Parser of archives that `TarWriter` made. It is given the bytes in pieces of any size.
package struct TarParser: Sendable {
    package enum Event: Sendable {
        /// The next entry. Its content follows in pieces.
        case entry(TarEntry)
        case content(ArraySlice<UInt8>)
        /// The content of the entry is complete.
        case entryEnd
    }

    private enum State {
        case header
        /// Content of a pax header: bytes left, then zeros.
        case record(left: Int, padding: Int)
        case content(left: Int, padding: Int)
        case zeros(left: Int)
        case end
    }

    /// Bytes of a pax record: a path and its key.
    private static let mostRecord = 8192

    private var state = State.header
    private var pending: [UInt8] = []
    private var longPath: String?

    package init() {}

    /// Whether the end of the archive was seen.
    package var isComplete: Bool { if case .end = state { true } else { false } }

    /// Takes the next piece. After an error the parser must not be used again.
    package mutating func take(_ bytes: [UInt8], _ handle: (Event) throws -> Void) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch state {
            case .header:
                guard fill(from: &rest, to: TarFormat.block) else { return }
                try header(handle)
            case .record(let left, let padding):
                guard fill(from: &rest, to: left) else { return }
                longPath = try Self.path(in: pending)
                pending = []
                state = padding > 0 ? .zeros(left: padding) : .header
            case .content(let left, let padding):
                let piece = rest.prefix(left)
                rest = rest.dropFirst(piece.count)
                try handle(.content(piece))
                guard piece.count == left else {
                    state = .content(left: left - piece.count, padding: padding)
                    return
                }
                try handle(.entryEnd)
                state = padding > 0 ? .zeros(left: padding) : .header
            case .zeros(let left):
                let piece = rest.prefix(left)
                rest = rest.dropFirst(piece.count)
                state = piece.count == left ? .header : .zeros(left: left - piece.count)
            case .end:
                guard rest.allSatisfy({ $0 == 0 }) else {
                    throw TarFault("there is more after the end of the archive")
                }
                return
            }
        }
    }

    private mutating func fill(from rest: inout ArraySlice<UInt8>, to count: Int) -> Bool {
        let piece = rest.prefix(count - pending.count)
        pending += piece
        rest = rest.dropFirst(piece.count)
        return pending.count == count
    }

    private mutating func header(_ handle: (Event) throws -> Void) throws {
        let header = pending
        pending = []
        guard !header.allSatisfy({ $0 == 0 }) else {
            guard longPath == nil else { throw TarFault("the archive ends within an entry") }
            state = .end
            return
        }
        guard Array(header[TarFormat.magic]) == TarFormat.magicBytes,
            Self.octal(header[TarFormat.checksum].prefix(7)) == TarFormat.sum(header)
        else { throw TarFault("the header of an entry is damaged") }
        guard let size = Self.octal(header[TarFormat.size]) else { throw TarFault("an entry has no size") }
        switch header[TarFormat.type] {
        case UInt8(ascii: "x"):
            guard longPath == nil, (1...Self.mostRecord).contains(size) else {
                throw TarFault("saw a pax header of \(size) bytes, expected one path")
            }
            state = .record(left: size, padding: TarFormat.padding(size))
        case UInt8(ascii: "0"), UInt8(ascii: "5"):
            let entry = try entry(header, size)
            longPath = nil
            try handle(.entry(entry))
            guard size > 0 else { return try handle(.entryEnd) }
            state = .content(left: size, padding: TarFormat.padding(size))
        default: throw TarFault("saw an entry that is neither a file nor a directory")
        }
    }

    private func entry(_ header: [UInt8], _ size: Int) throws(TarFault) -> TarEntry {
        let isDirectory = header[TarFormat.type] == UInt8(ascii: "5")
        var path = longPath ?? Self.text(header[TarFormat.name])
        if isDirectory, path.hasSuffix("/") { path.removeLast() }
        guard TarEntry.isSafe(path), !isDirectory || size == 0,
            let mode = Self.octal(header[TarFormat.mode]), let user = Self.octal(header[TarFormat.userID]),
            let group = Self.octal(header[TarFormat.groupID]),
            let modified = Self.octal(header[TarFormat.modified])
        else { throw TarFault("an entry has a path that leads elsewhere, or a number that is none") }
        return TarEntry(
            path: path, kind: isDirectory ? .directory : .file, mode: UInt32(mode & 0o7777),
            user: Self.text(header[TarFormat.user]), group: Self.text(header[TarFormat.group]),
            userID: UInt32(user), groupID: UInt32(group), modified: Int64(modified), size: size)
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
        Int(text(field).filter { $0 != " " }, radix: 8).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The one record `path`.
    private static func path(in record: [UInt8]) throws(TarFault) -> String {
        let text = String(decoding: record, as: UTF8.self)
        guard let blank = text.firstIndex(of: " "), Int(text[..<blank]) == record.count,
            case let rest = text[text.index(after: blank)...], rest.hasPrefix("path="), rest.hasSuffix("\n")
        else { throw TarFault("saw a pax header that is not of one path") }
        return String(rest.dropFirst("path=".count).dropLast())
    }
}
