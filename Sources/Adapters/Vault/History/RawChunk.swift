/// Readings of one series in one quarter of an hour, ordered by time.
struct RawChunk: Hashable, Sendable {
    private static let version: UInt8 = 1

    private(set) var samples: [HistorySample] = []

    /// Inserts a sample.
    /// - Returns: false if the chunk already contains it.
    mutating func insert(_ sample: HistorySample) -> Bool {
        var index = samples.count
        // Search from the end, because a new sample is nearly always the latest.
        while index > 0, samples[index - 1].time >= sample.time {
            if samples[index - 1] == sample { return false }
            if samples[index - 1].time == sample.time, samples[..<index].contains(sample) { return false }
            if samples[index - 1].time == sample.time { break }
            index -= 1
        }
        samples.insert(sample, at: index)
        return true
    }

    // MARK: As bytes

    /// Returns the encoded chunk: times, values, tags and flags in one column each, so that similar values are
    /// adjacent.
    /// - Parameter start: start of the quarter.
    func bytes(from start: Int64) -> [UInt8] {
        var bytes = PackedBytes()
        bytes.put(Self.version)
        bytes.put(varint: UInt64(samples.count))
        var last = start
        for sample in samples {
            bytes.put(signed: sample.time - last)
            last = sample.time
        }
        PackedValues.put(samples.map(\.value), into: &bytes)
        for sample in samples { bytes.put(fixed: sample.tag) }
        var index = 0
        while index < samples.count {
            let flags = samples[index].flags
            let run = samples[index...].prefix { $0.flags == flags }.count
            bytes.put(flags)
            bytes.put(varint: UInt64(run))
            index += run
        }
        return bytes.bytes
    }

    init() {}

    /// Returns nil for bytes that no version has written.
    init?(_ bytes: [UInt8], from start: Int64) {
        var reader = PackedReader(bytes)
        guard reader.byte() == Self.version, let count = reader.count() else { return nil }
        var times: [Int64] = []
        times.reserveCapacity(count)
        var last = start
        for _ in 0..<count {
            guard let difference = reader.signed() else { return nil }
            last &+= difference
            times.append(last)
        }
        guard let values = PackedValues.take(count, from: &reader) else { return nil }
        var tags: [UInt16] = []
        tags.reserveCapacity(count)
        for _ in 0..<count {
            guard let tag = reader.fixed(UInt16.self) else { return nil }
            tags.append(tag)
        }
        samples.reserveCapacity(count)
        while samples.count < count {
            guard let flags = reader.byte(), let meaning = HistorySample.meaning(ofFlags: flags),
                let run = reader.varint(), run > 0, run <= UInt64(count - samples.count)
            else { return nil }
            for index in samples.count..<samples.count + Int(run) {
                samples.append(
                    HistorySample(
                        time: times[index], value: values[index], contact: meaning.contact,
                        currency: meaning.currency, doubts: meaning.doubts, tag: tags[index]))
            }
        }
        guard reader.isAtEnd else { return nil }
    }
}
