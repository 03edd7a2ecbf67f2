import GatewayModel
import HelpState
import SOSLocal

struct English: Wording {
    func words(for statement: Statement, _ manner: Manner) -> String {
        switch statement {
        case .drill: "This is a drill."
        case .alarm(.high, let name): "Alarm for \(who(name))."
        case .alarm(.medium, let name): "Attention, \(who(name))."
        case .alarm(.low, let name): "A note for \(who(name))."

        case .signal(.sosButton): "The help button was pressed."
        case .helpAskedFor: "Help was asked for."
        case .signal(.fall): "A fall was detected."
        case .signal(.shaking): "Repeated shaking was detected."
        case .limit(let kind, let side, let value, let limit):
            limitWords(kind, side == .low ? "too low" : "too high", value, limit, manner)
        case .score(let points, let limit):
            manner == .spoken
                ? "Several vital signs together ask for attention."
                : "Several vital signs together ask for attention: \(counted(points, "point")) (limit \(limit))."
        case .silence(let seconds): "The sensor has sent nothing for \(time(seconds))."

        case .doubtfulValue(let kind, let side, let name, false):
            "\(name.map { "\($0), your sensor" } ?? "A sensor in the house") shows \(finding(kind, side)), but it may "
                + "be wrong. Are you all right?"
        case .doubtfulValue(let kind, let side, let name, true):
            "\(name.map { "\($0), your measurement" } ?? "A measurement in the house") shows "
                + "\(finding(kind, side)), but it may be wrong. Sit down, rest for a minute and measure again."
        case .doubtIsOver(let name):
            "\(name.map { "\($0), your sensor" } ?? "The sensor") shows good values again."

        case .actNow(let audience, true):
            "Press the button now if you are all right, or \(subject(audience)) will be called."
        case .actNow(let audience, false):
            "Cancel the alarm now if you are all right, or \(subject(audience)) will be called."
        case .calling(let audience, let seconds):
            "\(capitalised(subject(audience))) will be called in \(counted(seconds, "second"))."
        case .howToCancel(true): "Press the button if you are all right."
        case .howToCancel(false): "Cancel the alarm if you are all right."
        case .cancelBy(let means): cancel(by: means)
        case .willCall(.help): "Help will be called if nobody cancels the alarm."
        case .willCall(.carers): "Your carers will be told if nobody cancels the alarm."
        case .knows(let recipients):
            "\(capitalised(named(recipients))) \(isPlural(recipients) ? "know" : "knows") already."
        case .called(.help): "I am calling for help. Stay where you are."
        case .called(.carers): "I am telling your carers."
        case .arrived(let recipients, let audience):
            (audience == .help ? "I called for help. " : "")
                + "\(capitalised(named(recipients))) \(isPlural(recipients) ? "have" : "has") the "
                + "\(audience == .help ? "call" : "message"). Nobody has answered yet."
        case .notReached(let audience, let isDrill):
            "I cannot reach \(subject(audience)) yet. I keep trying." + callYourself(audience, isDrill)
        case .cannotCall(.help, let isDrill):
            "I cannot call anybody at the moment: the line is down. I keep trying."
                + callYourself(.help, isDrill)
        case .cannotCall(.carers, let isDrill):
            "I cannot tell your carers at the moment: the line is down. I keep trying."
                + callYourself(.carers, isDrill)
        case .nobodyTold: "Nobody outside the house is told. If you need help, dial 112."
        case .termsNotAccepted(let isDrill):
            "Nobody is called: calls for help are not agreed to."
                + (isDrill ? "" : " If you need help, dial 112.")

        case .callsNobodyFor(let name, .termsNotAccepted):
            "Nobody is called for \(who(name)): calls for help are not agreed to. Dial 112 yourself."
        case .callsNobodyFor(let name, .nobodyToTell):
            "Nobody is called for \(who(name)): the settings name nobody to call. Dial 112 yourself."
        case .cannotCallFor(let name):
            "Help cannot be called for \(who(name)) at the moment. Be reachable yourself."

        case .over(let name): "The alarm for \(who(name)) is over."
        case .oneIsOver(let name): "One alarm for \(who(name)) is over. Another one goes on."
        case .cancelled(let name): by("It was cancelled", name)
        case .accepted(let name?): "\(name) has taken the call."
        case .accepted(nil): "Someone has taken the call."
        case .resolved(let name): by("It was ended", name)
        case .lapsed: "The drill is over. Nobody answered it."
        case .nobodyWillCome: "Nobody has been called for it."
        case .nobodyWasReached: "Nobody was reached. If my message still arrives, I take it back."
        case .knowingAreInformed: "Help was not called. I am telling those who knew of the alarm."
        case .knowingKnow: "Help was not called. Those who knew of the alarm know that it is over."
        case .toldAreInformed: "I am telling those whom I called."
        case .toldKnow: "Those who were called know."

        case .notRetracted(let name):
            "Those who were called for \(who(name)) do not know yet that it is over. The gateway keeps trying."
        case .passesOnAllRight(let name):
            "The call for \(who(name)) has arrived already, and it stands. Those who have it are being told that the "
                + "button says: I am all right."
        case .whoseIsMeant(let names):
            "The alarms for \(names.map(who).joined(separator: " and for ")) are open. This button cannot tell "
                + "which is meant, so they go on. Cancel yours on what you wear, or at the gateway."
        case .supervisionPaused(let name):
            "The gateway cannot see how \(who(name)) is: supervision is paused. Check the sensor."
        case .helpUnreachable(let name):
            "I watch over \(who(name)), but I cannot call anybody at the moment. If you need help, dial 112."
        case .helpReachable(let name): "I can call help for \(who(name)) again."
        case .settingsWrong(false):
            "A part of the gateway's settings is wrong and is left out. Ask whoever installed it to look."
        case .settingsWrong(true):
            "The gateway's new settings cannot be used. It goes on with earlier ones. Ask whoever installed it to "
                + "look."
        case .supervisionRestored(let name): "The gateway sees again how \(who(name)) is."
        case .exercise(let name, let minutes?):
            "For \(counted(minutes, "minute")) the limits for exercise hold for \(who(name))."
        case .exercise(let name, nil): "The usual limits hold again for \(who(name))."
        case .testButton(let name, nil):
            "A message for \(who(name)): please test your help button. Press it once, within two minutes. It is a test: no "
                + "help is called."
        case .testButton(let name, let button?):
            "A message for \(who(name)): please test your help button \(button). Press it once, within two minutes. It is a "
                + "test: no help is called."
        case .buttonTestOver(let name):
            "The test of the help button of \(who(name)) is over. From now on a press calls for help."
        case .buttonWorks(let name): "Thank you. The help button of \(who(name)) works."
        case .buttonUntested(let name):
            "The help button of \(who(name)) was not tested in time. It is not known whether it works. Have it tested."
        case .batteryLow(let name, nil): "The battery of a sensor of \(who(name)) is nearly empty."
        case .batteryLow(let name, let percent?):
            "The battery of a sensor of \(who(name)) is nearly empty: \(percent) percent."
        case .batteryCharged(let name): "The battery of the sensor of \(who(name)) is charged again."
        case .boxPower(.mainsLost):
            "The gateway runs on its battery: the mains are gone. Check the plug and the fuse."
        case .boxPower(.batteryLow):
            "The battery of the gateway is nearly empty. It will stop watching. Bring the mains back."
        case .boxPower(.mainsBack): "The gateway has mains power again."
        case .boxButton(false):
            "The button of the gateway does not work: pressing it calls nobody. Ask whoever installed it to look."
        case .boxButton(true): "The button of the gateway works again."
        case .drillFailed(let name):
            "Nobody answered the last drill for \(who(name)). Ask those who take the calls."

        case .devicePaired(let name):
            "A device has been added for \(who(name)): it shows the pages of the house. If nobody knows it, end it on "
                + "these pages, or tell whoever installed the gateway."

        case .asksForData(let party, let name, let kinds, let precision, let purpose):
            "\(party ?? "A third party") asks to see \(kinds.allSatisfy { $0.quantity != nil } ? "readings" : "data") of "
                + "\(who(name)): \(listed(kinds, precision))."
                + (purpose.map { " Its purpose: \(closed($0))" } ?? "")
                + " Nothing is sent until somebody accepts."
        case .asksForAccount(let account, let role, let name):
            "May the account \(account ?? "of someone at TrackMe") see the data of \(who(name)), as they are shown here"
                + (role == .acts ? ", and act for \(who(name)) at TrackMe" : "")
                + "? It is not linked until somebody accepts."
        case .actsOfAccount(let name):
            "It could end permissions of companies, set how often values are sent, ask for the limits of alarms and for the fiscal "
                + "code, and take part in figures of groups and in runs for \(who(name))."
        case .answerRequest(let request):
            manner == .spoken
                ? "Ask your family to answer at the gateway."
                : "Answer with: homegateway consent show \(request)."
        case .asksForLimits(let issuer, let name, let kind):
            "\(capitalised(issuer)) asks to sound the alarm of \(who(name)) less readily: \(listed([.quantity(kind)], .coarse))."
        case .limitMove(let slot, let from, let to, let kind): moveWords(slot, from, to, kind, manner)
        case .answerLimits(let person, let kind):
            "Nothing changes until somebody accepts. "
                + (manner == .spoken
                    ? "Ask your family to answer at the gateway."
                    : "Answer with: homegateway limits accept \(kind.rawValue) --person \(person).")
        }
    }

    private func listed(_ kinds: [DataKind], _ precision: LocationPrecision) -> String {
        let titles = kinds.map { kind in
            kind == .location
                ? precision == .exact ? "the exact location" : "the location to about a kilometre"
                : kind.title(in: .english).lowercased()
        }
        guard let last = titles.last, titles.count > 1 else { return titles.first ?? "" }
        return titles.dropLast().joined(separator: ", ") + " and " + last
    }

    private func closed(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

    private func moveWords(
        _ slot: LimitSlot, _ from: Double, _ to: Double, _ kind: QuantityKind, _ manner: Manner
    ) -> String {
        let side = slot.side == .low ? "lower" : "upper"
        let words = kind.words(in: .english)
        let (old, new) = (Figure(from, decimalMark: "."), Figure(to, decimalMark: "."))
        let unit = manner == .spoken ? words.spokenUnit(isOne: new.isOne) : words.displayUnit
        return "The \(side) \(slot.isWarning ? "warning " : "")limit would be \(new.text) \(unit) instead of "
            + "\(old.text)."
    }

    private func cancel(by means: CancelMeans) -> String {
        switch means {
        case .box, .boxOnly: "Press the button of the box."
        case .worn: "Press the button that you wear."
        case .wornTwice: "Press the button that you wear twice."
        case .wornLong: "Press the button that you wear, and hold it."
        case .screen: "You can cancel it on the screen."
        case .gateway: "You can cancel it at the gateway only."
        case .nothing: "It cannot be cancelled from here."
        }
    }

    private func finding(_ kind: QuantityKind, _ side: LimitRule.Side) -> String {
        let isHigh = side == .high
        return switch kind {
        case .heartRate: isHigh ? "a fast heart" : "a slow heart"
        case .oxygenSaturation: "too little oxygen"
        case .systolicPressure, .diastolicPressure:
            isHigh ? "a very high blood pressure" : "a very low blood pressure"
        case .bodyTemperature: isHigh ? "a high temperature" : "a low temperature"
        case .glucose: isHigh ? "a high blood sugar" : "a low blood sugar"
        default: isHigh ? "a value that is too high" : "a value that is too low"
        }
    }

    private func who(_ name: String?) -> String { name ?? "someone in the house" }
    private func by(_ what: String, _ name: String?) -> String {
        name.map { "\(what) by \($0)." } ?? "\(what)."
    }
    private func callYourself(_ audience: Statement.Audience, _ isDrill: Bool) -> String {
        isDrill
            ? " Have the connection checked."
            : audience == .help ? " Dial 112 yourself." : " Call them yourself."
    }
    private func named(_ recipients: [HelpRecipient]) -> String {
        let names = recipients.map { $0.name ?? ($0.kind == .desk ? "the help desk" : "your carers") }
        guard let last = names.last else { return "somebody" }
        return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
    }
    private func isPlural(_ recipients: [HelpRecipient]) -> Bool {
        recipients.count > 1 || recipients.contains { $0.name == nil && $0.kind == .carers }
    }
    private func subject(_ audience: Statement.Audience) -> String {
        audience == .help ? "help" : "your carers"
    }
    private func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    private func time(_ seconds: Int) -> String {
        seconds < 120 ? counted(seconds, "second") : counted(seconds / 60, "minute")
    }

    private func limitWords(
        _ kind: QuantityKind, _ side: String, _ value: Double, _ limit: Double, _ manner: Manner
    ) -> String {
        let words = kind.words(in: .english)
        let figure = Figure(value, decimalMark: ".")
        switch manner {
        case .spoken:
            return "\(words.title) \(side): \(figure.text) \(words.spokenUnit(isOne: figure.isOne))."
        case .shown:
            let limit = Figure(limit, decimalMark: ".").text
            return "\(words.title) \(side): \(figure.text) \(words.displayUnit) (limit \(limit))."
        }
    }
}
