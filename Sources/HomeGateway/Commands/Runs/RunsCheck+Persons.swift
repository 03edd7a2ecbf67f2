import GatewayModel
import Hub
import RunBeacon
import Settings

extension RunsCheck {
    /// Participants who are persons that this box's settings do not have: a slip of the pen, or another box's.
    static func strangers(in run: Run, _ settings: GatewaySettings) -> [String] {
        let persons = Set(settings.persons.map(\.id))
        return run.participants.compactMap { participant in
            guard let person = participant.person, !persons.contains(person) else { return nil }
            return
                "\(run.id): bib \(participant.bib) is person \"\(person)\", who is none of this box's settings: no wearable "
                + "tells where they are; correct it, or leave it to their own box's file"
        }
    }
}
