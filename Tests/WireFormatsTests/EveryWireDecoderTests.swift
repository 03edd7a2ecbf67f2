import Foundation
import TestSupport
import Testing

@testable import WireFormats

@Suite struct `Every decoder of received bytes` {
    private static let fuzz = Repository.root.appending(path: "Tests/Fuzz")

    /// Files of `folder`, by decoder. Empty where there is no such folder: no crash is kept.
    private static func files(_ folder: String, _ decoder: WireDecoder) throws -> [Data] {
        let directory = fuzz.appending(path: folder).appending(path: decoder.name)
        guard FileManager.default.fileExists(atPath: directory.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .map { try Data(contentsOf: $0) }
    }

    private static func decoder(_ name: String) throws -> WireDecoder {
        try #require(WireDecoder.all.first { $0.name == name }, "no decoder \(name)")
    }

    @Test func `of GATT has vectors, except the transfer, which is events`() {
        let named = Set(GATTVector.all.map(\.decoder)).union(["GlucoseRecordTransfer"])
        #expect(named == Set(WireDecoder.gatt.map(\.name)))
    }

    @Test(arguments: GATTVector.all) func `refuses each cut of a vector with a typed error`(
        _ vector: GATTVector
    ) throws {
        let decoder = try Self.decoder(vector.decoder)
        for length in vector.bytes.indices {
            let cut = Array(vector.bytes.prefix(length))
            do throws(DecodeError) {
                _ = try decoder.decode(cut)
                #expect(decoder.takesAll, "\(length) of \(vector.bytes.count) bytes were taken for a whole")
            } catch {
                guard case .truncated(let field, let needed, let left) = error else {
                    Issue.record("\(length) bytes: \(error)")
                    continue
                }
                #expect(!field.isEmpty && needed > left)
            }
        }
    }

    @Test(arguments: GATTVector.all) func `leaves what a later revision may append`(_ vector: GATTVector) throws
    {
        let decoder = try Self.decoder(vector.decoder)
        let value = try decoder.decode(vector.bytes)
        if !decoder.takesAll || vector.decoder == "HeartRateMeasurement" {
            #expect(try decoder.decode(vector.bytes + [0xA5]) == value)
        }
        // Longer than any notification can be.
        if !decoder.takesAll {
            #expect(try decoder.decode(vector.bytes + [UInt8](repeating: 0, count: 600)) == value)
        }
    }

    /// Decoder, byte of the flags, the bits the specification reserves there.
    @Test(arguments: [
        ("HeartRateMeasurement", 0, 0xE0), ("BloodPressureMeasurement", 0, 0xE0),
        ("EnhancedBloodPressureMeasurement", 0, 0x80),
        ("TemperatureMeasurement", 0, 0xF8), ("PLXSpotCheckMeasurement", 0, 0xE0),
        ("PLXContinuousMeasurement", 0, 0xE0), ("GlucoseMeasurement", 0, 0xE0), ("WeightMeasurement", 0, 0xF0),
        ("BodyCompositionMeasurement", 1, 0xE0), ("RSCMeasurement", 0, 0xF8), ("LocationAndSpeed", 1, 0xE0),
        ("PositionQuality", 1, 0xFE),
    ]) func `ignores reserved flags`(_ name: String, _ index: Int, _ reserved: UInt8) throws {
        let decoder = try Self.decoder(name)
        for vector in GATTVector.all where vector.decoder == name {
            var bytes = vector.bytes
            bytes[index] |= reserved
            #expect(try decoder.decode(bytes) == decoder.decode(vector.bytes))
        }
    }

    @Test(arguments: WireDecoder.all) func `survives any bytes`(_ decoder: WireDecoder) {
        var state: UInt64 = 0x5EED
        func random() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        let pool = (0..<65_536).map { _ in UInt8(truncatingIfNeeded: random()) }
        var decoded = 0
        for _ in 0..<100_000 {
            let start = Int(random() % 65_000)
            if (try? decoder.decode(Array(pool[start..<start + Int(random() % 48)]))) != nil { decoded += 1 }
        }
        #expect(decoded > 0, "only errors: the values were not tried")
    }

    @Test(arguments: WireDecoder.all) func `survives what once broke it`(_ decoder: WireDecoder) throws {
        for bytes in try Self.files("crashes", decoder) { _ = try? decoder.decode(Array(bytes)) }
    }

    @Test(arguments: WireDecoder.all) func `starts its fuzzer from its vectors`(_ decoder: WireDecoder) throws {
        let corpus = Set(try Self.files("corpus", decoder).map { [UInt8]($0) })
        #expect(!corpus.isEmpty)
        for vector in GATTVector.all where vector.decoder == decoder.name {
            #expect(
                corpus.contains(vector.bytes), "no file in the corpus of \(decoder.name) is \(vector.bytes)")
        }
        for bytes in corpus { _ = try? decoder.decode(bytes) }
    }
}
