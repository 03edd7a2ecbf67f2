import GatewayModel
import Glibc

/// Writes each burst and each speech into a directory, as a WAV file of its own: for a house without a sound
/// card, for tests and to listen to later. Used on one thread.
///
/// `000001-burst-high.wav`, `000002-speech.wav`: in the order in which they were begun. Readable by their owner
/// alone, since they speak of a person; the oldest are removed.
final class WAVOutput: SoundOutput {
    /// Ten minutes of an alarm, about 20 MB.
    static let kept = 100
    /// The voice's own.
    private static let rate = 22_050

    private let directory: String
    private var number: Int?
    private var label = ""
    private var samples: [Int16] = []

    init(directory: String) {
        self.directory = directory
    }

    func open() throws(HouseFailure) -> Int {
        guard number == nil else { return Self.rate }
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw HouseFailure("making the directory for sound \(directory)", doInstead: advice)
        }
        number = (try files().last ?? 0) + 1
        return Self.rate
    }

    func begin(_ label: String) {
        (self.label, samples) = (label, [])
    }

    func write(_ samples: ArraySlice<Int16>) throws(HouseFailure) {
        self.samples += samples
    }

    func end(isWhole: Bool) throws(HouseFailure) {
        defer { samples = [] }
        guard let number, !samples.isEmpty else { return }
        let path = "\(directory)/\(Self.padded(number))-\(label).wav"
        try write(WaveFile.bytes(of: PCM(samples: samples, rate: Self.rate)), to: path)
        self.number = number + 1
        try removeOld()
    }

    func close() {
        number = nil
    }

    /// Whoever watches the directory sees whole files only.
    private func write(_ bytes: [UInt8], to path: String) throws(HouseFailure) {
        let unfinished = path + ".new"
        let file = Glibc.open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw lost("creating \(unfinished)") }
        defer { Glibc.close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw lost("writing \(unfinished)") }
            rest = rest.dropFirst(max(count, 0))
        }
        guard rename(unfinished, path) == 0 else { throw lost("naming \(path)") }
    }

    private func removeOld() throws(HouseFailure) {
        let numbers = try files()
        for number in numbers.dropLast(Self.kept) {
            for name in try names() where Self.number(of: name) == number { unlink("\(directory)/\(name)") }
        }
    }

    /// The numbers of the files that are there, rising.
    private func files() throws(HouseFailure) -> [Int] {
        try names().compactMap(Self.number(of:)).sorted()
    }

    private func names() throws(HouseFailure) -> [String] {
        guard let listing = opendir(directory) else {
            throw HouseFailure("reading the directory for sound \(directory)", doInstead: advice)
        }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    private func lost(_ doing: String) -> HouseFailure {
        let failure = HouseFailure(doing, doInstead: advice)
        close()
        return failure
    }

    private var advice: String { "the gateway's account must be able to write there" }

    /// Nil for a file that is none of ours.
    private static func number(of name: String) -> Int? {
        guard name.hasSuffix(".wav"), let digits = name.split(separator: "-").first, digits.count == 6 else {
            return nil
        }
        return Int(digits)
    }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(6 - digits.count, 0)) + digits
    }
}

/// A RIFF WAVE file of 16 bits a sample (Multimedia Programming Interface and Data Specifications 1.0, 1991).
enum WaveFile {
    /// One channel, PCM.
    static func bytes(of sound: PCM) -> [UInt8] {
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
    static func read(_ bytes: [UInt8]) -> PCM? {
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
