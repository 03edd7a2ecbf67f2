internal import GatewayModel

// The runs out of what is written of them.
extension RunBook {
    mutating func rebuild() {
        doubts = []
        let named = Set(files.keys).union(commanded.layers.keys.compactMap { RunID($0) })
        runs = [:]
        for id in named {
            guard let plan = plan(id), let run = run(plan) else { continue }
            runs[id] = run
        }
        doubts = Set(doubts + sharedTags()).sorted { $0.description < $1.description }
    }

    private mutating func run(_ plan: RunPlan) -> Run? {
        do throws(Run.Flaw) {
            return try Run(usable(plan), with: materials)
        } catch {
            doubts.append(.unfit(plan.id, error))
        }
        // A file alone has been read as a whole; without some of its runners it is as sound.
        guard var file = files[plan.id] else { return nil }
        let left = left(plan.id)
        file.entrants.removeAll { left.contains($0.bib) }
        return try? Run(usable(file), with: materials)
    }

    /// Without the tags and the course that cannot be used.
    private mutating func usable(_ plan: RunPlan) -> RunPlan {
        var usable = plan
        if let course = plan.outline.course, materials.courses[course] == nil {
            doubts.append(.unfit(plan.id, .unread(course)))
            usable.outline.course = nil
        }
        for (index, entrant) in plan.entrants.enumerated() {
            let missing = entrant.keyFiles.filter { materials.keys[$0] == nil }
            guard !missing.isEmpty else { continue }
            doubts += missing.map { .unread(plan.id, entrant.bib, $0) }
            usable.entrants[index] = entrant.without(missing)
        }
        return usable
    }

    /// By pairs of runs that are underway at the same time.
    private func sharedTags() -> [RunDoubt] {
        let runs = sorted.filter { commanded[$0.id]?.isCancelled != true }
        var owners: [TagIdentity: [(run: Int, bib: Bib)]] = [:]
        for (index, run) in runs.enumerated() {
            for participant in run.participants {
                for tag in participant.tags { owners[tag, default: []].append((index, participant.bib)) }
            }
        }
        var shared: [[Int]: [(Bib, Bib)]] = [:]
        for owners in owners.values where owners.count > 1 {
            for (index, one) in owners.enumerated() {
                for other in owners[(index + 1)...] where runs[one.run].isBeside(runs[other.run]) {
                    shared[[one.run, other.run], default: []].append((one.bib, other.bib))
                }
            }
        }
        return shared.compactMap { pair, bibs in
            bibs.min { $0 < $1 }.map { first in
                .sharedTags(runs[pair[0]].id, runs[pair[1]].id, count: bibs.count, first: first.0, first.1)
            }
        }
    }
}

extension Run {
    /// Another one that is underway at the same time.
    fileprivate func isBeside(_ other: Run) -> Bool {
        id != other.id && other.start < end && start < other.end
    }
}

extension Entrant {
    fileprivate func without(_ files: [CompanionFile]) -> Entrant {
        let rest = tags.filter { tag in
            if case .keyFile(let file) = tag { !files.contains(file) } else { true }
        }
        return Entrant(bib: bib, name: name, category: category, wave: wave, tags: rest, person: person)
    }
}
