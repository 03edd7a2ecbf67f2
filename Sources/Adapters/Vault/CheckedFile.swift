import GatewayModel

/// A small file that is replaced as a whole and ends in a line with the checksum of all before it. Blocking I/O.
///
/// A file of an earlier version has no such line. It is accepted until this version has written it once, which the
/// marks tell.
struct CheckedFile: Sendable {
    private static let label = Array("\n#sha256 ".utf8)
    private static let trailerLength = label.count + 64 + 1

    let path: String
    /// Nil for a reader that changes nothing.
    let marks: StateMarks?

    init(path: String, marks: StateMarks?) {
        (self.path, self.marks) = (path, marks)
    }

    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether the last thing that was done to it was to remove it.
    var isKnownAbsent: Bool { marks?[name]?.sequence == 0 }

    /// The content; nil where none was saved.
    ///
    /// - Parameter isWhole: whether content without a checksum is accepted although this version has written the file.
    /// - Throws: `DiskFailure`. Where it `isDamage`, the file was set aside, and the next save begins a new one.
    func load(acceptingUnchecked isWhole: (ArraySlice<UInt8>) -> Bool = { _ in false }) throws(DiskFailure)
        -> [UInt8]?
    {
        let bytes: [UInt8]?
        do throws(DiskFailure) {
            bytes = try DurableFile.read(path)
        } catch {
            guard error.isDamage || error.isForbidden else { throw error }
            throw try damage("cannot be read (\(error))")
        }
        guard let bytes else {
            guard let mark = marks?[name], mark.sequence > 0 else { return nil }
            marks?.note(name, 0, isSynced: true)
            throw DiskFailure(
                "\(path) is gone, and it was written before", isForbidden: false, isDamage: true)
        }
        switch Self.open(bytes) {
        case .checked(let content):
            marks?.note(name, 1)
            return Array(content)
        case .unchecked(let content) where isWhole(content) || marks?[name] == nil && !content.isEmpty:
            return Array(content)
        case .unchecked, .damaged:
            throw try damage(bytes.isEmpty ? "is empty" : "does not have the checksum that it was written with")
        }
    }

    /// The content for a reader that changes nothing: nil where there is none, or where it is damaged.
    func peek() throws(DiskFailure) -> [UInt8]? {
        try DurableFile.read(path).flatMap(Self.content)
    }

    /// The content in the bytes of such a file; nil where it is damaged.
    static func content(of bytes: [UInt8]) -> [UInt8]? {
        switch Self.open(bytes) {
        case .checked(let content), .unchecked(let content): Array(content)
        case .damaged: nil
        }
    }

    /// Durable when it returns.
    func save(_ content: [UInt8]) throws(DiskFailure) {
        try DurableFile.replace(path, with: Self.seal(content))
        marks?.note(name, 1)
    }

    /// Nothing is kept any more.
    func remove() throws(DiskFailure) {
        // First, and on the disk: without the file, a mark that says it was written reads as a loss.
        marks?.note(name, 0, isSynced: true)
        try DurableFile.remove(path)
    }

    /// Sets the file aside.
    ///
    /// - Returns: the damage, to be thrown.
    func damage(_ reason: String) throws(DiskFailure) -> DiskFailure {
        let aside = try DurableFile.setAside(path)
        marks?.note(name, 0, isSynced: true)
        return DiskFailure(
            "\(path) \(reason); it is kept as \(aside)", isForbidden: false, isDamage: true, asidePath: aside)
    }

    // MARK: Checksum

    private enum Opened {
        case checked(ArraySlice<UInt8>)
        case unchecked(ArraySlice<UInt8>)
        case damaged
    }

    static func seal(_ content: [UInt8]) -> [UInt8] {
        content + label + Array(LedgerHash.of(content).utf8) + [UInt8(ascii: "\n")]
    }

    private static func open(_ bytes: [UInt8]) -> Opened {
        let trailer = bytes.suffix(trailerLength)
        guard trailer.count == trailerLength, trailer.starts(with: label) else { return .unchecked(bytes[...]) }
        let content = bytes.dropLast(trailerLength)
        return seal(Array(content)) == bytes ? .checked(content) : .damaged
    }
}

/// A line with a checksum behind it, of a file of an earlier version.
enum CheckedLine {
    private static let sumLength = 16
    private static let label = Array(" #".utf8)

    /// With its line break.
    static func seal(_ content: some Collection<UInt8>) -> [UInt8] {
        Array(content) + label + Array(LedgerHash.of(content).utf8.prefix(sumLength)) + [UInt8(ascii: "\n")]
    }

    /// The content of a line; a line of an earlier version has no checksum and is returned as it is. Nil where the
    /// checksum is wrong, or there is a part of one.
    static func open(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let trailer = line.suffix(label.count + sumLength)
        guard trailer.count == label.count + sumLength, trailer.starts(with: label) else {
            // A JSON object, or a token in Base64url.
            return line.last == UInt8(ascii: "}") || line.allSatisfy(isOfToken) ? line : nil
        }
        let content = line.dropLast(trailer.count)
        return seal(content).dropLast().elementsEqual(line) ? content : nil
    }
}

extension CheckedLine {
    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// A file of checked lines, as earlier versions wrote it. Blocking I/O.
struct CheckedLines: Sendable {
    let path: String
    /// Nil for a reader that changes nothing.
    let marks: StateMarks?

    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// All lines; where there are none there is no file.
    func replace(with lines: [UInt8]) throws(DiskFailure) {
        // First, and on the disk: a file that is shorter than its mark reads as a loss.
        marks?.note(name, min(Int64(lines.count), marks?[name]?.sequence ?? 0), isSynced: true)
        guard !lines.isEmpty else { return try DurableFile.remove(path) }
        try DurableFile.replace(path, with: lines)
        marks?.note(name, Int64(lines.count))
    }

    /// The content of each line, nil where its checksum is wrong.
    func load() throws(DiskFailure) -> [ArraySlice<UInt8>?] {
        try (DurableFile.read(path) ?? []).split(separator: UInt8(ascii: "\n")).map { CheckedLine.open($0) }
    }

    /// Looks through the file at the start. A damaged one is set aside, and begun anew with the lines that are sound.
    ///
    /// - Returns: the damage; nil where there is none.
    func mend() throws(DiskFailure) -> DiskFailure? {
        let known = marks?[name]?.sequence ?? 0
        let bytes: [UInt8]
        do throws(DiskFailure) {
            bytes = try DurableFile.read(path) ?? []
        } catch {
            guard error.isDamage || error.isForbidden else { throw error }
            return try setAside("cannot be read (\(error))", keeping: [])
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        let sound = lines.filter { CheckedLine.open($0) != nil }
        if sound.count < lines.count {
            return try setAside("has \(lines.count - sound.count) lines with a wrong checksum", keeping: sound)
        }
        guard bytes.count < known else { return nil }
        return try setAside("has \(bytes.count) bytes, and at least \(known) were written", keeping: sound)
    }

    private func setAside(_ reason: String, keeping lines: [ArraySlice<UInt8>]) throws(DiskFailure)
        -> DiskFailure
    {
        let isThere = try DurableFile.exists(path)
        let aside = isThere ? try DurableFile.setAside(path) : nil
        marks?.note(name, 0, isSynced: true)
        try replace(with: lines.flatMap { $0 + [UInt8(ascii: "\n")] })
        return DiskFailure(
            "\(path) \(reason); \(aside.map { "it is kept as \($0)" } ?? "it is gone")", isForbidden: false,
            isDamage: true, asidePath: aside)
    }
}
