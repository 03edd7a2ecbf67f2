import Contract
import FoundationEssentials
package import GatewayModel
import JSONReading
import TarArchive

/// A backup that was read to its end once: every byte of it is known to be right, and nothing was written. Blocking I/O.
package struct BackupReader {
    /// Bytes of a file that is kept in memory while the backup is read: `info` of bluetoothd has some hundred.
    private static let mostInfo = 65_536

    let plan: RestorePlan
    let pairings: BluetoothPairings
    private let file: SealedReader
    private let cipher: ChunkCipher

    /// Version and time of a backup, without the words. Errors: no backup, a damaged beginning, a later version.
    package static func checkBeginning(of path: String, version: ProductVersion) throws(BackupFault) {
        try BackupFault.check(try SealedReader(path).header.version, of: path, for: version)
    }

    /// Reads all of it. Errors: also wrong words, and a file that was cut or changed.
    package init(_ path: String, _ words: BackupWords, version: ProductVersion) throws {
        let file = try SealedReader(path)
        try BackupFault.check(file.header.version, of: path, for: version)
        let cipher = try ChunkCipher(words, of: file.header)
        var manifest: BackupManifest?
        var (entries, pairings): ([TarEntry], BluetoothPairings) = ([], BluetoothPairings())
        var kept: (bytes: [UInt8], limit: Int)?
        var parser = TarParser()
        try file.read(cipher) { bytes in
            try parser.take(bytes) { event in
                switch event {
                case .entry(let entry):
                    guard manifest != nil || entry.path == BackupManifest.fileName else {
                        throw BackupFault("\(path): the backup has no list of its places; take another one")
                    }
                    entries.append(entry)
                    kept = Self.limit(entry, manifest).map { ([], $0) }
                case .content(let piece):
                    guard let known = kept, known.bytes.count + piece.count <= known.limit else {
                        kept = nil
                        return
                    }
                    kept = (known.bytes + piece, known.limit)
                case .entryEnd:
                    guard let bytes = kept?.bytes, let entry = entries.last else { return }
                    kept = nil
                    if entry.path == BackupManifest.fileName {
                        manifest = try JSONReader.decode(from: bytes, limit: BackupManifest.mostBytes)
                    } else if let manifest, let pair = Self.pair(entry, manifest) {
                        pairings.add(bytes, of: pair)
                    }
                }
            }
        }
        guard parser.isComplete, let manifest else {
            throw BackupFault("\(path): the backup ends too early; take another one")
        }
        plan = try RestorePlan(manifest, entries, version: version)
        (self.file, self.cipher, self.pairings) = (file, cipher, pairings)
    }

    private static func limit(_ entry: TarEntry, _ manifest: BackupManifest?) -> Int? {
        if entry.path == BackupManifest.fileName { return BackupManifest.mostBytes }
        return manifest.flatMap { pair(entry, $0) } == nil ? nil : mostInfo
    }

    private static func pair(
        _ entry: TarEntry, _ manifest: BackupManifest
    ) -> (adapter: DeviceAddress, device: DeviceAddress)? {
        BackupManifest.place(entry.path).flatMap { BluetoothPairings.pair($0, in: manifest.bluetooth) }
    }

    /// Facts of the backup for a person.
    package var summary: [String] {
        let files = plan.entries.values.count { $0.kind == .file }
        let bytes = plan.entries.values.reduce(0) { $0 + $1.size }
        return [
            "made on \(WallTime(millisecondsSince1970: plan.manifest.made).rfc3339) by homegateway \(plan.manifest.version)",
            "\(files) files, \(bytes) bytes; settings \(plan.manifest.settings), state \(plan.manifest.stateDirectory)",
        ] + plan.places.map { "writes to \($0)" } + plan.manifest.leftOut.map { "not in it: \($0)" }
    }

    /// Reads it again, entry by entry.
    func readEntries(_ handle: (TarParser.Event) throws -> Void) throws {
        var parser = TarParser()
        try file.read(cipher) { try parser.take($0, handle) }
    }
}
