import Glibc
import Hub
import RealTime

/// A folder that is made for one export. What is in it is for its owner's eyes alone.
struct ExportFolder {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let path: String

    /// Errors: there is one already; nothing that somebody keeps is written over.
    init(at path: String) throws(Failure) {
        guard mkdir(path, 0o700) == 0 else {
            let advice = errno == EEXIST ? "; give a folder that is not there yet" : ""
            throw Failure(description: "\(SystemCallError("making \(path)"))\(advice)")
        }
        self.path = path
    }

    func file(_ name: String) throws(Failure) -> TextFile { try TextFile(at: "\(path)/\(name)") }

    /// A file that is written from its beginning to its end.
    final class TextFile {
        /// Written when so much has come together.
        private static let chunk = 65_536

        private let path: String
        private let descriptor: Int32
        private var waiting: [UInt8] = []

        fileprivate init(at path: String) throws(Failure) {
            self.path = path
            descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Failure(description: "\(SystemCallError("making \(path)"))") }
        }

        deinit { close(descriptor) }

        func write(_ text: String) throws(Failure) {
            waiting += text.utf8
            if waiting.count >= Self.chunk { try flush() }
        }

        /// To be called at the end: what was not written shows here and not on the next power cut.
        func finish() throws(Failure) {
            try flush()
            guard fsync(descriptor) == 0 else {
                throw Failure(description: "\(SystemCallError("writing \(path)"))")
            }
        }

        private func flush() throws(Failure) {
            var rest = waiting[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else {
                    if errno == EINTR { continue }
                    throw Failure(description: "\(SystemCallError("writing \(path)"))")
                }
                rest = rest.dropFirst(count)
            }
            waiting.removeAll(keepingCapacity: true)
        }
    }
}

/// A list in JSON, an element a line.
struct JSONList {
    private let file: ExportFolder.TextFile
    private let closing: String
    private(set) var count = 0

    init(
        _ file: ExportFolder.TextFile, opening: String = "[", closing: String = "]"
    ) throws(ExportFolder.Failure) {
        (self.file, self.closing) = (file, closing)
        try file.write(opening)
    }

    mutating func add(_ element: String) throws(ExportFolder.Failure) {
        try file.write(count == 0 ? "\n" : ",\n")
        try file.write(element)
        count += 1
    }

    func finish() throws(ExportFolder.Failure) {
        try file.write("\n\(closing)\n")
        try file.finish()
    }
}
