internal import GatewayModel

// Orders by command.
extension RunCatalog {
    /// Its plan by now, from its file and from commands.
    func plan(_ run: RunID) -> RunPlan? {
        commanded[run].map { $0.plan(run, over: files[run], keeping: box) } ?? files[run]
    }

    mutating func take(_ order: RunOrder, at now: WallTime) throws(RunRefusal) -> Bool {
        if case .create(let plan) = order { return try create(plan, at: now) }
        if case .leave(let run, let bibs) = order { return try leave(run, bibs, at: now) }
        guard let run = runs[order.run] else { throw .unknownRun(order.run) }
        var layer = commanded[order.run] ?? CommandedRuns.Layer(touched: now)
        let before = layer
        switch order {
        case .create, .leave: break
        case .change(_, let change):
            guard !layer.isCancelled else { throw .runCancelled(run.id) }
            let file = files[run.id]?.outline
            guard let outline = layer.outline(over: file) ?? file else { throw .unknownRun(run.id) }
            let changed = change.applied(to: outline)
            guard changed != outline else { return false }
            // The runners' places are metres along it.
            guard changed.course == outline.course || now < run.start else { throw .runBegun(run.id) }
            (layer.outline, layer.insteadOf) = (changed, file)
        case .cancel:
            guard layer.isCancelled || now < run.end else { throw .runOver(run.id) }
            layer.isCancelled = true
        case .enrol(_, let entrants):
            guard !layer.isCancelled else { throw .runCancelled(run.id) }
            guard now < run.end else { throw .runOver(run.id) }
            try Self.checkAreDifferent(entrants)
            for entrant in entrants {
                layer.enrolled[entrant.bib.number] = entrant
                layer.left.remove(entrant.bib)
            }
        }
        guard layer != before else { return false }
        layer.touched = now
        commanded[run.id] = layer
        return true
    }

    /// A run without its file can be left too, and so can one that no longer fits the enrolments by command.
    private mutating func leave(_ run: RunID, _ bibs: [Bib], at now: WallTime) throws(RunRefusal) -> Bool {
        guard let enrolled = enrolments[run] else { throw .unknownRun(run) }
        var layer = commanded[run] ?? CommandedRuns.Layer(touched: now)
        let before = layer
        for bib in bibs {
            let isCommanded = layer.enrolled[bib.number] != nil
            guard layer.left.contains(bib) || enrolled.contains(bib) || isCommanded else {
                throw .notEnrolled(bib)
            }
            layer.enrolled[bib.number] = nil
            layer.left.insert(bib)
        }
        guard layer != before else { return false }
        layer.touched = now
        commanded[run] = layer
        return true
    }

    private mutating func create(_ plan: RunPlan, at now: WallTime) throws(RunRefusal) -> Bool {
        if let there = self.plan(plan.id) {
            guard there == plan else { throw .runExists(plan.id) }
            return false
        }
        if commanded[plan.id]?.isCancelled == true { throw .runCancelled(plan.id) }
        guard commanded.layers.count < Self.mostCommandedRuns else {
            throw .tooManyRuns(Self.mostCommandedRuns)
        }
        try Self.checkAreDifferent(plan.entrants)
        // A runner that left a file's run of this id, which is gone by now, has left this one too.
        var layer = commanded[plan.id] ?? CommandedRuns.Layer(touched: now)
        (layer.outline, layer.insteadOf, layer.touched) = (plan.outline, nil, now)
        for entrant in plan.entrants {
            layer.enrolled[entrant.bib.number] = entrant
            layer.left.remove(entrant.bib)
        }
        commanded[plan.id] = layer
        return true
    }

    private static func checkAreDifferent(_ entrants: [Entrant]) throws(RunRefusal) {
        var seen: Set<Bib> = []
        guard let doubled = entrants.first(where: { !seen.insert($0.bib).inserted })?.bib else { return }
        throw .flaw(.doubled(what: "bibs", name: "\(doubled)"))
    }

    /// A runner that leaves goes, however wrong the rest has become.
    func checkFits(_ order: RunOrder) throws(RunRefusal) {
        switch order {
        case .cancel, .leave: return
        case .create, .change, .enrol: break
        }
        guard let plan = plan(order.run) else { return }
        guard plan.entrants.count <= Self.mostRunners else { throw .tooManyRunners(Self.mostRunners) }
        let named = order.companions
        let missing =
            named.keys.first { materials.keys[$0] == nil }
            ?? named.course.flatMap { materials.courses[$0] == nil ? $0 : nil }
        if let missing { throw .flaw(.unread(missing)) }
        let run: Run
        do throws(Run.Flaw) {
            run = try Run(usable(plan).0, with: materials)
        } catch {
            throw .flaw(error)
        }
        // A command from far away makes nobody followed for longer.
        guard run.length >= Run.longest, run.length > runs[order.run]?.length ?? .zero else { return }
        throw .tooLong(run.length)
    }

    mutating func forget(at now: WallTime) {
        let limit = Self.limit(at: now)
        forgetVanished(before: limit)
        commanded.layers = commanded.layers.filter { name, layer in
            // The runners that left are known for as long as those that were in it.
            guard layer.touched < limit, commanded.filed[name] == nil, let id = RunID(name) else { return true }
            return (runs[id]?.end ?? layer.touched) >= limit
        }
    }
}
