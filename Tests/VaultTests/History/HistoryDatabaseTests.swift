import Ciphers
import Foundation
import GatewayModel
import ModelSamples
import Samples
import Testing

@testable import Vault

@Suite struct `The history on disk` {
    private let day = 86_400.0

    @Test func `gives back what was measured, over a restart`() throws {
        let rig = try HistoryRig()
        try rig.database.keep([
            rig.reading(71, at: 1), rig.reading(72.5, at: 2), rig.reading(140, at: 3_000, contact: .lost),
        ])
        try rig.reopen()
        let points = try rig.page(0, day, .raw).points
        #expect(points.map(\.mean) == [71, 72.5, 140])
        #expect(points.map(\.at) == [1, 2, 3_000].map { HistoryRig.start + $0 * 1_000 })
        #expect(points.map(\.contact) == [.detected, .detected, .lost])
        #expect(points[0].device == "strap")
    }

    @Test func `keeps a reading once that comes twice, and two that are alike`() throws {
        let rig = try HistoryRig()
        let (first, alike) = (rig.reading(71, at: 1), rig.reading(71, at: 1))
        #expect(try rig.database.keep([first, alike]) == 2)
        try rig.reopen()
        #expect(try rig.database.keep([alike, first]) == 0)
        #expect(try rig.page(0, day, .raw).points.count == 2)
    }

    @Test func `keeps nothing that no living person has`() throws {
        let rig = try HistoryRig()
        try rig.database.keep([rig.reading(0, at: 1), rig.reading(.nan, at: 2), rig.reading(60, at: 3)])
        #expect(try rig.page(0, day, .raw).points.map(\.mean) == [60])
    }

    @Test func `tells the least, mean and most of each piece, of skin contact alone`() throws {
        let rig = try HistoryRig()
        try rig.database.keep([
            rig.reading(60, at: 10), rig.reading(80, at: 59.999), rig.reading(100, at: 60),
            rig.reading(200, at: 70, contact: .lost),
            // Another device of the same person counts with it.
            rig.reading(64, at: 20, device: "watch"), rig.reading(50, at: 3_600),
        ])
        // Before and after the roll-ups are made: the same.
        for isRolledUp in [false, true] {
            if isRolledUp { try rig.lookAfter(at: day + 1) }
            let minutes = try rig.page(0, day, .minute).points
            #expect(minutes.map(\.count) == [3, 1, 1], "\(isRolledUp)")
            #expect(minutes.map(\.min) == [60, 100, 50])
            #expect(minutes.map(\.mean) == [68, 100, 50])
            #expect(minutes.map(\.max) == [80, 100, 50])
            #expect(try rig.page(0, day, .hour).points.map(\.mean) == [76, 50])
            #expect(try rig.page(0, day, .day).points.map(\.count) == [5])
        }
        #expect(try rig.sqlite("SELECT count(*) FROM hours") == "2\n")
    }

    @Test func `ages from readings to roll-ups to nothing`() throws {
        let rig = try HistoryRig()
        try rig.database.keep((0..<40).map { rig.reading(60 + Double($0), at: Double($0) * day + 1) })
        try rig.lookAfter(at: 40 * day, raw: 30)
        #expect(try rig.page(0, 40 * day, .raw).points.map(\.mean) == (10..<40).map { 60 + Double($0) })
        #expect(try rig.page(0, 40 * day, .day).points.map(\.mean) == (0..<40).map { 60 + Double($0) })
        try rig.lookAfter(at: 40 * day, raw: 1, rollUps: 20)
        #expect(try rig.page(0, 40 * day, .hour).points.map(\.mean) == (20..<40).map { 60 + Double($0) })
        #expect(try rig.page(0, 40 * day, .raw).points.count == 1)
    }

    @Test func `counts a late record with what its day has left`() throws {
        let rig = try HistoryRig()
        try rig.database.keep([rig.reading(60, at: 100)])
        try rig.lookAfter(at: 2 * day, raw: 30)
        // The day is rolled up, its readings are there: rolled up anew.
        try rig.database.keep([rig.reading(80, at: 110)])
        #expect(try rig.page(0, day, .hour).points.map(\.mean) == [70])
        try rig.lookAfter(at: 50 * day, raw: 30)
        #expect(try rig.page(0, day, .raw).points.isEmpty)
        // The readings are gone: what was made of them stays.
        try rig.database.keep([rig.reading(100, at: 120)])
        #expect(try rig.page(0, day, .hour).points.map(\.mean) == [80])
        try rig.lookAfter(at: 50 * day, raw: 30)
        try rig.reopen()
        let hours = try rig.page(0, day, .hour).points
        #expect(hours.map(\.mean) == [80] && hours.map(\.count) == [3])
        #expect(try rig.page(0, day, .minute).points.map(\.max) == [80, 100])
    }

    @Test func `a clock that is set back or far off loses nothing and traps nowhere`() throws {
        let rig = try HistoryRig()
        let far = [Double(Int64.min / 2_000), -1_767_225_600, -0.001, 0, 5_000, 4_000, 4e12]
        try rig.database.keep(far.map { rig.reading(66, at: $0) })
        try rig.database.keep([rig.reading(67, at: 4_500)])
        #expect(try rig.page(0, day, .raw).points.map(\.mean) == [66, 66, 67, 66])
        let all = HistoryQuery(
            person: Sample.maria, kind: .heartRate, from: WallTime(millisecondsSince1970: .min),
            to: WallTime(millisecondsSince1970: .max), resolution: .day)
        #expect(try rig.database.page(all).points.map(\.count) == [1, 1, 4, 1])
        #expect(try rig.page(-4e9, 4e12, .raw).points.count == 6)
        try rig.lookAfter(at: 4e15, raw: 1, rollUps: 1)
    }

    @Test func `gives pages that follow each other without a gap or a repetition`() throws {
        let rig = try HistoryRig()
        // Two of one instant stand on the edge of a page.
        try rig.database.keep((0..<25).map { rig.reading(60 + Double($0), at: Double($0 / 2) * day / 4) })
        for (resolution, limit) in [(HistoryResolution.raw, 5), (.minute, 3), (.hour, 3), (.day, 2)] {
            let whole = try rig.page(0, 10 * day, resolution).points
            var (points, from, pages) = ([HistoryPoint](), Double?(0), 0)
            while let begin = from {
                let page = try rig.page(begin, 10 * day, resolution, limit: limit)
                points += page.points
                pages += 1
                from = page.next.map { Double($0 - HistoryRig.start) / 1_000 }
            }
            #expect(points == whole && pages > 1, "\(resolution)")
        }
    }

    @Test func `chooses a resolution of some 1,000 points`() {
        let cases: [(Double, HistoryResolution)] = [
            (900, .raw), (3_600, .minute), (43_200, .minute), (7 * 86_400, .hour), (366 * 86_400, .day),
        ]
        for (seconds, resolution) in cases {
            #expect(
                HistoryResolution.fitting(from: HistoryRig.time(0), to: HistoryRig.time(seconds)) == resolution
            )
        }
    }

    @Test func `erases one person, off the disk too, and nobody else`() throws {
        let rig = try HistoryRig()
        let nonno = PersonID(sample: "nonno")
        try rig.database.keep([rig.reading(60, at: 1), rig.reading(70, at: 2, of: nonno)])
        try rig.lookAfter(at: 2 * day)
        try rig.database.keep([rig.reading(61, at: 3)])
        let hers = try #require(rig.database.series.first { $0.value.person == Sample.maria }?.key)
        let sealed = try #require(
            Data(hexadecimal: try rig.sqlite("SELECT hex(sealed) FROM minutes WHERE place >> 32 = \(hers)")))
        #expect(try rig.bytes().range(of: sealed) != nil)
        #expect(try rig.database.erase(Sample.maria) > 0)
        #expect(try rig.page(0, day, .hour).points.isEmpty)
        #expect(try rig.page(0, day, .raw).points.isEmpty)
        #expect(try rig.bytes().range(of: sealed) == nil)
        let other = HistoryQuery(
            person: nonno, kind: .heartRate, from: HistoryRig.time(0), to: HistoryRig.time(day),
            resolution: .hour)
        #expect(try rig.database.page(other).points.map(\.mean) == [70])
        #expect(try rig.database.erase(Sample.maria) == 0)
    }

    @Test func `a torn file is told of as damage, set aside, and another one begun`() throws {
        let rig = try HistoryRig()
        for hour in 0..<200 { try rig.database.keep([rig.reading(60, at: Double(hour) * 3_600)]) }
        try rig.database.close()
        let file = try FileHandle(forUpdating: URL(filePath: rig.path))
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 20_000))
        try file.close()
        do {
            try rig.reopen()
            Issue.record("it was opened")
        } catch HistoryFailure.disk(let failure) {
            #expect(failure.isDamage, "\(failure)")
        }
        let fresh = try HistoryDatabase.replace(
            at: rig.path, keys: HistoryRig.keys(1), cipher: OpenSSLCipher(), at: HistoryRig.time(7))
        rig.database = fresh.database
        #expect(FileManager.default.fileExists(atPath: fresh.asidePath))
        try rig.database.keep([rig.reading(61, at: 1)])
        #expect(try rig.page(0, day, .raw).points.map(\.mean) == [61])
    }
}

extension Data {
    init?(hexadecimal text: String) {
        let digits = text.filter(\.isHexDigit).compactMap { $0.hexDigitValue.map(UInt8.init) }
        guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
        self.init(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
