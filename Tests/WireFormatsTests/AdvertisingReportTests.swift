import GatewayModel
import Testing
import WireSamples

@testable import WireFormats

/// Vectors without their H4 packet type, event code and length: from the subevent code on, as composed from
/// the tables of Core 5.4, Vol 4, Part E, 7.7.65.
private let legacyVector = octets(
    "02 01 00 01 FF EE DD CC BB AA 0F 02 01 06 05 03 0D 18 0F 18 05 09 48 52 4D 31 C4")
private let extendedVector = octets(
    """
    0D 01 10 00 01 FF EE DD CC BB AA 01 00 FF 7F B9 00 00 00 00 00 00 00 00 00 0B 0A 16 D2 FC 44 02 C4 09 03 BF
    13
    """)

/// One extended report. The data is what counts; everything else is plausible.
private func extended(_ type: UInt8, set: UInt8 = 3, address: UInt8 = 1, _ data: [UInt8]) -> [UInt8] {
    [
        type, 0, 1, address, 2, 3, 4, 5, 0xC6, 1, 1, set, 0x7F, 0xB0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        UInt8(data.count),
    ]
        + data
}

@Suite struct `An advertising report` {
    @Test func `of the legacy kind tells who, how loud and what`() throws {
        let (reports, fault) = walk(legacyVector)
        #expect(fault == nil)
        let report = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(report.address.deviceAddress.description == "AA:BB:CC:DD:EE:FF")
        #expect(report.address.kind == .random)
        #expect(report.rssi == -60)
        #expect(report.properties == [.legacy, .connectable, .scannable])
        let data = Array(legacyVector[report.data])
        let (found, broken) = structures(of: data)
        // Flags, a complete list of services and a complete name.
        #expect(found.map(\.type.rawValue) == [0x01, 0x03, 0x09] && broken == nil)
        #expect(found.map { Array(data[$0.content]) } == [[0x06], octets("0D 18 0F 18"), Array("HRM1".utf8)])
    }

    @Test func `of the extended kind tells the same of a legacy advertisement`() throws {
        let (reports, fault) = walk(extendedVector)
        #expect(fault == nil)
        let report = try #require(reports.first)
        #expect(report.rssi == -71)
        #expect(report.txPower == nil)
        #expect(report.set == nil)
        #expect(report.properties == .legacy)
        #expect(report.dataStatus == .complete)
        #expect(extendedVector[report.data].count == 11)
    }

    @Test func `comes in company: each of several is read`() {
        let one = legacyVector.dropFirst(2)
        let (reports, fault) = walk([0x02, 0x03] + one + one + one)
        #expect(reports.count == 3)
        #expect(fault == nil)
        let two = extended(0x00, [1, 2, 3]) + extended(0x13, set: 0xFF, [])
        #expect(walk([0x0D, 0x02] + two).reports.map(\.data.count) == [3, 0])
    }

    @Test func `that is cut takes nothing from those before it`() {
        let one = Array(legacyVector.dropFirst(2))
        for length in 0..<one.count {
            let (reports, fault) = walk([0x02, 0x02] + one + one.prefix(length))
            #expect(reports.count == 1)
            #expect(fault != nil)
        }
    }

    @Test(arguments: [legacyVector, extendedVector]) func `cut anywhere is a fault, not a report`(
        _ whole: [UInt8]
    ) {
        for length in 0..<whole.count {
            let (reports, fault) = walk(Array(whole.prefix(length)))
            #expect(reports.isEmpty)
            #expect(fault != nil)
        }
    }

    @Test func `is as many as the event says, whatever follows`() {
        let (reports, fault) = walk(legacyVector + legacyVector)
        #expect(reports.count == 1)
        #expect(fault == nil)
    }

    @Test func `of a length beyond the event is a fault`() {
        var oversized = legacyVector
        oversized[10] = 0xFF
        #expect(walk(oversized).fault != nil)
    }

    @Test func `that knows no strength says so`() {
        #expect(walk(Array(legacyVector.dropLast()) + [0x7F]).reports.first?.rssi == nil)
    }

    @Test func `is not what another event is read as`() {
        let (reports, fault) = walk(octets("01 00 40 00"))
        #expect(reports.isEmpty)
        #expect(fault == nil)
    }

    @Test func `of any bytes does not trap`() {
        var random = SeededBytes()
        var intake = AdvertIntake(AdvertFilter([.all, .btHome]))
        var adverts: [Advert] = []
        for _ in 0..<20_000 {
            let event = [random.byte() & 1 == 0 ? 0x02 : 0x0D, random.byte() % 5] + random.bytes(upTo: 120)
            intake.take(event.span, arrival: BootInstant(nanoseconds: 0), into: &adverts)
        }
        for advert in adverts { _ = structures(of: advert.data) }
        #expect(intake.counts.malformed > 1_000)
        #expect(adverts.count == intake.counts.matched)
    }
}

@Suite struct `An advertisement in pieces` {
    private static func adverts(_ events: [[UInt8]]) -> (adverts: [Advert], counts: AdvertIntake.Counts) {
        var intake = AdvertIntake(AdvertFilter([.all]))
        var adverts: [Advert] = []
        for (index, event) in events.enumerated() {
            intake.take(event.span, arrival: BootInstant(nanoseconds: Int64(index)), into: &adverts)
        }
        return (adverts, intake.counts)
    }

    private static let moreToCome: UInt8 = 0b01 << 5
    private static let truncated: UInt8 = 0b10 << 5

    @Test func `becomes one, which arrived with its first piece`() {
        let (adverts, counts) = Self.adverts([
            [0x0D, 1] + extended(Self.moreToCome, [1, 2]), [0x0D, 1] + extended(Self.moreToCome, [3]),
            [0x0D, 1] + extended(0, [4, 5]),
        ])
        #expect(adverts.map(\.data) == [[1, 2, 3, 4, 5]])
        #expect(adverts.first?.arrival == BootInstant(nanoseconds: 0))
        #expect(adverts.first?.isTruncated == false)
        #expect(counts.reports == 3)
    }

    @Test func `may interleave with others, also in one event`() {
        let pieces =
            extended(Self.moreToCome, set: 1, [1]) + extended(Self.moreToCome, set: 2, [2])
            + extended(Self.moreToCome, set: 1, address: 9, [3]) + extended(0, set: 2, [4])
            + extended(0, set: 1, [5]) + extended(0, set: 7, [6]) + extended(0, set: 1, address: 9, [7])
        #expect(Self.adverts([[0x0D, 7] + pieces]).adverts.map(\.data) == [[2, 4], [1, 5], [6], [3, 7]])
    }

    @Test func `that the controller cut says so`() {
        let (adverts, _) = Self.adverts([
            [0x0D, 1] + extended(Self.moreToCome, [1, 2]), [0x0D, 1] + extended(Self.truncated, [3]),
        ])
        #expect(adverts.map(\.data) == [[1, 2, 3]])
        #expect(adverts.first?.isTruncated == true)
    }

    @Test func `longer than any can be is given up`() {
        let piece = [0x0D, 1] + extended(Self.moreToCome, [UInt8](repeating: 0, count: 229))
        let (adverts, counts) = Self.adverts([[UInt8]](repeating: piece, count: 20))
        #expect(adverts.isEmpty)
        #expect(counts.abandoned == 2)
    }

    @Test func `that never ends is pushed out by newer ones`() {
        let begun = (0..<100).map { [0x0D, 1] + extended(Self.moreToCome, address: UInt8($0), [1]) }
        let ended = (0..<100).map { [0x0D, 1] + extended(0, address: UInt8($0), [2]) }
        let (adverts, counts) = Self.adverts(begun + ended)
        #expect(counts.abandoned == 100 - AdvertAssembler.limit)
        #expect(adverts.filter { $0.data == [1, 2] }.count == AdvertAssembler.limit)
    }
}
