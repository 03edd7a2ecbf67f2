/// Statistics of the readings of one minute or hour.
struct HistoryBucket: Hashable, Sendable {
    /// Start, in milliseconds since 1970, UTC.
    let start: Int64
    private(set) var count: Int
    private(set) var min, max: Double
    private(set) var mean: Double
    /// Number of the readings that are doubtful. 0 for those that a version before doubts has rolled up.
    private(set) var doubtful: Int

    init(start: Int64, count: Int, min: Double, mean: Double, max: Double, doubtful: Int) {
        (self.start, self.count, self.doubtful) = (start, count, doubtful)
        (self.min, self.mean, self.max) = (min, mean, max)
    }

    init(start: Int64, _ sample: HistorySample) {
        self.init(
            start: start, count: 1, min: sample.value, mean: sample.value, max: sample.value,
            doubtful: sample.doubts.isEmpty ? 0 : 1)
    }

    /// Returns this bucket as a part of a longer one.
    func starting(at start: Int64) -> HistoryBucket {
        HistoryBucket(start: start, count: count, min: min, mean: mean, max: max, doubtful: doubtful)
    }

    /// Merges the other bucket into this one.
    mutating func add(_ other: HistoryBucket) {
        let sum = mean * Double(count) + other.mean * Double(other.count)
        (min, max) = (Swift.min(min, other.min), Swift.max(max, other.max))
        count += other.count
        doubtful += other.doubtful
        mean = Swift.min(Swift.max(sum / Double(count), min), max)
    }
}

/// Minutes or hours of one series in one day, ordered by time. Empty ones are left out.
struct RollUp: Hashable, Sendable {
    /// The second one counts doubtful readings. It is written only where there are any, so that an earlier program reads
    /// all other days.
    private static let (version, doubtfulVersion): (UInt8, UInt8) = (1, 2)

    private(set) var buckets: [HistoryBucket]

    /// - Parameter buckets: ordered by time. Consecutive buckets with the same start are merged.
    init(_ buckets: some Sequence<HistoryBucket>) {
        self.buckets = []
        for bucket in buckets {
            if let last = self.buckets.indices.last, self.buckets[last].start == bucket.start {
                self.buckets[last].add(bucket)
            } else {
                self.buckets.append(bucket)
            }
        }
    }

    /// Creates the roll-up of readings that are ordered by time. Readings of a sensor off the skin do not count.
    init(_ samples: [HistorySample], length: Int64) {
        self.init(
            samples.lazy.filter(\.isOfTheBody).map { sample in
                let number = HistorySlot.number(of: sample.time, length: length)
                return HistoryBucket(start: number * length, sample)
            })
    }

    /// Returns this roll-up with longer buckets.
    func coarser(length: Int64) -> RollUp {
        RollUp(
            buckets.lazy.map { bucket in
                bucket.starting(at: HistorySlot.number(of: bucket.start, length: length) * length)
            })
    }

    func merged(with other: RollUp) -> RollUp {
        RollUp((buckets + other.buckets).sorted { $0.start < $1.start })
    }

    // MARK: As bytes

    /// - Parameters:
    ///   - length: length of a bucket, in milliseconds.
    ///   - start: start of the day.
    func bytes(length: Int64, from start: Int64) -> [UInt8] {
        var bytes = PackedBytes()
        let hasDoubts = buckets.contains { $0.doubtful > 0 }
        bytes.put(hasDoubts ? Self.doubtfulVersion : Self.version)
        bytes.put(varint: UInt64(buckets.count))
        var last = start / length
        for bucket in buckets {
            bytes.put(signed: bucket.start / length - last)
            last = bucket.start / length
        }
        for bucket in buckets { bytes.put(varint: UInt64(bucket.count)) }
        if hasDoubts {
            for bucket in buckets { bytes.put(varint: UInt64(bucket.doubtful)) }
        }
        PackedValues.put(buckets.map(\.min), into: &bytes)
        PackedValues.put(buckets.map(\.max), into: &bytes)
        // Seven digits: more precise than any of these sensors. If minimum and maximum are equal, they are the mean.
        for bucket in buckets where bucket.min != bucket.max {
            bytes.put(fixed: Float(bucket.mean).bitPattern)
        }
        return bytes.bytes
    }

    /// Returns nil for bytes that no version has written.
    init?(_ bytes: [UInt8], length: Int64, from start: Int64) {
        var reader = PackedReader(bytes)
        guard let version = reader.byte(), version == Self.version || version == Self.doubtfulVersion,
            let count = reader.count()
        else { return nil }
        var starts: [Int64] = []
        var last = start / length
        for _ in 0..<count {
            guard let difference = reader.signed() else { return nil }
            last &+= difference
            guard HistorySlot.times.contains(last &* length), abs(last) < 1 << 40 else { return nil }
            starts.append(last * length)
        }
        var counts: [Int] = []
        for _ in 0..<count {
            guard let number = reader.varint(), number > 0, number < 1 << 40 else { return nil }
            counts.append(Int(number))
        }
        var doubtful = [Int](repeating: 0, count: count)
        if version == Self.doubtfulVersion {
            for index in 0..<count {
                guard let number = reader.varint(), number <= UInt64(counts[index]) else { return nil }
                doubtful[index] = Int(number)
            }
        }
        guard let least = PackedValues.take(count, from: &reader),
            let most = PackedValues.take(count, from: &reader)
        else { return nil }
        var buckets: [HistoryBucket] = []
        buckets.reserveCapacity(count)
        for index in 0..<count {
            var mean = least[index]
            if least[index] != most[index] {
                guard let bits = reader.fixed(UInt32.self) else { return nil }
                mean = Swift.min(Swift.max(Double(Float(bitPattern: bits)), least[index]), most[index])
            }
            buckets.append(
                HistoryBucket(
                    start: starts[index], count: counts[index], min: least[index], mean: mean,
                    max: most[index], doubtful: doubtful[index]))
        }
        guard reader.isAtEnd else { return nil }
        self.buckets = buckets
    }
}
