/// One file or directory of a tar archive.
package struct TarEntry: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case file, directory
    }

    /// Relative, without `.` and `..`; a directory without a slash at its end.
    package let path: String
    package let kind: Kind
    /// Permission bits.
    package var mode: UInt32
    package var user: String
    package var group: String
    package var userID: UInt32
    package var groupID: UInt32
    /// Seconds since 1970.
    package var modified: Int64
    /// Bytes of a file; 0 of a directory.
    package let size: Int

    package init(
        path: String, kind: Kind, mode: UInt32, user: String = "", group: String = "", userID: UInt32 = 0,
        groupID: UInt32 = 0, modified: Int64 = 0, size: Int = 0
    ) {
        (self.path, self.kind, self.mode, self.size) = (path, kind, mode, size)
        (self.user, self.group, self.userID, self.groupID) = (user, group, userID, groupID)
        self.modified = modified
    }

    /// Whether the path stays in the directory that it is relative to.
    package static func isSafe(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.utf8.contains(0) && path.utf8.count <= 4095
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 255 }
    }
}

/// Bytes that are no archive of this house, or an entry that no archive can hold.
package struct TarFault: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// The common parts of writer and parser: the ustar format of POSIX.1-1988, and the pax record `path` of POSIX.1-2001.
enum TarFormat {
    static let block = 512
    /// Offsets and lengths of the fields of a header.
    static let name = 0..<100
    static let mode = 100..<108
    static let userID = 108..<116
    static let groupID = 116..<124
    static let size = 124..<136
    static let modified = 136..<148
    static let checksum = 148..<156
    static let type = 156
    static let magic = 257..<265
    static let user = 265..<297
    static let group = 297..<329
    static let prefix = 345..<500

    static let magicBytes = Array("ustar\0".utf8) + Array("00".utf8)
    /// The largest number of 11 octal digits: 8 GiB - 1.
    static let mostBytes = 1 << 33 - 1

    static func padding(_ size: Int) -> Int { (block - size % block) % block }

    /// Sum of all bytes, with blanks in the place of the sum itself.
    static func sum(_ header: [UInt8]) -> Int {
        header.enumerated().reduce(0) {
            $0 + Int(checksum.contains($1.offset) ? UInt8(ascii: " ") : $1.element)
        }
    }
}
