/// Bytes of a tar archive. The caller writes `header`, the content, `padding`, and `end` after the last entry.
package enum TarWriter {
    /// Header of an entry. A path of more than 100 bytes gets a pax header before it.
    ///
    /// Errors: a path that leaves its directory, or a file of 8 GiB or more.
    package static func header(of entry: TarEntry) throws(TarFault) -> [UInt8] {
        guard TarEntry.isSafe(entry.path) else {
            throw TarFault("the path '\(entry.path)' cannot stand in an archive: expected a relative one")
        }
        guard entry.size <= TarFormat.mostBytes else {
            throw TarFault("\(entry.path): saw \(entry.size) bytes, expected less than 8 GiB")
        }
        let isLong = entry.path.utf8.count + (entry.kind == .directory ? 1 : 0) > TarFormat.name.count
        guard isLong else { return block(entry, name: entry.path, type: type(entry), size: entry.size) }
        let record = Self.record("path", entry.path + (entry.kind == .directory ? "/" : ""))
        return block(entry, name: "path", type: UInt8(ascii: "x"), size: record.count) + record
            + padding(record.count)
            + block(entry, name: "long-path", type: type(entry), size: entry.size)
    }

    /// Zeros after a content.
    package static func padding(_ size: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: TarFormat.padding(size))
    }

    /// End of an archive.
    package static let end = [UInt8](repeating: 0, count: 2 * TarFormat.block)

    /// An archive of files in memory, for its owner alone.
    package static func archive(_ files: [(path: String, bytes: [UInt8])], modified: Int64) throws(TarFault)
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        for file in files {
            let entry = TarEntry(
                path: file.path, kind: .file, mode: 0o600, modified: modified, size: file.bytes.count)
            bytes += try header(of: entry) + file.bytes + padding(file.bytes.count)
        }
        return bytes + end
    }

    private static func type(_ entry: TarEntry) -> UInt8 {
        entry.kind == .directory ? UInt8(ascii: "5") : UInt8(ascii: "0")
    }

    /// `LENGTH key=value\n`, where LENGTH counts the record itself.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n".utf8.count
        var length = rest + 1
        while "\(length)".utf8.count + rest != length { length += 1 }
        return Array("\(length) \(key)=\(value)\n".utf8)
    }

    private static func block(_ entry: TarEntry, name: String, type: UInt8, size: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: TarFormat.block)
        func put(_ bytes: some Collection<UInt8>, _ field: Range<Int>) {
            for (offset, byte) in zip(field, bytes) { header[offset] = byte }
        }
        func octal(_ number: Int, _ field: Range<Int>) {
            let digits = String(number, radix: 8)
            put(
                String(repeating: "0", count: max(0, field.count - 1 - digits.count)).utf8 + Array(digits.utf8),
                field)
        }
        put((type == UInt8(ascii: "5") ? name + "/" : name).utf8, TarFormat.name)
        octal(Int(entry.mode & 0o7777), TarFormat.mode)
        // The names count. A number of more than seven digits stands for "by name".
        octal(min(Int(entry.userID), 0o7777777), TarFormat.userID)
        octal(min(Int(entry.groupID), 0o7777777), TarFormat.groupID)
        octal(size, TarFormat.size)
        octal(min(max(0, Int(entry.modified)), TarFormat.mostBytes), TarFormat.modified)
        header[TarFormat.type] = type
        put(TarFormat.magicBytes, TarFormat.magic)
        put(entry.user.utf8.prefix(31), TarFormat.user)
        put(entry.group.utf8.prefix(31), TarFormat.group)
        let digits = String(TarFormat.sum(header), radix: 8)
        put(
            String(repeating: "0", count: 6 - digits.count).utf8 + Array(digits.utf8) + [0, UInt8(ascii: " ")],
            TarFormat.checksum)
        return header
    }
}
