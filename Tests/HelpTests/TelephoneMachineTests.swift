import Audio
import GatewayModel
import HelpLine
import ModelSamples
import SOSLocal
import Testing

@testable import TelephoneCalls

/// The conversation with a telephone, without one.
@Suite struct `The machine of the calls` {
    private typealias Step = TelephoneMachine.Step

    private static let anna = TextSample.anna
    private static let carlo = TextSample.carlo
    private let alarm = TextSample.order().alarm
    private let call = CallScript(words: words("call"), thanks: words("thanks"))
    private let early = CallScript(words: words("early"), thanks: nil)
    private let over = CallScript(words: words("over"), thanks: nil)

    private static func words(_ text: String) -> Utterance { Utterance(text: text, language: .english) }

    private func machine(takesKeys: Bool = true) -> TelephoneMachine {
        TelephoneMachine(
            TelephoneMachine.Rules(
                recipients: [Self.anna, Self.carlo], ring: .seconds(25), pause: .seconds(60),
                reach: .seconds(10),
                takesKeys: takesKeys), startingAt: TextSample.at(0))
    }

    private func speak(_ number: Int, _ text: String, isRepeated: Bool = true) -> Step {
        .speak(number, Self.words(text), isRepeated: isRepeated)
    }

    private func dialled(_ steps: [Step]) -> [PhoneNumber] {
        steps.compactMap { if case .dial(_, let recipient) = $0 { recipient } else { nil } }
    }

    private func reports(_ steps: [Step]) -> [ChannelEvent] {
        steps.compactMap { if case .report(let word) = $0 { word } else { nil } }
    }

    @Test func `calls one after the other in their order, and again after a pause`() {
        var machine = machine()
        let begun = machine.give(TextSample.call(), call, at: TextSample.at(0))
        #expect(dialled(begun) == [Self.anna])
        #expect(reports(begun) == [.dispatched(alarm)])
        #expect(dialled(machine.event(1, .progress, at: TextSample.at(1))) == [])
        #expect(machine.deadline == TextSample.at(25))
        let late = machine.tick(at: TextSample.at(25))
        #expect(late.contains(.hangUp(1)))
        #expect(dialled(late) == [Self.carlo])
        let busy = machine.event(2, .ended(.busy), at: TextSample.at(27))
        guard case .failed(alarm, .confirmed, let reason)? = reports(busy).first else {
            Issue.record("\(busy)")
            return
        }
        #expect(reason == "recipient 1: nobody answered within 25 s; recipient 2: the line was busy")
        #expect(dialled(busy).isEmpty)
        #expect(machine.deadline == TextSample.at(87))
        #expect(dialled(machine.tick(at: TextSample.at(86))).isEmpty)
        #expect(dialled(machine.tick(at: TextSample.at(87))) == [Self.anna])
    }

    @Test func `counts an answer as handed over, and a key alone as accepted`() {
        var machine = machine()
        _ = machine.give(TextSample.call(), call, at: TextSample.at(0))
        let answered = machine.event(1, .answered, at: TextSample.at(5))
        #expect(answered == [speak(1, "call"), .report(.handedOver(alarm, .confirmed))])
        // A voicemail talks, and presses nothing.
        #expect(machine.tick(at: TextSample.at(64)).isEmpty)
        let given = machine.tick(at: TextSample.at(65))
        #expect(given.first == .hangUp(1))
        #expect(dialled(given) == [Self.carlo])
        #expect(reports(given).isEmpty)
        #expect(reports(machine.event(2, .answered, at: TextSample.at(70))).isEmpty)
        let accepted = machine.event(2, .key("1"), at: TextSample.at(75))
        #expect(accepted.first == speak(2, "thanks", isRepeated: false))
        #expect(
            reports(accepted) == [
                .accepted(alarm, of: TextSample.maria, by: "the phone ending in 321", othersWait: true)
            ])
        #expect(machine.event(2, .said, at: TextSample.at(80)) == [.hangUp(2)])
        #expect(machine.deadline == nil, "nobody else is called")
    }

    @Test func `names a contact of the person, and says the words again on another key`() {
        var machine = machine()
        let profile = PersonProfile(
            id: TextSample.maria, name: "Maria", contacts: [.init(name: "Anna Rossi", phone: Self.anna.text)],
            home: TextSample.home)
        _ = machine.give(.call(TextSample.order(), of: profile), call, at: TextSample.at(0))
        _ = machine.event(1, .answered, at: TextSample.at(1))
        for key in ["2", "#", "9"] as [Character] {
            #expect(machine.event(1, .key(key), at: TextSample.at(2)) == [speak(1, "call")])
        }
        let accepted = machine.event(1, .key("1"), at: TextSample.at(3))
        #expect(
            reports(accepted) == [
                .accepted(alarm, of: TextSample.maria, by: "Anna Rossi", othersWait: true)
            ])
        #expect(machine.event(1, .key("1"), at: TextSample.at(4)).isEmpty, "a second press says nothing new")
    }

    @Test func `ends a call that repeats its words for ever`() {
        var machine = machine()
        _ = machine.give(TextSample.call(), call, at: TextSample.at(0))
        _ = machine.event(1, .answered, at: TextSample.at(0))
        for second in stride(from: 10.0, to: 180, by: 10) {
            _ = machine.event(1, .key("2"), at: TextSample.at(second))
            #expect(machine.tick(at: TextSample.at(second)).isEmpty)
        }
        #expect(machine.tick(at: TextSample.at(180)).first == .hangUp(1))
    }

    @Test func `accepts nothing where the settings say so, or before the alarm is confirmed`() {
        var machine = machine()
        _ = machine.give(
            TextSample.call(TextSample.order(TextSample.crossing, .pending)), early, at: TextSample.at(0))
        let answered = machine.event(1, .answered, at: TextSample.at(1))
        #expect(reports(answered) == [.handedOver(alarm, .pending)])
        #expect(machine.event(1, .key("1"), at: TextSample.at(2)) == [speak(1, "early")])
        // Confirmed while the person is on the line: they hear it, and the call is handed over at once.
        let confirmed = machine.give(TextSample.call(), call, at: TextSample.at(3))
        #expect(confirmed.contains(speak(1, "call")))
        #expect(reports(confirmed) == [.dispatched(alarm), .handedOver(alarm, .confirmed)])
        #expect(dialled(confirmed).isEmpty)
        #expect(!reports(machine.event(1, .key("1"), at: TextSample.at(4))).isEmpty)
    }

    @Test func `hangs up where the alarm is over before the call is answered`() {
        var machine = machine()
        _ = machine.give(TextSample.call(), call, at: TextSample.at(0))
        _ = machine.event(1, .progress, at: TextSample.at(1))
        let end = machine.give(TextSample.retraction(), over, at: TextSample.at(2))
        #expect(end == [.hangUp(1), .report(.retracted(alarm))])
        #expect(machine.deadline == nil)
    }

    @Test func `tells the end to the one on the line, and calls those who had answered`() {
        var machine = machine()
        _ = machine.give(TextSample.call(), call, at: TextSample.at(0))
        _ = machine.event(1, .answered, at: TextSample.at(1))
        _ = machine.event(1, .ended(.hungUp), at: TextSample.at(10))
        _ = machine.event(2, .answered, at: TextSample.at(12))
        let end = machine.give(TextSample.retraction(), over, at: TextSample.at(15))
        #expect(end.contains(speak(2, "over")))
        #expect(reports(end).isEmpty)
        let next = machine.event(2, .key("1"), at: TextSample.at(20))
        #expect(next.first == .hangUp(2))
        #expect(dialled(next) == [Self.anna])
        #expect(machine.event(3, .answered, at: TextSample.at(25)) == [speak(3, "over")])
        #expect(machine.event(3, .ended(.hungUp), at: TextSample.at(30)) == [.report(.retracted(alarm))])
    }

    @Test func `reports an end that was not heard, which is then told again`() {
        var machine = machine()
        _ = machine.give(TextSample.call(), call, at: TextSample.at(0))
        _ = machine.event(1, .answered, at: TextSample.at(1))
        _ = machine.event(1, .ended(.hungUp), at: TextSample.at(2))
        _ = machine.event(2, .ended(.busy), at: TextSample.at(3))
        #expect(dialled(machine.give(TextSample.retraction(), over, at: TextSample.at(4))) == [Self.anna])
        #expect(
            machine.event(3, .ended(.busy), at: TextSample.at(5)) == [
                .report(.retractionFailed(alarm, reason: "the line was busy"))
            ])
        #expect(dialled(machine.give(TextSample.retraction(), over, at: TextSample.at(60))) == [Self.anna])
    }

    @Test func `does not call the one who has accepted for the end`() {
        var machine = machine()
        _ = machine.give(TextSample.call(), call, at: TextSample.at(0))
        _ = machine.event(1, .answered, at: TextSample.at(1))
        _ = machine.event(1, .key("1"), at: TextSample.at(2))
        let by = PersonAct(by: Self.anna.masked, means: .channel)
        let ending = AlarmEnding.accepted(by, channel: ChannelID(sample: "family"), at: TextSample.at(2))
        let end = machine.give(TextSample.retraction(ending), over, at: TextSample.at(2))
        #expect(end == [.report(.retracted(alarm))])
        #expect(machine.event(1, .said, at: TextSample.at(6)) == [.hangUp(1)])
    }

    @Test func `calls everybody for the end of an alarm that is older than this run`() {
        var machine = machine()
        let end = machine.give(TextSample.retraction(firstOrdered: -100), over, at: TextSample.at(1))
        #expect(dialled(end) == [Self.anna])
        _ = machine.event(1, .answered, at: TextSample.at(2))
        #expect(dialled(machine.event(1, .ended(.hungUp), at: TextSample.at(3))) == [Self.carlo])
    }

    @Test func `reports a fault of the route at once, and looks again soon`() {
        var machine = machine()
        _ = machine.give(TextSample.call(), call, at: TextSample.at(0))
        let failed = machine.event(1, .ended(.failed(.route("no server"))), at: TextSample.at(1))
        #expect(failed == [.report(.failed(alarm, .confirmed, reason: "no server"))])
        #expect(machine.deadline == TextSample.at(16))
        // A new order does not wait for it.
        #expect(dialled(machine.give(TextSample.call(), call, at: TextSample.at(5))) == [Self.anna])
        let silent = machine.tick(at: TextSample.at(15))
        #expect(silent.first == .hangUp(2))
        #expect("\(silent)".contains("has not begun to ring within 10 s"))
    }

    @Test func `ends the news of one alarm for the call for help of another`() {
        var machine = machine()
        _ = machine.give(TextSample.retraction(firstOrdered: -100), over, at: TextSample.at(1))
        let other = TextSample.order(TextSample.other)
        let steps = machine.give(TextSample.call(other), call, at: TextSample.at(2))
        #expect(steps.contains(.hangUp(1)))
        #expect(dialled(steps) == [Self.anna])
        _ = machine.event(2, .ended(.busy), at: TextSample.at(3))
        // And then the news.
        #expect(dialled(machine.event(3, .ended(.busy), at: TextSample.at(4))) == [Self.anna])
        #expect(machine.event(4, .answered, at: TextSample.at(5)) == [speak(4, "over")])
    }

    @Test func `hangs up and fails where the gateway stops`() {
        var machine = machine()
        _ = machine.give(TextSample.call(), call, at: TextSample.at(0))
        #expect(!machine.isIdle)
        let steps = machine.abandon()
        #expect(steps.first == .hangUp(1))
        #expect(reports(steps).count == 1)
    }

    @Test(arguments: [PersonProfile.Language.english, .italian])
    func `speaks of the house, the need, its doubt and the keys, and of a drill`(
        language: PersonProfile.Language
    ) {
        let profile = TextSample.profile(language)
        let text = CallScript(.call(TextSample.order(), of: profile), takesKeys: true, zone: TextSample.rome)
            .words.text
        #expect(
            text.contains("Maria Rossi") && text.contains("9:30") && text.contains("Via Dante 7"), "\(text)")
        #expect(
            text.contains(language == .english ? "Press 1 if you are going" : "Prema 1 se ci va"), "\(text)")
        #expect(!text.contains("warfarin"), "a call lies open to whoever answers")
        let mute = CallScript(.call(TextSample.order(), of: profile), takesKeys: false, zone: TextSample.rome)
        #expect(mute.thanks == nil && !mute.words.text.contains(" 1 "))
        let drill = CallScript(
            .call(TextSample.order(TextSample.drill), of: profile), takesKeys: true, zone: TextSample.rome)
        let word = language == .english ? "This is a drill" : "esercitazione"
        #expect(drill.words.text.contains(word) && drill.thanks?.text.contains(word) == true)
        let possible = CallScript(
            .call(TextSample.order(certainty: .possible), of: profile), takesKeys: true, zone: TextSample.rome)
        let (need, doubt) =
            language == .english
            ? ("Help may be needed", "The sensor may be wrong.")
            : ("Potrebbe servire aiuto", "Il sensore potrebbe sbagliare.")
        #expect(possible.words.text.contains(need) && possible.words.text.contains(doubt))
        #expect(!text.contains(need) && !text.contains(doubt))
        let end = CallScript(TextSample.retraction(), takesKeys: true, zone: TextSample.rome)
        #expect(end.words.text.contains("Maria") && end.thanks == nil)
    }
}

extension TextSample {
    /// Of another alarm.
    static var other: AlarmCause {
        .signal(
            WearableSignal(
                id: MessageID("01957c2e-7a00-7abc-8def-0123456789ac")!, person: maria,
                device: DeviceID(sample: "pendant"), kind: .fall, arrival: moment(10)))
    }
}
