public import GatewayModel

/// From events of the controller to the advertisements somebody wants: parses, assembles, filters, and copies
/// only what passes.
public struct AdvertIntake: Sendable {
    /// Since the start.
    public struct Counts: Hashable, Sendable {
        public internal(set) var reports = 0
        public internal(set) var matched = 0
        /// Events that could be read only in part, or not at all.
        public internal(set) var malformed = 0
        /// Extended advertisements whose pieces never became a whole.
        public internal(set) var abandoned = 0
    }

    public var filter: AdvertFilter
    public private(set) var counts = Counts()
    private var assembler = AdvertAssembler()

    public init(_ filter: AdvertFilter) { self.filter = filter }

    /// - Parameters:
    ///   - event: the parameters of an LE Meta event, from the subevent code on.
    ///   - adverts: where the wanted ones are appended. Those before a fault in the event are among them.
    public mutating func take(_ event: Span<UInt8>, arrival: BootInstant, into adverts: inout [Advert]) {
        do throws(DecodeError) {
            guard var walk = try AdvertReportWalk(event) else { return }
            while let report = try walk.next(in: event) {
                counts.reports += 1
                assembler.take(report, in: event, arrival: arrival) { report, bytes, arrival in
                    let match = filter.match(report, in: bytes)
                    guard !match.isEmpty else { return }
                    adverts.append(Advert(report, in: bytes, arrival: arrival, match: match))
                    counts.matched += 1
                }
            }
        } catch {
            counts.malformed += 1
        }
        counts.abandoned = assembler.abandoned
    }
}

/// Puts together extended advertisements that the controller reports in several pieces.
/// Bounded in number and in length, since any device in radio range can send pieces.
struct AdvertAssembler: Sendable {
    private struct Key: Equatable {
        let address: RadioAddress
        let set: UInt8?
        let isScanResponse: Bool
    }

    private struct Pending {
        let key: Key
        /// Of the first piece: when it was heard, and how loud.
        let first: AdvertReport
        let arrival: BootInstant
        var data: [UInt8]
    }

    /// The most an advertisement can hold: LE Read Maximum Advertising Data Length ends at 0x0672 (Core 5.4,
    /// Vol 4, Part E, 7.8.57).
    static let longest = 1_650
    /// The pieces of one advertisement follow each other within milliseconds; few interleave.
    static let limit = 16

    private var pending: [Pending] = []
    /// Advertisements that were given up: too long, or pushed out by newer ones.
    private(set) var abandoned = 0

    /// - Parameter complete: called with the whole advertisement, at most once; its `data` is a range of the
    /// bytes given with it. An advertisement of one piece is given as it lies in `event`.
    mutating func take(
        _ report: AdvertReport, in event: Span<UInt8>, arrival: BootInstant,
        complete: (AdvertReport, Span<UInt8>, BootInstant) -> Void
    ) {
        if report.dataStatus != .moreToCome && pending.isEmpty { return complete(report, event, arrival) }
        let key = Key(
            address: report.address, set: report.set,
            isScanResponse: report.properties.contains(.scanResponse))
        guard let index = pending.firstIndex(where: { $0.key == key }) else {
            guard report.dataStatus == .moreToCome else { return complete(report, event, arrival) }
            return begin(key, report, event, arrival)
        }
        guard pending[index].data.count + report.data.count <= Self.longest else {
            pending.remove(at: index)
            abandoned += 1
            return
        }
        pending[index].data += event.bytes(report.data)
        guard report.dataStatus != .moreToCome else { return }
        let whole = pending.remove(at: index)
        var result = whole.first
        result.dataStatus = report.dataStatus
        result.data = 0..<whole.data.count
        complete(result, whole.data.span, whole.arrival)
    }

    private mutating func begin(
        _ key: Key, _ report: AdvertReport, _ event: Span<UInt8>, _ arrival: BootInstant
    ) {
        if pending.count >= Self.limit {
            pending.removeFirst()
            abandoned += 1
        }
        pending.append(
            Pending(key: key, first: report, arrival: arrival, data: event.bytes(report.data)))
    }
}
