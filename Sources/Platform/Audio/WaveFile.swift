/// A RIFF WAVE file of 16 bits a sample (Multimedia Programming Interface and Data Specifications 1.0, 1991).
public enum WaveFile {
    /// One channel, PCM.
    public static func bytes(of sound: PCM) -> [UInt8] {
        let size = UInt32(clamping: sound.samples.count * 2)
        let rate = UInt32(clamping: sound.rate)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + Int(size))
        bytes += Array("RIFF".utf8) + little(36 + size) + Array("WAVE".utf8)
        // Format 1 (PCM), one channel, bytes a second, bytes a frame, bits a sample.
        bytes += Array("fmt ".utf8) + little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1))
        bytes += little(rate) + little(rate * 2) + little(UInt16(2)) + little(UInt16(16))
        bytes += Array("data".utf8) + little(size)
        for sample in sound.samples { bytes += little(UInt16(bitPattern: sample)) }
        return bytes
    }

    /// One channel, PCM. A writer that could not go back, as into a pipe, leaves sizes that are too long: what
    /// is there counts.
    /// - Returns: nil where it is none.
    public static func read(_ bytes: [UInt8]) -> PCM? {
        guard bytes.count >= 12, tag(bytes[0..<4]) == "RIFF", tag(bytes[8..<12]) == "WAVE" else { return nil }
        var place = 12
        var rate: Int?
        while place + 8 <= bytes.count {
            let name = tag(bytes[place..<place + 4])
            let size = Int(number(bytes[place + 4..<place + 8]))
            let end = min(place + 8 + size, bytes.count)
            let body = bytes[place + 8..<end]
            switch name {
            case "fmt ":
                // One channel (offset 2) of 16 bits (offset 14) in format 1 (offset 0); the rate at offset 4.
                guard body.count >= 16, number(body.prefix(2)) == 1, number(body.dropFirst(2).prefix(2)) == 1,
                    number(body.dropFirst(14).prefix(2)) == 16
                else { return nil }
                rate = Int(number(body.dropFirst(4).prefix(4)))
            case "data":
                guard let rate, (8_000...192_000).contains(rate) else { return nil }
                return PCM(samples: samples(body), rate: rate)
            default: break
            }
            // Chunks begin at even places.
            place = end + size % 2
        }
        return nil
    }

    private static func samples(_ body: ArraySlice<UInt8>) -> [Int16] {
        var samples: [Int16] = []
        samples.reserveCapacity(body.count / 2)
        for place in stride(from: body.startIndex, to: body.endIndex - 1, by: 2) {
            samples.append(Int16(bitPattern: UInt16(body[place]) | UInt16(body[place + 1]) << 8))
        }
        return samples
    }

    private static func tag(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
