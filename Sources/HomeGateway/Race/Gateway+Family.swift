import GatewayModel
import Hub
import Readings
import RealTime
import RunBeacon
import Settings

// What a runner's family sees beside the times: by a grant of the runner, and by nothing else.
extension Gateway {
    /// On the control thread.
    func showVitals(_ request: ControlRequest, _ reply: ControlAnswer) {
        guard let run = request.subject.flatMap({ RunID($0) }), let bib = request.bib.flatMap({ Bib($0) }),
            let party = request.by.flatMap({ PartyID($0) })
        else {
            return reply(.refused("say which run, which bib, and as which party; expected \(PartyID.form)"))
        }
        guard let participant = runs.book.runs[run]?.participant(bib) else {
            return reply(.refused("bib \(bib) is in no run '\(run)' of this box: see homegateway runs list"))
        }
        guard let person = participant.person, settings.persons.contains(where: { $0.id == person }) else {
            return reply(
                .refused(
                    "bib \(bib) is nobody whom this box watches: nothing is measured of them here. Their person in the "
                        + "run file has to be one of the settings"))
        }
        let vitals = RunnerVitals(of: person, for: party, by: gate, at: Clock.moment()) { [lastReadings] in
            lastReadings.latest($0, of: person)
        }
        reply(ControlReply(isDone: true, lines: vitals.lines, vitals: vitals))
    }
}
