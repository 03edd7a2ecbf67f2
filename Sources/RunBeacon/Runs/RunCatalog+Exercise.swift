public import GatewayModel

extension RunCatalog {
    /// No pulse is taken for that of a runner for longer after their start, however long the run takes.
    public static let longestExercise = Duration.seconds(24 * 3_600)

    /// Until when the persons of the house who are in a run that is underway run, from the start of their wave on: a
    /// normal pulse is another one then. Who left is no participant any more.
    ///
    /// Within the times of the file alone: which pulse calls for help is decided in the house, and no command from
    /// elsewhere that moves a run changes that.
    public func exercise(at now: WallTime) -> [PersonID: WallTime] {
        var ends: [PersonID: WallTime] = [:]
        for run in underway(at: now) {
            guard let file = files[run.id]?.outline else { continue }
            for participant in run.participants {
                guard let person = participant.person, let start = run.wave(participant.wave)?.start,
                    let filed = file.waves.first(where: { $0.id == participant.wave })?.start,
                    max(start, filed) <= now
                else { continue }
                let longest = WallTime(
                    millisecondsSince1970: max(start, filed).millisecondsSince1970
                        + Self.longestExercise.wholeMilliseconds)
                let end = min(run.end, file.end, longest)
                if end > now { ends[person] = max(end, ends[person] ?? end) }
            }
        }
        return ends
    }
}
