internal import GatewayModel

// The runs out of what is written of them.
extension RunCatalog {
    /// All, after the files were read.
    mutating func rebuild() {
        rebuild(Set(runs.keys).union(files.keys).union(commanded.layers.keys.compactMap { RunID($0) }))
    }

    /// Those of which something is written differently.
    mutating func rebuild(_ changed: Set<RunID>) {
        for id in changed {
            let (run, warnings) = plan(id).map { derived($0) } ?? (nil, [])
            runs[id] = run
            warningsOfRuns[id] = warnings.isEmpty ? nil : warnings
        }
        let all = warningsOfRuns.values.flatMap(\.self) + sharedTags() + sharedBearers()
        warnings = all.map { ($0.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func derived(_ plan: RunPlan) -> (Run?, [RunWarning]) {
        let (whole, warnings) = usable(plan)
        do throws(Run.Flaw) {
            return (try Run(whole, with: materials), warnings + overruled(plan))
        } catch {
            // A file alone has been read as a whole; without some of its runners it is as sound.
            guard var file = files[plan.id] else { return (nil, [.unfit(plan.id, error)]) }
            let left = left(plan.id)
            file.entrants.removeAll { left.contains($0.bib) }
            let (rest, warnings) = usable(file)
            return (try? Run(rest, with: materials), [.unfit(plan.id, error)] + warnings)
        }
    }

    /// Whom the file would have heard or started otherwise than a command does.
    private func overruled(_ plan: RunPlan) -> [RunWarning] {
        guard let file = files[plan.id], let layer = commanded[plan.id], !layer.isCancelled else { return [] }
        let waves = plan.outline.waves
        let onlyWave = waves.count == 1 ? waves.first?.id : nil
        let bibs = file.entrants.filter { filed in
            guard let told = layer.enrolled[filed.bib.number] else { return false }
            return Set(told.tags) != Set(filed.tags) || told.wave ?? onlyWave != filed.wave ?? onlyWave
        }.map(\.bib)
        return bibs.isEmpty ? [] : [.overruled(plan.id, bibs.sorted())]
    }

    /// Without the tags and the course that cannot be used.
    func usable(_ plan: RunPlan) -> (RunPlan, [RunWarning]) {
        var usable = plan
        var warnings: [RunWarning] = []
        if let course = plan.outline.course, materials.courses[course] == nil {
            warnings.append(.unfit(plan.id, .unread(course)))
            usable.outline.course = nil
        }
        for (index, entrant) in plan.entrants.enumerated() {
            let missing = entrant.keyFiles.filter { materials.keys[$0] == nil }
            guard !missing.isEmpty else { continue }
            warnings += missing.map { .unread(plan.id, entrant.bib, $0) }
            usable.entrants[index] = entrant.without(missing)
        }
        return (usable, warnings)
    }

    /// Those that take place.
    private var live: [Run] { sorted.filter { commanded[$0.id]?.isCancelled != true } }

    /// By pairs of runs that are underway at the same time.
    private func sharedTags() -> [RunWarning] {
        let runs = live
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

    /// A box that times two runs at a time is as it should be; one that is carried through two is not.
    private func sharedBearers() -> [RunWarning] {
        let runs = live.map { (run: $0, bearers: Bearers($0, for: gateway)) }
        return runs.enumerated().flatMap { index, one in
            runs[(index + 1)...].filter { one.run.isBeside($0.run) }.flatMap { other in
                one.bearers.warnings(of: one.run.id, beside: other.bearers, of: other.run.id)
            }
        }
    }
}

/// What of one run brings positions, or times.
private struct Bearers {
    let carried: [GatewayID: Bib]
    let standing: Set<GatewayID>
    let persons: [PersonID: Bib]

    /// - Parameter gateway: the box that asks: it may stand at a checkpoint that names none.
    init(_ run: Run, for gateway: GatewayID?) {
        carried = run.bibs(by: \.carries)
        let own = gateway.flatMap { run.checkpoint(of: $0) == nil ? nil : $0 }
        standing = Set(run.checkpoints.compactMap(\.box) + [own].compactMap(\.self))
        persons = run.bibs(by: \.person)
    }

    func warnings(of own: RunID, beside other: Bearers, of its: RunID) -> [RunWarning] {
        let here = carried.filter { other.carried[$0.key] != nil || other.standing.contains($0.key) }
        let there = other.carried.filter { standing.contains($0.key) }
        let shared = persons.compactMap { person, bib in other.persons[person].map { (bib, $0) } }
        return here.map { .carriedBox($0.key, by: $0.value, in: own, also: its) }
            + there.map { .carriedBox($0.key, by: $0.value, in: its, also: own) }
            + shared.map { .samePerson(own, its, first: $0, $1) }
    }
}

extension Run {
    /// Of each, the first who has it.
    fileprivate func bibs<Name: Hashable>(by name: KeyPath<Participant, Name?>) -> [Name: Bib] {
        Dictionary(
            participants.compactMap { runner in runner[keyPath: name].map { ($0, runner.bib) } },
            uniquingKeysWith: { first, _ in first })
    }

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
        return Entrant(
            bib: bib, name: name, category: category, wave: wave, tags: rest, person: person, carries: carries)
    }
}
