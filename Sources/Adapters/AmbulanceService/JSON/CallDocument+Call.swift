import GatewayModel
import HelpLine
import SOSLocal

extension CallDocument {
    /// The call for help.
    init(_ order: DispatchOrder, of profile: PersonProfile, place: CallHistory.Place, caller: Caller) {
        let words = CallWords(profile.language)
        let cause = order.cause
        self.init(
            status: order.isDrill ? "drill" : "actual", state: order.stage.rawValue,
            id: MessageIdentity(order).text, alarm: order.alarm.description, sender: caller.sender,
            addresses: caller.addresses, sent: order.orderedWall.internetTime,
            firstSent: order.firstOrderedWall.internetTime, first: place == .first, round: order.round,
            priority: order.priority.rawValue,
            headline: words.headline(cause, of: profile, isPending: order.stage == .pending),
            instruction: words.instruction(order), person: PersonDocument(profile),
            cause: CauseDocument(cause), newest: order.newest.map(ValueDocument.init),
            trend: TrendLine.lines(order.trend).map { TrendDocument($0, before: order.ordered) },
            location: LocationDocument(order.location),
            timeline: Timeline(
                crossing: cause.arrival.wall.internetTime,
                confirmedAfterMs: cause.instant.duration(to: order.confirmation).wholeMilliseconds,
                orderedAfterMs: cause.instant.duration(to: order.ordered).wholeMilliseconds))
    }

    /// The word that the call no longer holds: no more of the person than whose it was.
    init(_ retraction: Retraction, of profile: PersonProfile, caller: Caller) {
        let ending = retraction.ending
        self.init(
            status: retraction.isDrill ? "drill" : "actual", state: ending.word,
            id: MessageIdentity(retraction).text, alarm: retraction.alarm.description, sender: caller.sender,
            addresses: caller.addresses, sent: retraction.orderedWall.internetTime,
            firstSent: retraction.firstOrderedWall.internetTime,
            headline: CallWords(profile.language).cancelled(retraction.cause, of: profile),
            ending: Ending(how: ending.word, by: ending.act.by, means: ending.act.means.rawValue))
    }

    /// A test of the way: no person, nothing to do.
    init(testing id: MessageID, at time: WallTime, caller: Caller) {
        self.init(
            status: "test", state: "test", id: id.description, sender: caller.sender,
            addresses: caller.addresses, sent: time.internetTime)
    }
}
