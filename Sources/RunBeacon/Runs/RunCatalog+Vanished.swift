public import GatewayModel

/// Whom a run file enrols: remembered, for when it is not there any more. Who was enrolled over it by command is known by
/// the commands.
struct FiledRunners: Hashable, Codable, Sendable {
    var bibs: Set<Bib>
    /// Since when the file is gone; nil while it is there.
    var gone: WallTime?
}

// Runs whose file has vanished: by a slip of the hand, or while it was copied. Nobody has left by that. Nothing new is
// timed in them, and what was timed until then still goes out.
extension RunCatalog {
    mutating func noteFiles(at now: WallTime) {
        for (id, plan) in files {
            commanded.filed[id.text] = FiledRunners(bibs: Set(plan.entrants.map(\.bib)), gone: nil)
        }
        for name in commanded.filed.keys where RunID(name).map({ files[$0] == nil }) ?? true {
            if commanded.filed[name]?.gone == nil { commanded.filed[name]?.gone = now }
        }
        forgetVanished(before: Self.limit(at: now))
    }

    mutating func forgetVanished(before limit: WallTime) {
        commanded.filed = commanded.filed.filter { _, filed in filed.gone.map { $0 >= limit } ?? true }
    }

    static func limit(at now: WallTime) -> WallTime {
        WallTime(millisecondsSince1970: now.millisecondsSince1970 - memory.wholeMilliseconds)
    }

    /// Who was in runs whose file has gone, by that file or by a command, and has not left.
    public var vanished: [RunID: Set<Bib>] {
        commanded.filed.reduce(into: [:]) { vanished, entry in
            guard entry.value.gone != nil, let id = RunID(entry.key) else { return }
            let byCommand = commanded[id]?.enrolled.values.map(\.bib) ?? []
            vanished[id] = entry.value.bibs.union(byCommand).subtracting(left(id))
        }
    }
}
