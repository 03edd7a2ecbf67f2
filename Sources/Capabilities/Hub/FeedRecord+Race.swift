import Contract
import GatewayModel
import RunBeacon

extension FeedRecord {
    static func passing(_ passing: Passing, at moment: Moment) -> FeedRecord {
        FeedRecord("passing", at: moment).with {
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

extension FeedRecord {
    /// `time` is when a tag of the runner was heard last.
    static func overdue(_ runner: OverdueRunner, at moment: Moment) -> FeedRecord {
        FeedRecord("overdue", at: moment).with {
            $0.run = runner.owner.run.text
            $0.checkpoint = runner.checkpoint.text
            $0.bib = runner.owner.bib.number
            $0.order = runner.order
            $0.time = runner.lastHeard?.rfc3339
        }
    }
}

extension FeedRecord {
    /// `checkpoint` is the next one, `time` when the runner is likely to be there, ± `boundMs`.
    static func runner(_ owner: Enrolment, at position: RunnerPosition, id: MessageID) -> FeedRecord {
        FeedRecord("runner", at: position.measured).with {
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
