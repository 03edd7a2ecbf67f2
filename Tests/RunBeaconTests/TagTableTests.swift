import GatewayModel
import ModelSamples
import RaceSimulation
import RunBeacon
import SeededRandom
import TagAdverts
import Testing
import WireFormats

@Suite struct `The table of tags` {
    private static let uuid = IBeacon.ProximityUUID(high: 0xE2C5_6DB5_DFFB_48D2, low: 0xB060_D0F5_A710_96E0)
    private static let namespace = Eddystone.Namespace(high: 0x0011_2233_4455_6677, low: 0x8899)
    private static let run = RunID(sample: "city-10k")

    /// One identity of each kind.
    private static let identities: [TagIdentity] = [
        .address(DeviceAddress(octets: 0xC0FF_EE00_0001)), .iBeacon(uuid, major: 7, minor: 9),
        .eddystone(namespace, instance: 0x0102_0304_0506),
        .manufacturer(company: 0x0059, prefix: [0xCA, 0xFE, 0x00, 0x05]), .identityKey(SampleCipher.key),
    ]

    private static func owner(_ bib: Int, in run: RunID = run) throws -> Enrolment {
        Enrolment(run: run, bib: try #require(Bib(bib)))
    }

    private static func table(_ identities: [TagIdentity] = identities) throws -> TagTable<AdvertRecogniser> {
        var table = TagTable(recogniser: AdvertRecogniser(cipher: SampleCipher()))
        var tags: [TagIdentity: [Enrolment]] = [:]
        for (index, identity) in identities.enumerated() { tags[identity] = [try owner(index + 1)] }
        table.enrol(tags)
        return table
    }

    /// Returns the advertisements that pass the scanner with the table's own rules.
    private static func adverts(_ event: [UInt8], _ table: TagTable<AdvertRecogniser>, at seconds: Double = 1)
        -> [Advert]
    {
        var intake = AdvertIntake(AdvertFilter(table.rules))
        var adverts: [Advert] = []
        intake.take(event.span, arrival: BootInstant(nanoseconds: Int64(seconds * 1e9)), into: &adverts)
        return adverts
    }

    private static func hear(
        _ broadcast: Broadcast, _ table: inout TagTable<AdvertRecogniser>, rssi: Int8 = -60,
        at seconds: Double = 1
    ) -> TagHit? {
        adverts(broadcast.event(rssi: rssi), table, at: seconds).first.flatMap { table.hit($0, antenna: 3) }
    }

    private static func address(of identity: TagIdentity) -> UInt64 {
        if case .identityKey = identity { SampleCipher.address } else { 0xD000_0000_0001 }
    }

    @Test(arguments: identities)
    func `knows a tag by its name, and asks the scanner for it`(identity: TagIdentity) throws {
        var table = try Self.table()
        let broadcast = Broadcast(identity, address: Self.address(of: identity))
        for event in [broadcast.event(rssi: -61), broadcast.extendedEvent(rssi: -61)] {
            let adverts = Self.adverts(event, table)
            try #require(adverts.count == 1)
            let hit = table.hit(adverts[0], antenna: 2)
            let tag = try #require(table.tag(of: identity))
            #expect(
                hit
                    == TagHit(
                        tag: tag, antenna: 2, rssi: -61, arrival: BootInstant(nanoseconds: 1_000_000_000)))
            #expect(table.identity(of: tag) == identity)
            #expect(table.owners(of: tag).count == 1)
        }
    }

    @Test(arguments: identities)
    func `knows no tag that is called otherwise, and keeps strangers out at the scanner`(identity: TagIdentity)
        throws
    {
        let others = Self.identities.filter { $0 != identity }
        var table = try Self.table(others)
        let broadcast = Broadcast(identity, address: Self.address(of: identity))
        #expect(Self.adverts(broadcast.event(rssi: -61), table).allSatisfy { table.hit($0) == nil })
    }

    @Test func `takes the longer beginning of manufacturer data for the name`() throws {
        let (short, long) = (
            TagIdentity.manufacturer(company: 0x0059, prefix: [0xCA]),
            TagIdentity.manufacturer(company: 0x0059, prefix: [0xCA, 0xFE])
        )
        var table = try Self.table([short, long])
        let hits = [[0xCA, 0xFE], [0xCA, 0xFF]].map { bytes in
            Self.hear(
                Broadcast(.manufacturer(company: 0x0059, prefix: bytes), address: 1 << 47), &table)?.tag
        }
        #expect(hits == [table.tag(of: long), table.tag(of: short)])
    }

    @Test(arguments: [Int8(127), 21, 100])
    func `counts a tag that comes without a strength, and hands on no hit`(rssi: Int8) throws {
        var table = try Self.table()
        #expect(Self.hear(Broadcast(Self.identities[1], address: 1 << 47), &table, rssi: rssi) == nil)
        #expect(table.counts.heard == 1)
        #expect(table.counts.withoutStrength == 1)
    }

    @Test func `keeps a tag's number while others come and go, and gives none twice`() throws {
        var table = try Self.table(Array(Self.identities.prefix(2)))
        let (stays, goes) = (
            try #require(table.tag(of: Self.identities[0])), try #require(table.tag(of: Self.identities[1]))
        )
        let owner = try Self.owner(1)
        #expect(table.enrol([Self.identities[0]: [owner], Self.identities[2]: [owner]]) == [goes])
        #expect(table.tag(of: Self.identities[0]) == stays)
        #expect(table.owners(of: goes).isEmpty)
        #expect(Self.hear(Broadcast(Self.identities[1], address: 1 << 47), &table) == nil)
        table.enrol([Self.identities[1]: [owner]])
        #expect(table.tag(of: Self.identities[1]).map { $0 > goes } == true)
    }

    @Test func `says whose a tag is in each of the runs that overlap`() throws {
        var table = TagTable(recogniser: AdvertRecogniser(cipher: SampleCipher()))
        let owners = [try Self.owner(4, in: RunID(sample: "relay")), try Self.owner(9)]
        table.enrol([Self.identities[0]: owners])
        let tag = try #require(table.tag(of: Self.identities[0]))
        #expect(table.owners(of: tag) == owners.sorted())
        #expect(table.tagsOfRunners == [owners[0]: [tag], owners[1]: [tag]])
    }

    // MARK: Clones

    private static func isCloned(_ heard: [(Double, UInt64)], _ identity: TagIdentity = identities[1]) throws
        -> Bool
    {
        var table = try table()
        for (time, address) in heard {
            _ = hear(Broadcast(identity, address: 0xC000_0000_0000 | address), &table, at: time)
        }
        let tag = try #require(table.tag(of: identity))
        return table.isCloned(tag, since: BootInstant(nanoseconds: 0))
    }

    @Test func `notes two radios, or three, with one name at a time`() throws {
        #expect(try Self.isCloned([(1, 1), (1.05, 2), (1.1, 1), (1.15, 2)]))
        #expect(try Self.isCloned([(1, 1), (2, 2), (3, 3), (4, 1), (5, 2)]))
        #expect(try Self.isCloned([(1, 1), (1.05, 2), (1.1, 1), (1.15, 2)], Self.identities[2]))
        #expect(try Self.isCloned([(1, 1), (1.05, 2), (1.1, 1), (1.15, 2)], Self.identities[3]))
    }

    @Test func `takes a tag that changes its address for one`() throws {
        #expect(try !Self.isCloned([(1, 1), (1.1, 1), (1.2, 2), (1.3, 2), (1.4, 2)]))
        #expect(try !Self.isCloned([(1, 1), (1.2, 2), (1.4, 3), (1.6, 4), (1.8, 5)]))
        // One that was delayed on its way.
        #expect(try !Self.isCloned([(1, 1), (1.2, 2), (1.3, 1), (1.4, 1)]))
    }

    @Test func `forgets a clone once it has gone`() throws {
        var table = try Self.table()
        for (index, address) in [1, 2, 1, 2].enumerated() {
            _ = Self.hear(
                Broadcast(Self.identities[1], address: UInt64(address) << 40), &table, at: Double(index))
        }
        let tag = try #require(table.tag(of: Self.identities[1]))
        #expect(table.isCloned(tag, since: BootInstant(nanoseconds: 3_000_000_000)))
        #expect(!table.isCloned(tag, since: BootInstant(nanoseconds: 3_000_000_001)))
    }

    // MARK: Bad input

    @Test func `is asked of strangers' private addresses only so often a second`() throws {
        var tags: [TagIdentity: [Enrolment]] = [:]
        for number in UInt8(0)..<100 {
            tags[.identityKey([UInt8](repeating: number, count: 16))] = [try Self.owner(Int(number) + 1)]
        }
        var table = TagTable(recogniser: AdvertRecogniser(cipher: SampleCipher()))
        table.enrol(tags)
        for number in UInt64(0)..<1_000 {
            _ = Self.hear(Broadcast(address: 0x4000_0000_0000 | number), &table)
        }
        #expect(table.counts.untried == 800)
        // They are tried when there is time again.
        _ = Self.hear(Broadcast(address: 0x4000_0000_0000 | 999), &table, at: 2)
        #expect(table.counts.untried == 800)
        // Another tag is enrolled: the counts stay.
        tags[.identityKey([UInt8](repeating: 100, count: 16))] = [try Self.owner(101)]
        table.enrol(tags)
        _ = Self.hear(Broadcast(address: 0x4000_0000_0000 | 998), &table, at: 3)
        #expect(table.counts.untried == 800)
    }

    @Test func `survives whatever the air brings`() throws {
        var random = SeededGenerator(seed: 5)
        var table = try Self.table()
        var intake = AdvertIntake(AdvertFilter([.all]))
        let whole = Self.identities.map { Broadcast($0, address: Self.address(of: $0)) }
        for round in 0..<20_000 {
            guard let broadcast = whole.randomElement(using: &random) else { continue }
            var event =
                Bool.random(using: &random) ? broadcast.event(rssi: -60) : broadcast.extendedEvent(rssi: -60)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                event[Int.random(in: event.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            event.removeLast(Int.random(in: 0...(event.count / 2), using: &random))
            var adverts: [Advert] = []
            intake.take(event.span, arrival: BootInstant(nanoseconds: Int64(round)), into: &adverts)
            for advert in adverts {
                if let hit = table.hit(advert) { #expect(TagHit.strengths.contains(hit.rssi)) }
            }
        }
        #expect(intake.counts.malformed > 100)
        #expect(table.counts.heard > 100)
    }
}

/// Knows only the sample of Core 5.4, Vol 3, Part H, D.7 (ah).
struct SampleCipher: AdvertisingCipher {
    static let key: [UInt8] = [
        0xEC, 0x02, 0x34, 0xA3, 0x57, 0xC8, 0xAD, 0x05, 0x34, 0x10, 0x10, 0xA6, 0x0A, 0x39, 0x7D, 0x9B,
    ]
    static let address: UInt64 = 0x7081_940D_FBAA

    func openCCM(
        key: AES128Key, nonce: [UInt8], associatedData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
    ) -> [UInt8]? { nil }

    func encryptBlock(_ block: [UInt8], key: AES128Key) -> [UInt8]? {
        let isSample = key.bytes == Self.key && block.suffix(3) == [0x70, 0x81, 0x94]
        return [UInt8](repeating: 0, count: 13) + (isSample ? [0x0D, 0xFB, 0xAA] : [0xFF, 0xFF, 0xFF])
    }
}
