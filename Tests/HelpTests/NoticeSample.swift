import GatewayModel
import HelpLine

/// Notices about the person of a profile.
enum NoticeSample {
    static let id = MessageID("01957c2e-7a00-7abc-8def-0123456789ab")!
    private static let endID = MessageID("01957c37-a1c0-7abc-8def-0123456789ac")!
    /// The time of the ID.
    static let time = id.wall

    static func began(
        _ profile: PersonProfile, _ topic: PersonNotice.Topic = .supervision, phone: String? = nil
    ) -> NoticeMessage {
        NoticeMessage(
            PersonNotice(
                id: id, person: profile.id, matter: "unwatched strap", topic: topic, phase: .began,
                code: .wearableAway, subject: "strap", time: time,
                text: Text(
                    en:
                        "Nobody is watching over \(profile.name) at the moment: the strap is out of reach. Check "
                        + "that it is worn, charged and in the house.",
                    it: "In questo momento nessuno sorveglia \(profile.name).")), of: profile, phone: phone)
    }

    static func ended(
        _ profile: PersonProfile, _ topic: PersonNotice.Topic = .supervision, phone: String? = nil
    ) -> NoticeMessage {
        NoticeMessage(
            PersonNotice(
                id: endID, person: profile.id, matter: "unwatched strap", topic: topic, phase: .ended,
                code: .wearableAway, subject: "strap", time: endID.wall, ends: id,
                text: Text(
                    en: "\(profile.name) is watched over again.",
                    it: "\(profile.name) è di nuovo sotto sorveglianza.")), of: profile, phone: phone)
    }
}
