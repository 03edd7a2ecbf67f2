import Glibc

/// Writer of a sealed file. Blocking I/O.
struct SealedWriter: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private let cipher: ChunkCipher
    private var buffer: [UInt8] = []
    private var number: UInt64 = 0

    /// - Parameter descriptor: open for writing, and closed by the caller.
    init(_ descriptor: Int32, path: String, _ header: BackupHeader, _ cipher: ChunkCipher) throws(BackupFault) {
        (self.descriptor, self.path, self.cipher) = (descriptor, path, cipher)
        try FileBytes.write(header.bytes, to: descriptor, path)
    }

    mutating func write(_ bytes: some Collection<UInt8>) throws(BackupFault) {
        buffer += bytes
        var start = 0
        // A full chunk waits: it may be the last one.
        while buffer.count - start > BackupHeader.chunk {
            try put(Array(buffer[start..<start + BackupHeader.chunk]), isLast: false)
            start += BackupHeader.chunk
        }
        if start > 0 { buffer.removeFirst(start) }
    }

    /// Seals the rest, and syncs the file.
    mutating func finish() throws(BackupFault) {
        try put(buffer, isLast: true)
        buffer = []
        guard fsync(descriptor) == 0 else { throw BackupFault("syncing", path) }
    }

    private mutating func put(_ plain: [UInt8], isLast: Bool) throws(BackupFault) {
        try FileBytes.write(try cipher.seal(plain, number: number, isLast: isLast), to: descriptor, path)
        number += 1
    }
}

/// Reader of a sealed file. Blocking I/O.
final class SealedReader {
    let header: BackupHeader
    private let descriptor: Int32
    private let path: String
    private let size: Int

    init(_ path: String) throws(BackupFault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw BackupFault("opening", path) }
        do throws(BackupFault) {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw BackupFault("\(path) is not a regular file: give the path of the backup itself")
            }
            size = Int(status.st_size)
            let beginning = try FileBytes.read(
                descriptor, path, at: 0, count: min(size, BackupHeader.mostBytes))
            header = try BackupHeader(parsing: beginning)
        } catch {
            close(descriptor)
            throw BackupFault("\(path): \(error)")
        }
        (self.descriptor, self.path) = (descriptor, path)
    }

    deinit { close(descriptor) }

    /// Opens every chunk in order. Each was checked before it is handed over; the end of the file is not known to be right
    /// before this returns.
    func read(_ cipher: ChunkCipher, _ take: ([UInt8]) throws -> Void) throws {
        let length = BackupHeader.chunk + ChunkCipher.tag
        var (offset, number) = (header.bytes.count, UInt64(0))
        repeat {
            let count = min(length, size - offset)
            let isLast = offset + count == size
            let sealed = try FileBytes.read(descriptor, path, at: offset, count: count)
            guard let plain = cipher.open(sealed, number: number, isLast: isLast) else {
                throw fault(sealed, cipher, number, offset: offset, isLast: isLast)
            }
            try take(plain)
            offset += count
            number += 1
        } while offset < size
    }

    private func fault(
        _ sealed: [UInt8], _ cipher: ChunkCipher, _ number: UInt64, offset: Int, isLast: Bool
    ) -> BackupFault {
        let remedy = "Nothing was changed. Take another copy of this backup, or an earlier one"
        if isLast, sealed.isEmpty || cipher.open(sealed, number: number, isLast: false) != nil {
            return BackupFault("\(path): the file was cut: its end is missing. \(remedy)")
        }
        if isLast {
            return BackupFault("\(path): the file was cut or changed after byte \(offset). \(remedy)")
        }
        return BackupFault(
            "\(path): the file is damaged or was changed between the bytes \(offset) and \(offset + sealed.count). \(remedy)"
        )
    }
}
