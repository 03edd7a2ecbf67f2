import GatewayModel
import RunBeacon

/// Payload of `runs/<run>/runners`: news of a runner that is no passing.
struct RunnerNewsPayload: Encodable {
    let id: String
    let run: String
    /// The gateway that found it.
    let box: String
    let bib: Int
    /// `overdue`, `found`, `tracker-lost`, `tracker-back` or `left`.
    let event: String
    /// RFC 3339: when the gateway found it.
    let time: String
    /// Of `overdue` and `found`.
    var checkpoint: String?
    /// Of `overdue`: the time at the checkpoint that is waited for, 1 for the first.
    var order: Int?
    /// Of `overdue`: RFC 3339; nil where the gateway has not heard the runner since its start.
    var lastHeard: String?
    /// Of `tracker-lost`: RFC 3339.
    var lastPosition: String?

    init(_ news: RunnerNews, id: MessageID, box: GatewayID) {
        (self.id, self.box) = (id.description, box.text)
        (run, bib) = (news.owner.run.text, news.owner.bib.number)
        (event, time) = (news.event.name, news.time.rfc3339)
        switch news.event {
        case .overdue(let checkpoint, let order, let lastHeard):
            (self.checkpoint, self.order) = (checkpoint.text, order)
            self.lastHeard = lastHeard?.rfc3339
        case .found(let checkpoint): self.checkpoint = checkpoint.text
        case .trackerLost(let lastPosition): self.lastPosition = lastPosition.rfc3339
        case .trackerBack, .left: break
        }
    }
}

extension RunnerNews {
    /// Made of values that are the same when it is sent again after a kill.
    ///
    /// - Parameter start: of the run. The time of the news would be another one then.
    func messageID(of gateway: GatewayID, start: WallTime) -> MessageID {
        var numbers = DerivedNumbers(of: "runner \(gateway) \(owner.run) \(owner.bib) \(event.name) \(number)")
        return MessageID(wall: start, using: &numbers)
    }
}
