import ModelSamples
import Samples
import Testing

@testable import GatewayModel
@testable import Vault

@Suite struct `A row of the history` {
    private static let start = HistoryRig.start

    private static func chunk(_ values: [Double]) -> RawChunk {
        var chunk = RawChunk()
        for (index, value) in values.enumerated() {
            _ = chunk.insert(
                HistorySample(
                    time: start + Int64(index * 999), value: value,
                    contact: [.unknown, .detected, .lost][index % 3],
                    currency: [.history, .undated, .live, .live][index % 4],
                    doubts: [[], .poorSignal, .irregularPulse, [.irregularPulse, .looseCuff]][index % 4],
                    tag: UInt16(index)))
        }
        return chunk
    }

    @Test(arguments: [
        [], [72], [72, 71, 72, 72.5], [36.6, 36.7, 0.1 + 0.2], [-0.0, 0, 1e300, -1e-300, .infinity],
        [9_007_199_254_740_994, 0.5],
    ])
    func `gives back every value as it was`(values: [Double]) throws {
        let chunk = Self.chunk(values)
        let back = try #require(RawChunk(chunk.bytes(from: Self.start), from: Self.start))
        #expect(back.samples.map(\.value.bitPattern) == values.map(\.bitPattern))
        #expect(back == chunk)
    }

    @Test func `gives back that a value was doubtful, and that a pulse was irregular`() throws {
        let chunk = Self.chunk([72, 71, 73, 74])
        let back = try #require(RawChunk(chunk.bytes(from: Self.start), from: Self.start))
        #expect(
            back.samples.map(\.doubts) == [
                [], .questionable, .irregularPulse, [.irregularPulse, .questionable],
            ])
        for flags in UInt8(0)...255 where flags >= 64 || flags & 3 == 3 || flags & 12 == 12 {
            #expect(HistorySample.meaning(ofFlags: flags) == nil)
        }
    }

    @Test func `takes no more room than it has to`() {
        // A pulse each second: time 2, value 1, tag 2, and next to nothing for flags that stay.
        var chunk = RawChunk()
        for second in 0..<900 {
            _ = chunk.insert(
                HistorySample(
                    time: Self.start + Int64(second) * 1_000, value: Double(70 + second % 3),
                    contact: .detected, currency: .live, tag: UInt16(second)))
        }
        #expect(chunk.bytes(from: Self.start).count < 900 * 5 + 20)
    }

    @Test func `is by time, whatever the order of arrival`() {
        var chunk = RawChunk()
        for time in [5, 1, 9, 5, 0] as [Int64] {
            _ = chunk.insert(
                HistorySample(time: time, value: 70, contact: .detected, currency: .live, tag: UInt16(time)))
        }
        #expect(chunk.samples.map(\.time) == [0, 1, 5, 9])
    }

    @Test func `of roll-ups comes back`() throws {
        let samples = Self.chunk((0..<800).map { 60 + Double($0 % 37) / 2 }).samples
        let rollUp = RollUp(samples, length: HistorySlot.minute)
        let bytes = rollUp.bytes(length: HistorySlot.minute, from: Self.start)
        let back = try #require(RollUp(bytes, length: HistorySlot.minute, from: Self.start))
        #expect(back.buckets.map(\.start) == rollUp.buckets.map(\.start))
        #expect(back.buckets.map(\.count) == rollUp.buckets.map(\.count))
        #expect(back.buckets.map(\.min) == rollUp.buckets.map(\.min))
        #expect(back.buckets.map(\.max) == rollUp.buckets.map(\.max))
        #expect(back.buckets.map(\.doubtful) == rollUp.buckets.map(\.doubtful))
        #expect(back.coarser(length: HistorySlot.hour).buckets[0].doubtful > 300)
        for (one, other) in zip(back.buckets, rollUp.buckets) { #expect(abs(one.mean - other.mean) < 1e-4) }
    }

    @Test func `of roll-ups without doubts is as an earlier version reads it`() {
        func bytes(_ doubts: Doubts) -> [UInt8] {
            let sample = HistorySample(
                time: Self.start, value: 72, contact: .detected, currency: .live, doubts: doubts, tag: 1)
            return RollUp([sample], length: HistorySlot.minute)
                .bytes(length: HistorySlot.minute, from: Self.start)
        }
        #expect(bytes([]).first == 1 && bytes(.poorSignal).first == 2)
        #expect(bytes(.poorSignal).count == bytes([]).count + 1)
    }

    @Test func `that ends early or goes on too long is refused`() {
        let chunk = Self.chunk([72, 71.5, 73]).bytes(from: Self.start)
        let rollUp = RollUp(Self.chunk([72, 71.5, 73]).samples, length: HistorySlot.minute)
            .bytes(length: HistorySlot.minute, from: Self.start)
        let series = HistorySeries(
            person: Sample.maria, kind: .glucose, device: DeviceID(sample: "meter")
        ).bytes
        for count in 0..<chunk.count { #expect(RawChunk(Array(chunk.prefix(count)), from: Self.start) == nil) }
        for count in 0..<rollUp.count {
            #expect(
                RollUp(Array(rollUp.prefix(count)), length: HistorySlot.minute, from: Self.start) == nil)
        }
        for count in 0..<series.count { #expect(HistorySeries(Array(series.prefix(count))) == nil) }
        #expect(RawChunk(chunk + [0], from: Self.start) == nil)
        #expect(RollUp(rollUp + [0], length: HistorySlot.minute, from: Self.start) == nil)
        #expect(HistorySeries(series + [0]) == nil)
    }

    @Test func `of any bytes is refused or read, and traps nowhere`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let count = Int.random(in: 0..<40, using: &random)
            let version = UInt8.random(in: 1...2, using: &random)
            let bytes: [UInt8] = [version] + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = RawChunk(bytes, from: Self.start)
            _ = RollUp(bytes, length: HistorySlot.minute, from: Self.start)
            _ = HistorySeries(bytes)
        }
    }

    @Test func `stands under a place that tells series and slot`() {
        for slot in [HistorySlot.slots.lowerBound, -1, 0, 2_000_000, HistorySlot.slots.upperBound] {
            for series in [1, 2, 40_000] as [Int64] {
                let place = HistorySlot.place(series, slot)
                #expect(HistorySlot.series(ofPlace: place) == series)
                #expect(HistorySlot.slot(ofPlace: place) == slot)
                #expect(HistorySlot.places(of: series).contains(place))
                #expect(!HistorySlot.places(of: series + 1).contains(place))
            }
        }
    }
}
