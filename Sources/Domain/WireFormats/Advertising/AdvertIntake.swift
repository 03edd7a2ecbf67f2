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
