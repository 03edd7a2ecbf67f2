import Ciphers
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Backup

/// Cheap, for the many files of these tests.
let cheap = ScryptCost(n: 16, r: 1, p: 1) ?? .standard

@Suite struct `A sealed file` {
    private let scratch: ScratchDirectory
    private let words = BackupWords()

    init() throws { scratch = try ScratchDirectory() }

    private func write(_ plain: [UInt8], in pieces: Int = 10_000) throws -> [UInt8] {
        let (header, cipher) = try ChunkCipher.new(words, made: 1, version: "0.1.0", cost: cheap)
        let path = scratch.file("a").path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        var writer = try SealedWriter(descriptor, path: path, header, cipher)
        for start in stride(from: 0, to: plain.count, by: pieces) {
            try writer.write(plain[start..<min(start + pieces, plain.count)])
        }
        try writer.finish()
        return [UInt8](try Data(contentsOf: scratch.file("a")))
    }

    private func read(_ bytes: [UInt8], _ words: BackupWords) throws -> [UInt8] {
        try Data(bytes).write(to: scratch.file("b"))
        let reader = try SealedReader(scratch.file("b").path)
        var plain: [UInt8] = []
        try reader.read(try ChunkCipher(words, of: reader.header)) { plain += $0 }
        return plain
    }

    private func fault(_ bytes: [UInt8], _ words: BackupWords? = nil) -> String? {
        do {
            _ = try read(bytes, words ?? self.words)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// RFC 7914, section 12.
    @Test func `derives its key as RFC 7914 says`() throws {
        let cost = try #require(ScryptCost(n: 1_024, r: 8, p: 16))
        let key = try #require(cost.derive(from: Array("password".utf8), salt: Array("NaCl".utf8), count: 64))
        #expect(
            Hexadecimal.text(key)
                == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
    func `gives back its bytes`(count: Int) throws {
        let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try read(write(plain), words) == plain)
    }

    @Test func `is refused with each byte changed`() throws {
        let bytes = try write([UInt8](repeating: 9, count: 300))
        for offset in bytes.indices {
            var damaged = bytes
            damaged[offset] ^= 0x20
            #expect(fault(damaged) != nil, "byte \(offset)")
        }
    }

    @Test func `is refused where it was cut, at each byte`() throws {
        let bytes = try write([UInt8](repeating: 9, count: 300))
        for count in bytes.indices { #expect(fault(Array(bytes.prefix(count))) != nil, "cut at \(count)") }
        #expect(fault(bytes + [0]) != nil)
    }

    @Test func `names the reason: other words, a change, a cut between two chunks, another file`() throws {
        let bytes = try write([UInt8](repeating: 9, count: 200_000))
        #expect(fault(bytes) == nil)
        #expect(fault(bytes, BackupWords())?.contains("the words are not those of this backup") == true)
        let start = bytes.count - 200_000 - 4 * ChunkCipher.tag
        var damaged = bytes
        damaged[start + 70_000] ^= 1
        let place = "between the bytes \(start + 65_552) and \(start + 131_104)"
        #expect(fault(damaged)?.contains(place) == true, "\(fault(damaged) ?? "")")
        let cut = Array(bytes.prefix(start + 2 * 65_552))
        #expect(fault(cut)?.contains("the file was cut: its end is missing") == true)
        #expect(fault(Array(bytes.dropLast(5)))?.contains("the file was cut or changed after byte") == true)
        #expect(fault(Array("PK".utf8))?.contains("this is no backup of HomeGateway") == true)
        damaged = bytes
        damaged[30] ^= 1
        #expect(fault(damaged)?.contains("the beginning of the file is damaged") == true)
    }

    @Test func `is refused where two of its chunks were exchanged`() throws {
        let bytes = try write((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 65_536) })
        let start = bytes.count - 200_000 - 4 * ChunkCipher.tag
        let (first, second) = (start..<start + 65_552, start + 65_552..<start + 131_104)
        let other = Array(bytes[..<start] + bytes[second] + bytes[first] + bytes[second.upperBound...])
        #expect(fault(other)?.contains("is damaged or was changed") == true)
    }

    @Test func `asks for no more memory than a box has`() {
        #expect(ScryptCost(n: 1 << 23, r: 8, p: 1) == nil && ScryptCost(n: 3, r: 8, p: 1) == nil)
        #expect(ScryptCost(n: 1 << 20, r: 8, p: 1) != nil)
    }
}
