import Audio
import Foundation
import ModelSamples
import RealTime
import Testing

@testable import GatewayModel
@testable import HelpState
@testable import HouseAlarm
@testable import Phrases
@testable import SOSLocal

@Suite struct `What the house says` {
    /// Each case of a statement at least once, with names and without, one and many.
    private static let statements: [Statement] = {
        var all: [Statement] = [
            .drill, .nobodyTold, .termsNotAccepted(isDrill: false), .termsNotAccepted(isDrill: true), .lapsed,
            .helpAskedFor, .nobodyWillCome, .nobodyWasReached, .knowingAreInformed, .knowingKnow,
            .toldAreInformed, .toldKnow,
        ]
        all += AlarmPriority.allCases.flatMap { [.alarm($0, of: "Maria"), .alarm($0, of: nil)] }
        all += WearableSignal.Kind.allCases.map { .signal($0) }
        for kind in QuantityKind.allCases {
            for side in LimitRule.Side.allCases {
                all += [1, 36.64, 152].map { .limit(kind, side, value: $0, limit: 38.5) }
            }
        }
        all += [
            .score(points: 1, limit: 5), .score(points: 7, limit: 5), .silence(seconds: 1),
            .silence(seconds: 300),
        ]
        for kind in QuantityKind.allCases {
            for side in LimitRule.Side.allCases {
                for (name, again) in [("Maria", false), (nil, true)] as [(String?, Bool)] {
                    all.append(.doubtfulValue(kind, side, of: name, measuresAgain: again))
                }
            }
        }
        all += [.doubtIsOver(of: "Maria"), .doubtIsOver(of: nil)]
        all += LimitSlot.allCases.map { .limitMove($0, from: 131, to: 150.5, .heartRate) }
        all += [.answerRequest("heart-1"), .answerLimits("maria", .heartRate)]
        for audience in [Statement.Audience.help, .carers] {
            all += [
                .actNow(audience, hasButton: true), .actNow(audience, hasButton: false),
                .calling(audience, inSeconds: 1), .calling(audience, inSeconds: 25), .called(audience),
                .arrived([HelpRecipient(.desk)], audience),
                .arrived([HelpRecipient(name: "Anna", .carers), HelpRecipient(.carers)], audience),
                .cannotCall(audience, isDrill: false), .cannotCall(audience, isDrill: true),
                .notReached(audience, isDrill: false),
                .notReached(audience, isDrill: true), .willCall(audience),
            ]
        }
        all += [
            .knows([HelpRecipient(.desk)]),
            .knows([HelpRecipient(name: "Anna", .desk), HelpRecipient(.carers)]),
        ]
        all += [.howToCancel(hasButton: true), .howToCancel(hasButton: false)]
        all += CancelMeans.allCases.map { .cancelBy($0) }
        all += [.settingsWrong(areEarlierUsed: true), .settingsWrong(areEarlierUsed: false)]
        all += [.boxButton(works: false), .boxButton(works: true)]
        for name in ["Maria", nil] {
            all += HelpState.Reason.allCases.map { .callsNobodyFor(name, $0) } + [.cannotCallFor(name)]
            all += [
                .asksForData(
                    party: "The clinic", of: name, [.quantity(.heartRate)], .coarse, purpose: "Her heart"),
                .asksForData(party: nil, of: name, DataKind.allCases, .coarse, purpose: nil),
                .asksForData(party: nil, of: name, [.location], .exact, purpose: nil),
                .asksForAccount(account: "anna@trackme.example", .looks, of: name),
                .asksForAccount(account: nil, .acts, of: name), .actsOfAccount(of: name),
                .asksForLimits(issuer: "trackme", of: name, .heartRate),
            ]
            all += [
                .over(of: name), .oneIsOver(of: name), .cancelled(by: name), .accepted(by: name),
                .resolved(by: name),
                .notRetracted(of: name), .whoseIsMeant(of: ["Anna", name]), .passesOnAllRight(of: name),
                .supervisionPaused(of: name), .helpUnreachable(of: name), .helpReachable(of: name),
                .supervisionRestored(of: name), .batteryLow(of: name, percent: nil),
                .batteryLow(of: name, percent: 8), .testButton(of: name, button: nil),
                .testButton(of: name, button: "pendant"), .buttonWorks(of: name), .buttonUntested(of: name),
                .buttonTestOver(of: name), .exercise(of: name, minutes: 45), .exercise(of: name, minutes: 1),
                .exercise(of: name, minutes: nil), .devicePaired(of: name),
            ]
        }
        return all
    }()

    @Test(arguments: Manner.allCases)
    func `has words for everything in both languages`(manner: Manner) {
        for statement in Self.statements {
            let texts = PersonProfile.Language.allCases.map { statement.text(manner).in($0) }
            #expect(Set(texts).count == texts.count, "the same in two languages: \(texts)")
            for text in texts {
                // A doubtful value is asked about; all else is said.
                let isQuestion = if case .doubtfulValue(_, _, _, false) = statement { true } else { false }
                #expect(text.count > 5 && text.hasSuffix(isQuestion ? "?" : "."), "\(statement): \(text)")
                #expect(text.first?.isUppercase == true, "\(statement): \(text)")
                for leftover in ["%", "{", "}", "nil", "Optional", "\\(", "  ", "..", " ."] {
                    if leftover == "%" && manner == .shown { continue }
                    #expect(!text.contains(leftover), "\(statement): \(text)")
                }
            }
        }
    }

    @Test func `puts a question from outside, and says that nothing happens before the answer`() throws {
        let request = HouseQuestion(
            "request heart-1", about: House.maria,
            .request(
                HouseQuestion.Asked(
                    RequestID("heart-1")!, party: "The clinic",
                    kinds: [.quantity(.heartRate), .quantity(.oxygenSaturation)],
                    purpose: "Watching [[x]] over her heart.")))
        let said = try #require(House.phrases().announcement(.question(request), at: House.at(0))).text
        #expect(
            said
                == "The clinic asks to see readings of Maria: heart rate and oxygen saturation. Its purpose: Watching x "
                + "over her heart. Nothing is sent until somebody accepts. Ask your family to answer at the gateway."
        )
        #expect(
            House.phrases().shown(.question(request), at: House.at(0))?.hasSuffix(
                "Answer with: homegateway consent show heart-1.") == true)
        func link(_ role: LinkRole) -> String? {
            let question = HouseQuestion(
                "request link-1", about: House.maria,
                .request(
                    HouseQuestion.Asked(
                        RequestID("link-1")!, party: "anna", kinds: [], role: role, purpose: "Link")))
            return House.phrases().announcement(.question(question), at: House.at(0))?.text
        }
        let looks = "May the account anna see the data of Maria, as they are shown here"
        let (pending, ending) = (
            "? It is not linked until somebody accepts.", " Ask your family to answer at the gateway."
        )
        #expect(link(.looks) == looks + pending + ending)
        #expect(
            link(.acts)
                == looks + ", and act for Maria at TrackMe" + pending
                + " It could end permissions of companies, set how often values are sent, ask for the limits of alarms "
                + "and for the fiscal code, and take part in figures of groups and in runs for Maria." + ending)
        let code = HouseQuestion(
            "request code-1", about: House.maria,
            .request(
                HouseQuestion.Asked(
                    RequestID("code-1")!, party: "Casa di cura", kinds: [.profile(.fiscalCode)],
                    purpose: "Be found")))
        #expect(
            House.phrases().announcement(.question(code), at: House.at(0))?.text
                == "Casa di cura asks to see data of Maria: fiscal code. Its purpose: Be found. Nothing is sent until somebody "
                + "accepts." + ending)
        let limits = HouseQuestion(
            "limits 1", about: House.maria,
            .limits(IssuerID("trackme")!, .heartRate, [HouseQuestion.Move(.high, from: 131, to: 150)]))
        #expect(
            House.phrases().announcement(.question(limits), at: House.at(0))?.text
                == "Trackme asks to sound the alarm of Maria less readily: heart rate. The upper limit would be 150 beats "
                + "per minute instead of 131. Nothing changes until somebody accepts. Ask your family to answer at the "
                + "gateway.")
    }

    @Test func `counts one and many`() {
        #expect(
            Statement.calling(.help, inSeconds: 1).text(.spoken).en == "Help will be called in 1 second.")
        #expect(
            Statement.calling(.help, inSeconds: 25).text(.spoken).en == "Help will be called in 25 seconds.")
        #expect(Statement.calling(.help, inSeconds: 1).text(.spoken).it == "Chiamo aiuto tra 1 secondo.")
        #expect(Statement.calling(.help, inSeconds: 25).text(.spoken).it == "Chiamo aiuto tra 25 secondi.")
        let limit = Statement.limit(.bodyWeight, .low, value: 1, limit: 40)
        #expect(limit.text(.spoken).en == "Weight too low: 1 kilogram.")
        #expect(limit.text(.spoken).it == "Peso troppo basso: 1 chilogrammo.")
        #expect(Statement.silence(seconds: 120).text(.spoken).en.contains("2 minutes"))
        #expect(Statement.silence(seconds: 119).text(.spoken).it.contains("119 secondi"))
    }

    @Test func `says figures as the language writes them`() {
        let warm = Statement.limit(.bodyTemperature, .high, value: 38.94, limit: 38.5)
        #expect(warm.text(.spoken).en == "Body temperature too high: 38.9 degrees.")
        #expect(warm.text(.spoken).it == "Temperatura corporea troppo alta: 38,9 gradi.")
        #expect(
            warm.text(.shown).it == "Temperatura corporea troppo alta: 38,9 °C (limite 38,5).")
        #expect(Figure(.infinity, in: .english).text == "0")
        #expect(Figure(-0.5, in: .english).text == "-0.5")
    }

    @Test func `tells the cause, when help is called and how to cancel`() {
        let notice = House.notice(windowEnd: House.at(40), call: .notYet)
        let said = House.phrases().speech(of: OpenAlarm(notice), at: House.at(10)).text
        #expect(
            said
                == "Alarm for Maria. Heart rate too high: 152 beats per minute. Help will be called in 25 seconds. "
                + "Press the button if you are all right.")
        #expect(
            House.phrases().shown(.alarm(notice), at: House.at(10))
                == "*** Alarm for Maria. Heart rate too high: 152 bpm (limit 131). "
                + "Help will be called in 25 seconds. Press the button if you are all right.")
    }

    @Test(arguments: [
        (DeviceID.houseScreen, "Help was asked for."), (.housePage, "Help was asked for."),
        (.houseTerminal, "Help was asked for."), (.houseButton, "The help button was pressed."),
        (DeviceID(sample: "pendant"), "The help button was pressed."),
    ])
    func `speaks of a button only where one was pressed`(device: DeviceID, sentence: String) {
        let moment = Moment(boot: House.at(1), wall: WallTime(millisecondsSince1970: 1_790_000_000_000))
        let call = AlarmCause.signal(
            WearableSignal(
                id: MessageID.random(at: moment.wall), person: House.maria, device: device, kind: .sosButton,
                arrival: moment))
        let notice = House.notice(call, windowEnd: House.at(40), call: .notYet)
        #expect(House.phrases().speech(of: OpenAlarm(notice), at: House.at(10)).text.contains(sentence))
    }

    @Test func `asks about a doubtful value, and does not call it an alarm`() throws {
        let notice = House.notice(windowEnd: House.at(60), call: .notYet, isDoubted: true)
        #expect(
            House.phrases().speech(of: OpenAlarm(notice), at: House.at(10)).text
                == "Maria, your sensor shows a fast heart, but it may be wrong. Are you all right? "
                + "Press the button if you are all right.")
        #expect(
            Statement.doubtfulValue(.heartRate, .high, of: "Maria", measuresAgain: false).text(.spoken).it
                == "Maria, il tuo sensore indica un battito veloce, ma potrebbe sbagliare. Stai bene?")
        var alarm = notice.state
        _ = alarm.recede(at: House.at(12))
        let ending = try #require(alarm.ending)
        #expect(
            House.phrases().announcement(.ended(AlarmNotice(alarm), ending), at: House.at(12))?.text
                == "Maria, your sensor shows good values again.")
    }

    @Test func `never says that help comes later than it does`() throws {
        let notice = House.notice(windowEnd: House.at(100), call: .notYet)
        for tenth in 0..<1_000 {
            let now = House.at(Double(tenth) / 10)
            let said = House.phrases().speech(of: OpenAlarm(notice), at: now).text
            guard let match = said.firstMatch(of: /in (\d+) seconds?/) else {
                #expect(said.contains("now"), "\(said)")
                continue
            }
            #expect(try #require(Double(match.1)) <= 100 - Double(tenth) / 10 - 3)
        }
    }

    @Test func `says what to do first when little time is left`() throws {
        let notice = House.notice(windowEnd: House.at(4), call: .notYet)
        let said = House.phrases().speech(of: OpenAlarm(notice), at: House.at(2)).text
        let act = try #require(said.range(of: "Press the button now"))
        let cause = try #require(said.range(of: "Heart rate"))
        #expect(act.upperBound <= cause.lowerBound)
        #expect(
            !House.phrases(hasButton: false).speech(of: OpenAlarm(notice), at: House.at(2)).text.contains(
                "button"))
    }

    @Test(arguments: CancelMeans.allCases)
    func `names the button that really cancels`(means: CancelMeans) throws {
        let phrases = HousePhrases(
            people: House.people, language: .english, hasButton: true,
            facts: { _ in HelpFacts(mayCall: true) },
            cancelMeans: { _, _ in means })
        let expected =
            switch means {
            case .box: "Press the button"
            case .boxOnly: "Press the button of the box."
            case .worn: "Press the button that you wear."
            case .wornTwice: "Press the button that you wear twice."
            case .wornLong: "Press the button that you wear, and hold it."
            case .screen: "You can cancel it on the screen."
            case .gateway: "You can cancel it at the gateway only."
            case .nothing: "It cannot be cancelled from here."
            }
        for end in [4.0, 60] {
            let notice = House.notice(windowEnd: House.at(end), call: .notYet)
            let said = phrases.speech(of: OpenAlarm(notice), at: House.at(2)).text
            let named = try #require(said.range(of: expected), "\(said)")
            // With little time left, a button is named before everything else.
            if end == 4, ![.screen, .gateway, .nothing].contains(means) {
                #expect(named.lowerBound == said.startIndex)
            }
            if [.screen, .gateway, .nothing].contains(means) { #expect(!said.contains("button"), "\(said)") }
            if means == .nothing { #expect(!said.contains("Cancel"), "\(said)") }
        }
    }

    @Test func `does not speak of a window that is over`() {
        let notice = House.notice(windowEnd: House.at(4), call: .notYet)
        let said = House.phrases().speech(of: OpenAlarm(notice), at: House.at(4)).text
        #expect(said.contains("I am calling for help.") && !said.contains("button"))
    }

    @Test func `follows the call`() {
        var alarm = OpenAlarm(House.notice(windowEnd: House.at(60), call: .notYet))
        func said(at seconds: Double) -> String {
            House.phrases().speech(of: alarm, at: House.at(seconds)).text
        }
        alarm.hear(House.state(alarm.notice, .noticeGiven))
        #expect(said(at: 10).contains("in 45 seconds"))
        #expect(said(at: 10).contains("The help desk knows already."))
        alarm.hear(House.state(alarm.notice, .called))
        #expect(said(at: 61).contains("I am calling for help"))
        alarm.hear(House.state(alarm.notice, .notReached))
        #expect(said(at: 70).contains("cannot reach help yet"))
        alarm.hear(House.state(alarm.notice, .arrived))
        #expect(said(at: 75).contains("The help desk has the call"))
        alarm.hear(House.notice(alarm.notice.cause, call: .trying, repetition: 2))
        #expect(said(at: 90).contains("cannot reach help yet"))
        alarm.hear(House.notice(alarm.notice.cause, call: .handedOver, repetition: 3))
        #expect(said(at: 120).contains("The help desk has the call"))
    }

    @Test func `says that carers are told, and of a note no more than it is`() {
        let medium = House.notice(priority: .medium, call: .handedOver)
        #expect(
            House.phrases().speech(of: OpenAlarm(medium), at: House.at(5)).text.contains(
                "Your carers have the message"))
        let low = House.notice(priority: .low, call: .none)
        #expect(
            House.phrases().speech(of: OpenAlarm(low), at: House.at(5)).text
                == "A note for Maria. Heart rate too high: 152 beats per minute.")
        let alone = House.notice(call: .none)
        #expect(House.phrases().speech(of: OpenAlarm(alone), at: House.at(5)).text.contains("Nobody outside"))
    }

    @Test func `tells who must call where the terms are not accepted`() {
        let notice = House.notice(windowEnd: House.at(60), call: .notYet)
        let said = House.phrases(mayCall: false).speech(of: OpenAlarm(notice), at: House.at(5)).text
        #expect(said.contains("Nobody is called") && said.hasSuffix("dial 112."))
    }

    @Test func `says first that a drill is one, in the language of the person`() {
        let drill = OpenAlarm(
            House.notice(House.drill(of: House.giuseppe), windowEnd: House.at(60), call: .notYet))
        let utterance = House.phrases().speech(of: drill, at: House.at(5))
        #expect(utterance.text.hasPrefix("Questa è un'esercitazione. Allarme per Giuseppe."))
        #expect(utterance.language == .italian)
    }

    @Test func `names who ended it, and whether anyone has to be told`() throws {
        let notice = House.notice(windowEnd: House.at(60), call: .notYet)
        let act = PersonAct(by: "Maria", means: .button)
        func said(_ notice: AlarmNotice, _ ending: AlarmEnding) -> String? {
            House.phrases().announcement(House.ended(notice, ending), at: House.at(9))?.text
        }
        #expect(
            said(notice, .aborted(act, at: House.at(8), beforeDispatch: true))
                == "The alarm for Maria is over. It was cancelled by Maria. Nobody has been called for it.")
        let noticed = House.notice(windowEnd: House.at(60), isNoticeGiven: true)
        let toldOf = try #require(said(noticed, .aborted(act, at: House.at(8), beforeDispatch: false)))
        #expect(toldOf.contains("Help was not called. I am telling those who knew of the alarm."))
        let accepted = AlarmEnding.accepted(
            PersonAct(by: "Operator 7", means: .channel), channel: ChannelID(sample: "mqtt"), at: House.at(8))
        #expect(said(notice, accepted) == "Alarm for Maria. Operator 7 has taken the call.")
        #expect(said(notice, .resolved(act, at: House.at(8)))?.contains("ended by Maria") == true)
        #expect(
            said(House.notice(House.drill()), .lapsed(at: House.at(8)))?.contains("Nobody answered") == true)
    }

    @Test(arguments: PersonProfile.Language.allCases)
    func `tells nobody to call for help in a drill`(language: PersonProfile.Language) {
        let emergency = [Statement.notReached(.help, isDrill: false), .notReached(.carers, isDrill: false)]
        let drill = [
            Statement.notReached(.help, isDrill: true), .notReached(.carers, isDrill: true),
            .termsNotAccepted(isDrill: true), .cannotCall(.help, isDrill: true),
        ]
        let callYourself = language == .english ? " yourself" : "Chiama tu"
        func says(_ statement: Statement) -> Bool {
            statement.text(.spoken).in(language).contains(callYourself)
        }
        #expect(emergency.allSatisfy(says) && !drill.contains(where: says))
    }

    @Test func `speaks names and no ids`() {
        let stranger = PersonID(sample: "stranger-1")
        let notice = House.notice(House.crossing(152, of: stranger))
        let words: [HouseMessage] = [
            .alarm(notice), .notRetracted(stranger),
            .whoseIsMeant([stranger]),
            .supervision(stranger, isPaused: true), .batteryLow(stranger, percent: nil),
        ]
        for word in words {
            let text = House.phrases().shown(word, at: House.at(5)) ?? ""
            #expect(text.contains("someone in the house") && !text.contains("stranger"), "\(text)")
            #expect(!text.contains(notice.alarm.description))
        }
    }

    @Test func `lets no free text command a terminal or a voice`() {
        #expect(SafeText("Ma\u{1B}[2Jria <break time=\"9s\"/>").text == "Ma 2Jria break time=\"9s\"/")
        #expect(SafeText("\n\t ").text == nil)
        #expect((SafeText(String(repeating: "a", count: 10_000)).text ?? "").count == 160)
    }
}
