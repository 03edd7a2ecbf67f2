import Contract
import GatewayModel
import RealTime
import RunBeacon

/// Enrolment of a person in a run, for their export.
struct EnrolmentRecord: Encodable {
    let run, title, bib, start, end: String
    let name, category: String?
    let hasLeft: Bool

    init(_ participant: Participant, in run: Run, hasLeft: Bool) {
        (self.run, title, bib) = (run.id.text, run.title, "\(participant.bib)")
        (start, end) = (run.start.rfc3339, run.end.rfc3339)
        (name, category, self.hasLeft) = (participant.name, participant.category, hasLeft)
    }
}

/// Passing of a person, for their export.
struct PassingRecord: Encodable {
    let id, run, checkpoint, bib, time: String
    /// 1 for the first passing of the checkpoint; nil where it is not known.
    let order: Int?
    /// Error of `time` in 95 of 100 cases, milliseconds; nil where the clock was never set.
    let boundMilliseconds: Int64?

    init(_ passing: Passing) {
        (id, run, checkpoint) = ("\(passing.id)", passing.run.text, passing.checkpoint.text)
        (bib, time, order) = ("\(passing.bib)", passing.time.rfc3339, passing.order)
        boundMilliseconds = passing.bound?.wholeMilliseconds
    }
}
