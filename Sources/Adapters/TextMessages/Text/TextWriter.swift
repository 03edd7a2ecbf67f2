import GatewayModel
import HelpLine
import SOSLocal

/// Makes the text of a message: what it is first, then who, what, when and where. No medical notes: a text is
/// readable for every operator on its way, and lies open on a phone.
struct TextWriter: Sendable {
    let clock: HouseClock

    func text(_ message: HelpMessage) -> TextMessage {
        let words = CallWords(message.profile.language)
        switch message {
        case .call(let order, let profile): return TextMessage(call(order, of: profile, words))
        case .retraction(let retraction, let profile):
            return TextMessage(over(retraction, of: profile, words))
        }
    }

    private func call(
        _ order: DispatchOrder, of profile: PersonProfile, _ words: CallWords
    ) -> [TextMessage.Sentence] {
        var sentences = [TextMessage.Sentence("\(words.marker(order)): \(profile.name).")]
        if !order.isDrill {
            let measured = words.measured(order.cause).map { ": \($0)" } ?? ""
            sentences.append(.init("\(words.event(order.cause))\(measured)."))
        }
        sentences.append(.init(clock.written(order.cause.arrival.wall, words) + "."))
        sentences.append(.init(words.say("Where: ", "Dove: ") + words.place(order.location) + "."))
        if let link = Self.link(order.location) { sentences.append(.init(link, isWhole: true)) }
        if order.round > 1, let newest = order.newest, let value = words.shown(newest.quantity) {
            sentences.append(.init(words.say("Now \(value).", "Ora \(value).")))
        }
        sentences.append(.init(words.advice(order)))
        return sentences
    }

    private func over(
        _ retraction: Retraction, of profile: PersonProfile, _ words: CallWords
    ) -> [TextMessage.Sentence] {
        var sentences = [TextMessage.Sentence("\(words.marker(retraction)): \(profile.name).")]
        if !retraction.isDrill { sentences.append(.init(words.event(retraction.cause) + ".")) }
        sentences.append(.init(words.ending(retraction.ending)))
        sentences.append(.init(clock.written(retraction.orderedWall, words) + "."))
        return sentences
    }

    /// A page that any phone opens. Five decimals are about a metre.
    private static func link(_ location: AlarmLocation) -> String? {
        let place: Coordinates? =
            switch location {
            case .fix(let fix, _, _), .lastKnown(let fix, _, _): fix.coordinates
            case .installed(let place): place.coordinates
            }
        return place.map {
            "https://osm.org/?mlat=\($0.latitude.fiveDecimals)&mlon=\($0.longitude.fiveDecimals)"
        }
    }
}

extension Double {
    /// Of a coordinate: `45.46421`, `-0.00007`.
    fileprivate var fiveDecimals: String {
        let scaled = Int64((magnitude * 100_000).rounded())
        let fraction = String(scaled % 100_000)
        return (self < 0 && scaled > 0 ? "-" : "") + "\(scaled / 100_000)."
            + String(repeating: "0", count: 5 - fraction.count) + fraction
    }
}
