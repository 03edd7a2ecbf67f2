public import GatewayModel

extension Run {
    /// No pulse is taken for that of a runner for longer after their start, however long the run takes.
    public static let longestExercise = Duration.seconds(24 * 3_600)

    /// Until when the persons of the house who are in it run, from the start of their wave on: a normal pulse is another
    /// one then. Who left is no participant any more.
    ///
    /// - Parameter now: within the run.
    public func exercise(at now: WallTime) -> [PersonID: WallTime] {
        var ends: [PersonID: WallTime] = [:]
        for participant in participants {
            guard let person = participant.person, let start = wave(participant.wave)?.start, start <= now
            else {
                continue
            }
            let longest = WallTime(
                millisecondsSince1970: start.millisecondsSince1970 + Self.longestExercise.wholeMilliseconds)
            let end = min(self.end, longest)
            if end > now { ends[person] = end }
        }
        return ends
    }
}
