package import GatewayModel
package import HTML

/// Pages for a visitor without a session, and pages of errors. They name nobody who lives here. An error gives way to the
/// first page by itself: an alarm must not find its screen on it.
package struct PlainPages: Sendable {
    private static let leaveSeconds = 30
    /// The first page shows the numbers to dial where the gateway has gone.
    private static let boxAwaySeconds = 5

    /// Why a code that was sent a moment ago has paired no device.
    package enum CodeRefusal: Hashable, Sendable {
        case unknown, expired
        /// `byOther`: another visitor has used the code, or has tried wrong ones.
        case used(byOther: Bool)
        case void(byOther: Bool)
        case notRead(seconds: Int, byOther: Bool)
    }

    package enum Failure: CaseIterable, Sendable { case notFound, notAllowed, tooMany, boxAway, expired }

    private let words: PageWords

    package init(_ language: PersonProfile.Language) { words = PageWords(language) }

    /// - Parameter token: form token of the visitor.
    package func pairing(token: String, _ refusal: CodeRefusal? = nil) -> Page {
        let reason: PageWords.Text? =
            switch refusal {
            case .unknown: .codeUnknown
            case .expired: .codeExpired
            case .used(let byOther): .codeUsed(byOther: byOther)
            case .void(let byOther): .codeVoid(byOther: byOther)
            case .notRead(let seconds, let byOther): .codeNotRead(seconds: seconds, byOther: byOther)
            case nil: nil
            }
        let code = HTML(
            .label, content: HTML(words.say(.pairCode)),
            reason.map { HTML(.span, .set(.class, "warn"), text: " " + words.say($0)) } ?? .none,
            HTML(
                void: .input, .set(.type, "text"), .set(.name, "code"), .set(.autocomplete, "one-time-code"),
                .set(.maxlength, 16), .flag(.required), .flag(.autofocus)))
        return page(
            words.say(.pairTitle),
            HTML(.p, text: words.say(.pairHelp))
                + PageForm(action: Pages.Route.pair, token: token).button(
                    words.say(.pairSend), kind: "plain", inputs: code))
    }

    /// The box has refused an act.
    ///
    /// - Parameters:
    ///   - refusal: reason of the gateway.
    ///   - place: page to go back to.
    package func refusal(_ refusal: Pages.Refusal, back place: HTML.Place) -> Page {
        page(
            words.say(.errorTitle),
            refusal.content(in: words.language)
                + HTML(.a, .href(place), .set(.class, "ask"), text: words.say(.back)),
            leaveSeconds: Self.leaveSeconds)
    }

    package func failure(_ failure: Failure) -> Page {
        let text: PageWords.Text =
            switch failure {
            case .notFound: .notFound
            case .notAllowed: .notAllowed
            case .tooMany: .tooMany
            case .boxAway: .boxAway
            case .expired: .expired
            }
        return page(
            words.say(.errorTitle),
            HTML(.p, text: words.say(text))
                + HTML(.a, .href(Pages.Route.room), .set(.class, "ask"), text: words.say(.back)),
            leaveSeconds: failure == .boxAway ? Self.boxAwaySeconds : Self.leaveSeconds)
    }

    private func page(_ title: String, _ content: HTML, leaveSeconds: Int? = nil) -> Page {
        Page(
            lang: words.language.rawValue, title: title, kind: .family, leaveSeconds: leaveSeconds,
            style: PageFiles.style.place,
            script: PageFiles.script.place, main: HTML(.h1, text: title) + content)
    }
}
