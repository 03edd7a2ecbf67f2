import GatewayModel
import RaceSimulation
import RunBeacon
import SeededRandom
import TagAdverts
import WireFormats

/// Everything that is done with an advertisement on one core, from the bytes of the controller to the passing.
struct Pipeline {
    private let run: Run
    private var intake: AdvertIntake
    private var table: TagTable<AdvertRecogniser>
    private var detector = PassageDetector()
    private var timers = RunTimers(gateway: Field.box)
    private var watch = TagWatch()
    private var adverts: [Advert] = []
    private var next: BootInstant?
    private var random = SeededGenerator(seed: 1)
    private(set) var passings = 0
    private(set) var hits = 0

    init(_ field: Field) {
        run = field.run
        table = TagTable(recogniser: AdvertRecogniser(cipher: NoCipher()))
        table.enrol(field.enrolled)
        intake = AdvertIntake(AdvertFilter(table.rules))
        timers.follow([run], known: [run.id], at: BootInstant(nanoseconds: 0))
    }

    mutating func take(_ event: Span<UInt8>, at arrival: BootInstant) {
        if next.map({ $0 <= arrival }) ?? true {
            note(detector.elapse(to: arrival))
            next = arrival.advanced(by: .milliseconds(200))
        }
        adverts.removeAll(keepingCapacity: true)
        intake.take(event, arrival: arrival, into: &adverts)
        for advert in adverts {
            guard let hit = table.hit(advert) else { continue }
            hits += 1
            watch.hear(hit)
            if let passage = detector.hear(hit) { note([passage]) }
        }
    }

    mutating func end(at arrival: BootInstant) { note(detector.elapse(to: arrival)) }

    private mutating func note(_ passages: [Passage]) {
        for passage in passages {
            passings +=
                timers.take(
                    passage, of: table.owners(of: passage.tag), dating: Field.dating,
                    makeID: { MessageID(wall: $0, using: &random) }
                ).count
        }
    }
}

/// A field of runners at a checkpoint, as bytes of the controller, with their run.
struct Field {
    static let box = GatewayID("box-1")!
    let run: Run
    let enrolled: [TagIdentity: [Enrolment]]
    /// One after the other, and where each begins.
    private var bytes: [UInt8] = []
    private var starts = [0]
    private var arrivals: [BootInstant] = []

    var count: Int { arrivals.count }

    static func dating(_ instant: BootInstant) -> (time: WallTime, clock: ClockState) {
        (
            WallTime(millisecondsSince1970: instant.nanoseconds / 1_000_000),
            ClockState(source: .gps, bound: .zero)
        )
    }

    /// - Parameter strangers: advertisements of others for each of a tag.
    init(_ race: Race, strangers: Int) {
        var random = SeededGenerator(seed: 7)
        let tags = (0..<race.scenario.runners).map(Self.identity)
        (run, enrolled) = Self.run(tags)
        let broadcasts = tags.enumerated().map {
            Broadcast($0.element, address: 0xC000_0000_0000 + UInt64($0.offset))
        }
        for hit in race.hits {
            append(broadcasts[Int(hit.tag.value)].event(rssi: hit.rssi), hit.arrival)
            for _ in 0..<strangers { append(Self.stranger(&random), hit.arrival) }
        }
    }

    /// - Parameter later: shifts the arrivals.
    func play(_ pipeline: inout Pipeline, later: Duration = .zero) {
        let span = bytes.span
        for index in arrivals.indices {
            pipeline.take(
                span.extracting(starts[index]..<starts[index + 1]), at: arrivals[index].advanced(by: later))
        }
        if let last = arrivals.last { pipeline.end(at: last.advanced(by: later + .seconds(300))) }
    }

    private mutating func append(_ event: [UInt8], _ arrival: BootInstant) {
        bytes += event
        starts.append(bytes.count)
        arrivals.append(arrival)
    }

    /// An address, an iBeacon and an Eddystone in turns.
    static func identity(_ number: Int) -> TagIdentity {
        switch number % 3 {
        case 0: .address(DeviceAddress(octets: 0xC000_0000_0000 + UInt64(number)))
        case 1:
            .iBeacon(.init(high: 1, low: 2), major: UInt16(number >> 16), minor: UInt16(number & 0xFFFF))
        default: .eddystone(.init(high: 3, low: 4), instance: UInt64(number))
        }
    }

    /// Phones and gadgets: half of them with the forms of beacons.
    private static func stranger(_ random: inout SeededGenerator) -> [UInt8] {
        let address = UInt64.random(in: 0..<2_000, using: &random) | 0xD000_0000_0000
        let broadcast =
            switch address % 4 {
            case 0: Broadcast(.iBeacon(.init(high: 5, low: 6), major: 1, minor: 1), address: address)
            case 1: Broadcast(.eddystone(.init(high: 5, low: 6), instance: address), address: address)
            case 2:
                Broadcast(
                    .manufacturer(company: 0x004C, prefix: [0x10, 5, 1, 2, 3, 4, 5, 6]), address: address)
            default: Broadcast(address: address)
            }
        return broadcast.event(rssi: -80)
    }

    static func run(_ tags: [TagIdentity]) -> (Run, [TagIdentity: [Enrolment]]) {
        let wave = Wave(id: WaveID("all")!, start: WallTime(millisecondsSince1970: 0))
        let end = WallTime(millisecondsSince1970: .max)
        guard
            let finish = Checkpoint(id: CheckpointID("finish")!, distances: [10_000], isFinish: true),
            case let runners = tags.enumerated().compactMap({ number, tag in
                Bib(number + 1).map { Participant(bib: $0, wave: wave.id, tags: [tag]) }
            }),
            let run = try? Run(
                id: RunID("bench")!, title: "", end: end, waves: [wave], checkpoints: [finish],
                participants: runners)
        else { preconditionFailure("a run that is none") }
        let enrolled = runners.map { ($0.tags[0], [Enrolment(run: run.id, bib: $0.bib)]) }
        return (run, Dictionary(uniqueKeysWithValues: enrolled))
    }
}

/// No tag of the field has a key.
struct NoCipher: AdvertisingCipher {
    func openCCM(
        key: AES128Key, nonce: [UInt8], associatedData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
    ) -> [UInt8]? { nil }

    func encryptBlock(_ block: [UInt8], key: AES128Key) -> [UInt8]? { nil }
}
