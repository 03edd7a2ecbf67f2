public import GatewayModel
public import RunBeacon
public import WireFormats

/// A field as a box receives it: its run, and the received advertisements, byte by byte as a controller reports them.
/// Second 0 of the field is `boot` and `wall`.
public struct FieldRun: Sendable {
    public static let run = RunID("town-run")!
    public static let box = GatewayID("box")!

    public let field: Field
    public let boot: BootInstant
    public let wall: WallTime

    public init(_ field: Field, boot: BootInstant, wall: WallTime) {
        (self.field, self.boot, self.wall) = (field, boot, wall)
    }

    public func instant(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: boot.nanoseconds + Int64(seconds * 1e9))
    }

    public func time(_ seconds: Double) -> WallTime {
        WallTime(millisecondsSince1970: wall.millisecondsSince1970 + Int64(seconds * 1e3))
    }

    public static func bib(_ runner: Int) -> Bib? { Bib(runner + 1) }

    public static func tag(_ runner: Int) -> TagIdentity {
        .address(DeviceAddress(octets: 0xC0AD_0000_0000 + UInt64(runner)))
    }

    /// - Parameters:
    ///   - left: runners that have left the run.
    ///   - end: seconds.
    public func book(without left: Set<Int> = [], until end: Double = 600) -> RunCatalog {
        var book = RunCatalog()
        book.replaceFiles([plan(without: left, until: end)], with: RunMaterials(), at: wall)
        return book
    }

    /// - Parameters:
    ///   - left: runners that have left the run.
    ///   - delay: seconds by which each wave starts later than the field.
    ///   - end: seconds.
    public func plan(
        _ id: RunID = run, without left: Set<Int> = [], from delay: Double = 0, until end: Double = 600
    ) -> RunPlan {
        let waves = field.plan.guns.enumerated().map {
            Wave(id: WaveID("wave-\($0.offset)")!, start: time($0.element + delay))
        }
        let entrants = field.waves.enumerated().filter { !left.contains($0.offset) }.compactMap {
            runner, wave in
            Self.bib(runner).map { Entrant(bib: $0, wave: waves[wave].id, tags: [.heard(Self.tag(runner))]) }
        }
        let checkpoint = Checkpoint(
            id: CheckpointID("arch")!, distances: field.plan.distances, minimumSplit: .seconds(20),
            box: Self.box)
        let outline = RunOutline(
            title: "Town run", end: time(end), waves: waves, checkpoints: [checkpoint].compactMap(\.self))
        return RunPlan(id: id, outline: outline, entrants: entrants)
    }

    /// The advertisements in the order of their arrivals.
    public var adverts: [Advert] {
        var intake = AdvertIntake(AdvertFilter([.all]))
        var adverts: [Advert] = []
        for heard in field.heard {
            let event = Broadcast(Self.tag(heard.runner), address: 0).event(rssi: heard.rssi)
            intake.take(event.span, arrival: instant(heard.time), into: &adverts)
        }
        return adverts
    }

    /// Expected number of passings by bib and order.
    public var expected: [PassingKey: Int] { Self.count(field.truths.map { ($0.runner + 1, $0.order) }) }

    public static func times(_ passings: some Sequence<Passing>) -> [PassingKey: Int] {
        count(passings.map { ($0.bib.number, $0.order) })
    }

    private static func count(_ keys: [(bib: Int, order: Int?)]) -> [PassingKey: Int] {
        keys.reduce(into: [:]) { $0[PassingKey(bib: $1.bib, order: $1.order), default: 0] += 1 }
    }

    /// The number of a runner's passing; without an order, one that does not count.
    public struct PassingKey: Hashable, Sendable {
        public let bib: Int
        public let order: Int?

        public init(bib: Int, order: Int?) {
            (self.bib, self.order) = (bib, order)
        }
    }
}
