public import GatewayModel

/// The passings of several boxes as one list, the same for any order of arrival.
///
/// - One id is one passing. Where two files tell it differently (one was exported before the clock was set) the surer one
///   is taken.
/// - Passings of one bib at one checkpoint of one run by *different* boxes are one where their times lie within the sum of
///   their bounds, or within `window`, whichever is more; the nearest pairs first. Two of one box are always two. One
/// without a known time (no bound) is never matched.
/// - Of those that are one, the one with the smallest bound counts; at equal bounds the one of more hits, then the one of
///   the smaller id. The others stay, as its backups.
/// - Of their orders the highest is taken: a box that counted less has missed one. Where the orders differ, or
///   the times lie further apart than the bounds allow, that is said of all of them.
/// - A list that was merged before may come again, beside the export of another box: a passing that stood
///   behind another in it is matched anew. That orders differed stays said, for the highest has taken their
///   place.
///
/// Pure.
public enum PassingMerge {
    /// Two boxes at one mat hear a runner stand for some seconds; no runner comes back in that time
    /// (`PassageRules.deadTime`).
    public static let window = Duration.seconds(5)

    /// - Returns: by run, checkpoint and time; backups behind the passings that they back up.
    public static func merge(_ passings: [Passing]) -> [MergedPassing] {
        merge(passings.map { MergedPassing(passing: $0) })
    }

    /// - Returns: as of passings alone.
    public static func merge(_ listed: [MergedPassing]) -> [MergedPassing] {
        let miscounted = Set(listed.filter { $0.disputes.contains(.order) }.map(\.passing.id))
        let passings = listed.map(\.passing)
        let single = Dictionary(grouping: passings, by: \.id).values.compactMap { $0.min(by: isSurer) }
        return Dictionary(grouping: single, by: Place.init).values
            .flatMap { groups(of: $0).map { Group($0, miscounted: miscounted) } }
            .sorted { isBefore($0.best, $1.best) }
            .flatMap(\.merged)
    }

    private struct Place: Hashable {
        let run: RunID
        let checkpoint: CheckpointID
        let bib: Bib

        init(_ passing: Passing) {
            (run, checkpoint, bib) = (passing.run, passing.checkpoint, passing.bib)
        }
    }

    /// Records of one passing.
    private struct Group {
        let best: Passing
        let backups: [Passing]
        let disputes: Set<MergedPassing.Dispute>
        let order: Int?

        /// - Parameters:
        ///   - members: one at least, each of another box.
        ///   - miscounted: those of which a list has said before that the boxes counted differently.
        init(_ members: [Passing], miscounted: Set<MessageID>) {
            let ranked = members.sorted(by: isSurer)
            (best, backups) = (ranked[0], Array(ranked.dropFirst()))
            order = members.compactMap(\.order).max()
            var disputes: Set<MergedPassing.Dispute> = []
            if Set(members.map(\.order)).count > 1 || members.contains(where: { miscounted.contains($0.id) }) {
                disputes.insert(.order)
            }
            if backups.contains(where: { [best] in !isAllowed($0, best) }) { disputes.insert(.time) }
            self.disputes = disputes
        }

        var merged: [MergedPassing] {
            [MergedPassing(passing: best.counted(order), backupOf: nil, disputes: disputes)]
                + backups.map { MergedPassing(passing: $0, backupOf: best.id, disputes: disputes) }
        }
    }

    /// - Parameter passings: of one runner at one checkpoint.
    private static func groups(of passings: [Passing]) -> [[Passing]] {
        let passings = passings.sorted(by: isBefore)
        var group = Array(passings.indices)
        for (one, other) in pairs(of: passings) where group[one] != group[other] {
            let members = passings.indices.filter { group[$0] == group[one] || group[$0] == group[other] }
            guard Set(members.map { passings[$0].gateway }).count == members.count else { continue }
            for index in members { group[index] = group[one] }
        }
        return Dictionary(grouping: passings.indices, by: { group[$0] }).values.map { $0.map { passings[$0] } }
    }

    /// Those that may be one, nearest first.
    private static func pairs(of passings: [Passing]) -> [(Int, Int)] {
        var pairs: [(one: Int, other: Int, gap: Duration)] = []
        for one in passings.indices {
            for other in passings.indices.dropFirst(one + 1) where mayBeOne(passings[one], passings[other]) {
                pairs.append((one, other, gap(passings[one], passings[other])))
            }
        }
        return pairs.sorted { ($0.gap, $0.one, $0.other) < ($1.gap, $1.one, $1.other) }.map {
            ($0.one, $0.other)
        }
    }

    private static func mayBeOne(_ one: Passing, _ other: Passing) -> Bool {
        guard one.gateway != other.gateway, let first = one.bound, let second = other.bound else {
            return false
        }
        return gap(one, other) <= max(first + second, window)
    }

    private static func isAllowed(_ one: Passing, _ other: Passing) -> Bool {
        guard let first = one.bound, let second = other.bound else { return false }
        return gap(one, other) <= first + second
    }

    private static func gap(_ one: Passing, _ other: Passing) -> Duration {
        let difference = one.time.millisecondsSince1970 - other.time.millisecondsSince1970
        return .milliseconds(difference.magnitude)
    }

    private static func isSurer(_ one: Passing, _ other: Passing) -> Bool {
        func bound(_ passing: Passing) -> Duration { passing.bound ?? .seconds(Int64(Int32.max)) }
        guard bound(one) == bound(other) else { return bound(one) < bound(other) }
        guard one.hits == other.hits else { return one.hits > other.hits }
        return isBefore(one, other)
    }

    /// One order of all there can be: two that are alike in all of this are alike.
    private static func isBefore(_ one: Passing, _ other: Passing) -> Bool {
        func place(_ passing: Passing) -> (String, String, WallTime, String) {
            (passing.run.text, passing.checkpoint.text, passing.time, passing.id.description)
        }
        guard place(one) == place(other) else { return place(one) < place(other) }
        func rest(_ passing: Passing) -> [String] {
            [
                passing.gateway.text, "\(passing.bib)", "\(passing.order ?? 0)", passing.clock.source.rawValue,
                "\(passing.clock.bound ?? .zero)", "\(passing.first)", "\(passing.last)",
                passing.method.rawValue,
                "\(passing.strongest)",
            ] + passing.flags.map(\.rawValue).sorted()
        }
        return rest(one).lexicographicallyPrecedes(rest(other))
    }
}

extension Passing {
    /// The same with another count.
    fileprivate func counted(_ order: Int?) -> Passing {
        Passing(
            id: id, run: run, checkpoint: checkpoint, gateway: gateway, bib: bib, order: order, time: time,
            first: first, last: last, clock: clock, bound: bound, hits: hits, strongest: strongest,
            method: method, flags: flags)
    }
}

/// A passing among those of all boxes of a race.
public struct MergedPassing: Hashable, Sendable {
    /// Difference between two boxes in one passing of one runner.
    public enum Dispute: String, CaseIterable, Hashable, Codable, Sendable {
        /// Their times lie further apart than their bounds allow.
        case time
        /// They counted differently before it.
        case order
    }

    public let passing: Passing
    /// The surer one that it stands behind; nil for one that counts.
    public let backupOf: MessageID?
    /// The same in all that are one passing.
    public let disputes: Set<Dispute>

    /// As it stands in the export of one box, unless more is said.
    public init(passing: Passing, backupOf: MessageID? = nil, disputes: Set<Dispute> = []) {
        (self.passing, self.backupOf, self.disputes) = (passing, backupOf, disputes)
    }
}

extension Collection<MergedPassing> {
    /// The passings that count. One that a list has set behind another does not count, in any list.
    public var counting: [Passing] {
        let backups = Set(filter { $0.backupOf != nil }.map(\.passing.id))
        return map(\.passing).filter { !backups.contains($0.id) }
    }
}
