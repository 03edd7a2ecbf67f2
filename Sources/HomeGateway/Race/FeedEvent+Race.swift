import Contract
import GatewayModel
import RunBeacon

extension FeedEvent {
    static func passing(_ passing: Passing, at moment: Moment) -> FeedEvent {
        FeedEvent("passing", at: moment).with {
            $0.id = passing.id.description
            $0.run = passing.run.text
            $0.checkpoint = passing.checkpoint.text
            $0.bib = passing.bib.number
            $0.order = passing.order
            $0.time = passing.time.rfc3339
            $0.boundMs = passing.bound?.boundMilliseconds
            $0.flags = passing.flags.map(\.rawValue).sorted()
        }
    }
}

extension FeedEvent {
    /// `time` is when a tag of the runner was heard last.
    static func overdue(_ runner: OverdueRunner, at moment: Moment) -> FeedEvent {
        FeedEvent("overdue", at: moment).with {
            $0.run = runner.owner.run.text
            $0.checkpoint = runner.checkpoint.text
            $0.bib = runner.owner.bib.number
            $0.order = runner.order
            $0.time = runner.lastHeard?.rfc3339
        }
    }
}

extension FeedEvent {
    /// `checkpoint` is the next one, `time` when the runner is likely to be there, ± `boundMs`.
    static func runner(_ owner: Enrolment, at position: RunnerPosition, id: MessageID) -> FeedEvent {
        FeedEvent("runner", at: position.measured).with {
            $0.id = id.description
            ($0.run, $0.bib) = (owner.run.text, owner.bib.number)
            ($0.latitude, $0.longitude) = (position.coordinates.latitude, position.coordinates.longitude)
            $0.distanceM = position.distance?.rounded()
            $0.paceSPerKm = position.secondsPerKilometre?.rounded()
            $0.checkpoint = position.next?.checkpoint.text
            $0.time = position.next?.time.rfc3339
            $0.boundMs = position.next?.bound.boundMilliseconds
            $0.flags = position.flags.map(\.rawValue).sorted()
        }
    }
}

extension WatchLine {
    /// `milan: bib 17 at 4210 m, 5:41 min/km, bridge at 09:41:08 ±12 s`
    static func runner(_ event: FeedEvent) -> String {
        let place = event.distanceM.map { "at \(Int($0)) m" } ?? "on no course"
        let pace = event.paceSPerKm.map { ", \(PositionTable.pace(Int($0)))" } ?? ""
        let next = event.checkpoint.map { checkpoint in
            let bound = event.boundMs.map { " ±\(($0 + 999) / 1_000) s" } ?? ""
            return ", \(checkpoint) at \(event.time?.onTheClock ?? "?")\(bound)"
        }
        let flags = event.flags.map { $0.isEmpty ? "" : " (\($0.joined(separator: ", ")))" } ?? ""
        return
            "\(event.run ?? "?"): bib \(event.bib.map(String.init) ?? "?") \(place)\(pace)\(next ?? "")\(flags)"
    }

    static func overdue(_ event: FeedEvent) -> String {
        let heard =
            event.time.map { "last heard \($0.onTheClock)" } ?? "never heard: the tag may be lost"
        return "\(event.run ?? "?"): bib \(event.bib.map(String.init) ?? "?") should have passed "
            + "\(event.checkpoint ?? "?") by now, time \(event.order ?? 1); \(heard)"
    }

    static func passing(_ event: FeedEvent) -> String {
        let bound = event.boundMs.map { "±\($0) ms" } ?? "of a clock that was never set"
        let count = event.order.map { "time \($0) at" } ?? "does not count at"
        let flags = event.flags.map { $0.isEmpty ? "" : " (\($0.joined(separator: ", ")))" } ?? ""
        return
            "\(event.run ?? "?"): bib \(event.bib.map(String.init) ?? "?"), \(count) \(event.checkpoint ?? "?"), "
            + "\(event.time?.onTheClockExactly ?? "?") \(bound)\(flags)"
    }
}
