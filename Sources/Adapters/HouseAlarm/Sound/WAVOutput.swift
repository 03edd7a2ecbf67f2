import Audio
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
