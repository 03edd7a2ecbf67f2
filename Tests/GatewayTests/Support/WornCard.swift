import Foundation
import GRDB

/// Loses a part of a database that is in use, as a worn-out card does.
enum WornCard {
    /// - Parameter part: of its length, from 0 to 1.
    static func lose(_ part: Range<Double>, of path: String) throws {
        // All in the file itself, and the log empty: what is lost stands nowhere else.
        let other = try DatabaseQueue(path: path)
        try other.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try other.close()
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let size = Double(try file.seekToEnd())
        let bytes = UInt64(size * part.lowerBound)..<UInt64(size * part.upperBound)
        try file.seek(toOffset: bytes.lowerBound)
        try file.write(contentsOf: Data(repeating: 0xFF, count: bytes.count))
        try file.close()
    }
}
