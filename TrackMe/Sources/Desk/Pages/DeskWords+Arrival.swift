import GatewayModel

extension Words {
    /// Whether calls can arrive, in one line, and whether somebody has to act.
    func arrival(_ arrival: CallArrival, at now: WallTime) -> (text: String, isFault: Bool) {
        let obstacles = arrival.obstacles
        guard obstacles.isEmpty else {
            return (obstacles.map { say(.obstacle($0)) }.joined(separator: " "), true)
        }
        guard arrival.isReady else { return (say(.mayArrive), false) }
        guard let age = arrival.age(at: now) else { return (say(.canArrive), false) }
        guard !arrival.isSilent(at: now) else { return (say(.silent(age)), true) }
        return (say(.canArrive) + " " + say(.newestMessage(age)), false)
    }
}
