public import GatewayModel

extension Run {
    /// Why something is no run.
    public enum Flaw: Error, Hashable, Sendable, CustomStringConvertible {
        case noWave, noCheckpoint
        case doubled(what: String, name: String)
        case endsBeforeStart(WaveID)
        case unknownWave(WaveID, of: Bib)
        case sharedTag(Bib, Bib)
        case samePerson(Bib, Bib)
        case sharedBox(Bib, Bib)
        /// It is carried, and stands at a checkpoint.
        case standingBox(GatewayID, of: Bib)
        case noWaveNamed(Bib)
        /// The file that it names does not lie beside the run files, or cannot be used.
        case unread(CompanionFile)

        public var description: String {
            switch self {
            case .noWave: "no wave; one at least has to start"
            case .noCheckpoint: "no checkpoint; one at least has to be passed"
            case .doubled(let what, let name): "two \(what) are called \(name); each needs a name of its own"
            case .endsBeforeStart(let wave): "the end is not after the start of wave \(wave)"
            case .unknownWave(let wave, let bib):
                "bib \(bib) starts in wave \(wave), which is none of the run's"
            case .sharedTag(let one, let other):
                "bibs \(one) and \(other) have the same tag; each runner needs one of their own"
            case .samePerson(let one, let other):
                "bibs \(one) and \(other) are the same person; their positions can be one runner's only"
            case .sharedBox(let one, let other):
                "bibs \(one) and \(other) carry the same box; its positions can be one runner's only"
            case .standingBox(let box, let bib):
                "bib \(bib) carries the box \(box), which stands at a checkpoint; it can do one of the two"
            case .noWaveNamed(let bib): "bib \(bib) names no wave, and the run has several; one is needed"
            case .unread(let file):
                "the file \(file) cannot be used; put it beside the run files, where the gateway can read it"
            }
        }

        static func first(in run: Run) -> Flaw? {
            if run.waves.isEmpty { return .noWave }
            if run.checkpoints.isEmpty { return .noCheckpoint }
            if let name = doubled(run.waves.map(\.id.text)) { return .doubled(what: "waves", name: name) }
            if let name = doubled(run.checkpoints.map(\.id.text)) {
                return .doubled(what: "checkpoints", name: name)
            }
            if let name = doubled(run.participants.map { "\($0.bib)" }) {
                return .doubled(what: "bibs", name: name)
            }
            if let wave = run.waves.first(where: { $0.start >= run.end }) { return .endsBeforeStart(wave.id) }
            let waves = Set(run.waves.map(\.id))
            if let lost = run.participants.first(where: { !waves.contains($0.wave) }) {
                return .unknownWave(lost.wave, of: lost.bib)
            }
            return sharedTag(run.participants) ?? sharedBearer(run)
        }

        private static func doubled(_ names: [String]) -> String? {
            var seen: Set<String> = []
            return names.first { !seen.insert($0).inserted }
        }

        /// A source of positions belongs to one runner.
        private static func sharedBearer(_ run: Run) -> Flaw? {
            if let pair = pair(run.participants, of: \.person) { return .samePerson(pair.0, pair.1) }
            if let pair = pair(run.participants, of: \.carries) { return .sharedBox(pair.0, pair.1) }
            let standing = Set(run.checkpoints.compactMap(\.box))
            return run.participants.lazy.compactMap { participant in
                participant.carries.flatMap {
                    standing.contains($0) ? .standingBox($0, of: participant.bib) : nil
                }
            }.first
        }

        private static func pair<Name: Hashable>(
            _ participants: [Participant], of name: KeyPath<Participant, Name?>
        ) -> (Bib, Bib)? {
            var owners: [Name: Bib] = [:]
            for participant in participants {
                guard let name = participant[keyPath: name] else { continue }
                if let owner = owners.updateValue(participant.bib, forKey: name) {
                    return (owner, participant.bib)
                }
            }
            return nil
        }

        private static func sharedTag(_ participants: [Participant]) -> Flaw? {
            var owners: [TagIdentity: Bib] = [:]
            for participant in participants {
                for tag in participant.tags {
                    if let owner = owners.updateValue(participant.bib, forKey: tag), owner != participant.bib {
                        return .sharedTag(owner, participant.bib)
                    }
                }
            }
            return nil
        }
    }
}
