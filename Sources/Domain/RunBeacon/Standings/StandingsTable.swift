import GatewayModel

/// Ranks runners.
struct StandingsTable {
    let points: [RunPoint]
    let basis: StandingsBasis

    private struct Entry {
        let record: RunnerRecord
        let splits: [Split]
        let state: Standing.State
        /// To the farthest point.
        let elapsed: Duration?
        /// ± 95 %, of `elapsed`.
        let bound: Duration?

        var isRanked: Bool { state == .finished || state == .running }
        var distance: Double { splits.last?.point.distance ?? -1 }
    }

    func rows(_ records: some Sequence<RunnerRecord>) -> [Standing] {
        let entries = records.map(entry).sorted(by: isBefore)
        let leader = entries.first.map(times) ?? [:]
        var rows: [Standing] = []
        var rank = 0
        for (index, entry) in entries.enumerated() {
            let before = index > 0 ? entries[index - 1] : nil
            if before.map({ areEqual($0, entry) }) != true { rank = index + 1 }
            rows.append(
                row(
                    entry, rank: entry.isRanked ? rank : nil, gap: index == 0 ? nil : gap(entry, leader),
                    isUndecided: before.map { isUndecided($0, entry) } ?? false))
        }
        return rows
    }

    private func entry(_ record: RunnerRecord) -> Entry {
        let splits = record.splits(points)
        let hasFinished = splits.last.map { $0.point == points.last && $0.point.distance > 0 } ?? false
        let state: Standing.State =
            switch record.mark {
            case .didNotStart: .didNotStart
            case .didNotFinish: .didNotFinish
            case .disqualified: .disqualified
            case nil: hasFinished ? .finished : record.hasLeft ? .left : splits.isEmpty ? .expected : .running
            }
        return Entry(
            record: record, splits: splits, state: state, elapsed: splits.last.map { $0.elapsed(basis) },
            bound: splits.last?.bound(basis))
    }

    private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        let (leftGroup, rightGroup) = (group(left), group(right))
        guard leftGroup == rightGroup else { return leftGroup < rightGroup }
        if left.isRanked {
            if left.distance != right.distance { return left.distance > right.distance }
            if left.elapsed != right.elapsed { return left.elapsed ?? .zero < right.elapsed ?? .zero }
        }
        return left.record.participant.bib < right.record.participant.bib
    }

    private func group(_ entry: Entry) -> Int {
        switch entry.state {
        case .finished: 0
        case .running: 1
        case .expected: 2
        case .left, .didNotFinish: 3
        case .didNotStart: 4
        case .disqualified: 5
        }
    }

    private func areEqual(_ one: Entry, _ other: Entry) -> Bool {
        group(one) == group(other) && one.distance == other.distance && one.elapsed == other.elapsed
    }

    /// By both bounds together: the errors have nothing to do with each other.
    private func isUndecided(_ one: Entry, _ other: Entry) -> Bool {
        guard one.isRanked, other.isRanked, one.distance == other.distance, let first = one.elapsed,
            let second = other.elapsed
        else { return false }
        guard let left = one.bound, let right = other.bound else { return true }
        return second - first < left.combined(with: right)
    }

    private func times(_ entry: Entry) -> [RunPoint: Duration] {
        guard entry.isRanked else { return [:] }
        return Dictionary(
            entry.splits.map { ($0.point, $0.elapsed(basis)) }, uniquingKeysWith: { first, _ in first })
    }

    private func gap(_ entry: Entry, _ leader: [RunPoint: Duration]) -> Duration? {
        guard entry.isRanked, let split = entry.splits.last, let best = leader[split.point] else { return nil }
        return split.elapsed(basis) - best
    }

    private func row(_ entry: Entry, rank: Int?, gap: Duration?, isUndecided: Bool) -> Standing {
        let (participant, last) = (entry.record.participant, entry.splits.last)
        return Standing(
            bib: participant.bib, name: participant.name, category: participant.category,
            wave: participant.wave, state: entry.state, rank: rank, splits: entry.splits,
            distance: last?.point.distance, gun: last?.gun, net: last?.net, gap: gap, bound: entry.bound,
            isUndecided: isUndecided)
    }
}
