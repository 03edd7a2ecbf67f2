import Audio
import GatewayModel
import HelpLine
import RealTime
import SOSLocal

/// Spoken words of one message.
struct CallScript: Hashable, Sendable {
    let words: Utterance
    /// Answer to the key that accepts; nil where no key does.
    let thanks: Utterance?

    init(words: Utterance, thanks: Utterance?) {
        self.words = words
        self.thanks = thanks
    }

    init(_ message: HelpMessage, takesKeys: Bool, zone: LocalZone) {
        let language = message.profile.language
        let words = CallWords(language)
        switch message {
        case .call(let order, let profile):
            let takesKey = takesKeys && order.stage == .confirmed
            let time = zone.clock(order.cause.arrival.wall)
            self.init(
                words: Utterance(
                    text: words.telephoneCall(order, of: profile, at: time, takesKeys: takesKeys),
                    language: language),
                thanks: takesKey
                    ? Utterance(text: words.telephoneThanks(isDrill: order.isDrill), language: language) : nil)
        case .retraction(let retraction, let profile):
            self.init(
                words: Utterance(text: words.telephoneOver(retraction, of: profile), language: language),
                thanks: nil)
        }
    }
}

extension LocalZone {
    /// `9:05`, on a clock of 24 hours.
    fileprivate func clock(_ wall: WallTime) -> String {
        let day: Int64 = 86_400
        let seconds = wall.millisecondsSince1970 / 1_000 + eastOfUTC(wall)
        let ofDay = (seconds % day + day) % day
        let minutes = ofDay / 60 % 60
        return "\(ofDay / 3_600):\(minutes < 10 ? "0" : "")\(minutes)"
    }
}
