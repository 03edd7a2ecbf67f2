import GatewayModel
import RunBeacon

/// Payload of `runs/<run>/corrections`: a correction of a result by a person.
///
/// The author and the reason stay at the box: the reason is free text, and may name the runner or their state of health.
struct CorrectionPayload: Encodable {
    let id: String
    let run: String
    /// The gateway at which the correction was made.
    let box: String
    let bib: Int
    /// Place in the corrections of the run at this gateway, from 1.
    let number: Int
    /// `add`, `strike`, `dns`, `dnf`, `dsq` or `undo`.
    let act: String
    /// RFC 3339: when the correction was made.
    let time: String
    /// Of `add`: ID of the added passing. Of `strike`: ID of the passing that does not count.
    var passing: String?
    /// Of `add`, as are the next three.
    var checkpoint: String?
    var order: Int?
    /// RFC 3339.
    var passedAt: String?
    var boundMs: Int64?
    /// Of `undo`: number of the correction that does not count.
    var undoes: Int?

    init(_ correction: RaceCorrection, id: MessageID, box: GatewayID) {
        (self.id, self.box) = (id.description, box.text)
        (run, bib) = (correction.run.text, correction.bib.number)
        (number, act, time) = (correction.number, correction.act.name, correction.at.rfc3339)
        switch correction.act {
        case .add(let checkpoint, let order, let passed, let bound):
            (self.checkpoint, self.order) = (checkpoint.text, order)
            (passedAt, boundMs) = (passed.rfc3339, bound)
            passing = correction.addedPassing.description
        case .strike(let passing): self.passing = passing.description
        case .undo(let number): undoes = number
        case .mark: break
        }
    }
}

extension RaceCorrection {
    /// Made of values that are the same when the correction is sent again after a kill.
    func messageID(of gateway: GatewayID) -> MessageID {
        var numbers = DerivedNumbers(of: "correction \(gateway) \(run) \(number) \(bib) \(act.name)")
        return MessageID(wall: at, using: &numbers)
    }
}
