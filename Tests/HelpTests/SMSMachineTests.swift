import GatewayModel
import HelpLine
import Testing

@testable import SOSLocal
@testable import TextMessages

private typealias Sample = TextSample

/// Who is texted when, and what the machine is told: by instants, without a modem.
@Suite struct `The desk of the text channel` {
    private func desk(
        recipients: [PhoneNumber] = [Sample.anna, Sample.carlo], startingAt start: Double = 0,
        testText: OutgoingText? = nil
    ) -> SMSMachine {
        SMSMachine(
            recipients: recipients, repeatInterval: .seconds(300), testText: testText,
            startingAt: Sample.at(start))
    }

    private func refused(_ reason: String = "refused", mayHaveArrived: Bool = false) -> TextOutcome {
        .failed(.number(reason, mayHaveArrived: mayHaveArrived))
    }

    private let text = TextMessage([.init("HELP")])
    private let over = TextMessage([.init("CANCELLED")])

    @Test func `counts a call as handed over with the first whom it reaches, and tries the others`() {
        var desk = desk()
        let given = desk.give(Sample.call(), text, at: Sample.at(14))
        #expect(given.words == ["dispatched"])
        #expect(given.starts == ["1 HELP to Anna"])
        let first = desk.ended(1, .sent, at: Sample.at(18))
        #expect(first.words == ["handedOver"])
        #expect(first.starts == ["2 HELP to Carlo"])
        #expect(!desk.isIdle)
        let second = desk.ended(2, refused(), at: Sample.at(22))
        #expect(second.words.isEmpty)
        #expect(second.notes == ["recipient 2 was not reached: refused"])
        #expect(desk.isIdle)
    }

    private func answer(_ text: String, from sender: String = Sample.anna.text, id: String = "1")
        -> IncomingText
    {
        IncomingText(id: id, sender: sender, text: text)
    }

    private func listening() throws -> (desk: SMSMachine, code: String) {
        var desk = SMSMachine(
            recipients: [Sample.anna, Sample.carlo], repeatInterval: .seconds(300), testText: nil,
            takesReplies: true, startingAt: Sample.at(0))
        let call = Sample.call()
        let code = desk.code(for: call)
        _ = desk.give(call, text, at: Sample.at(14))
        return (desk, try #require(code).digits)
    }

    @Test(arguments: ["%", " % ", "ok %!", "I go\n%", "%. 5 minutes", "code:%"])
    func `takes the code by itself, whatever is around it`(pattern: String) throws {
        var (desk, code) = try listening()
        let steps = desk.received(answer(pattern.replacing("%", with: code)))
        #expect(steps.words == ["accepted by the phone ending in 567"])
        #expect(!desk.isListening(at: Sample.at(100)))
        #expect(desk.received(answer(code, from: Sample.carlo.text)).words.isEmpty, "once")
    }

    @Test func `takes no code within a longer number, from a stranger, or of an alarm that is over`() throws {
        var (desk, code) = try listening()
        #expect(desk.received(answer("1\(code)")).words.isEmpty)
        #expect(desk.received(answer(code, from: "+393330000000")) == [], "left alone")
        #expect(desk.received(answer(code, from: "567")) == [])
        _ = desk.give(Sample.retraction(), over, at: Sample.at(30))
        #expect(!desk.isListening(at: Sample.at(100)))
        #expect(desk.received(answer(code)).words.isEmpty)
    }

    @Test func `takes nothing of a number that has guessed too often`() throws {
        var (desk, code) = try listening()
        for guess in 0..<ReplyCode.mostWrong {
            let steps = desk.received(answer("no \(guess)", id: "\(guess)"))
            #expect(
                steps.notes == ["recipient 1 has answered without the code of an open call; the alarm goes on"])
        }
        #expect(desk.received(answer(code)).words.isEmpty)
        #expect(
            desk.received(answer(code, from: Sample.carlo.text)).words == [
                "accepted by the phone ending in 321"
            ])
    }

    @Test(arguments: [(1, true), (4, true), (5, false), (31, false)])
    func `counts each number of a text as a try`(wrong: Int, isAccepted: Bool) throws {
        var (desk, code) = try listening()
        let guesses = (0..<wrong).map { "\(10_000 + $0)" }.joined(separator: " ")
        #expect(desk.received(answer("\(guesses) \(code)", id: "1")).words.isEmpty != isAccepted)
        if !isAccepted { #expect(desk.received(answer(code, id: "2")).words.isEmpty) }
    }

    @Test func `names the contact of the person who has the number, and gives an early notice no code`() throws
    {
        var desk = SMSMachine(
            recipients: [Sample.anna], repeatInterval: .seconds(300), testText: nil,
            takesReplies: true,
            startingAt: Sample.at(0))
        let anna = PersonProfile(
            id: Sample.maria, name: "Maria", contacts: [.init(name: "Anna Rossi", phone: Sample.anna.text)],
            home: Sample.home)
        #expect(desk.code(for: .call(Sample.order(Sample.fall, .pending), of: anna)) == nil)
        let call = HelpMessage.call(Sample.order(Sample.fall), of: anna)
        let made = desk.code(for: call)
        let code = try #require(made)
        #expect(desk.code(for: call) == made, "the same in each round")
        _ = desk.give(call, text, at: Sample.at(14))
        // As its network writes it, without the country code.
        #expect(desk.received(answer(code.digits, from: "0333 1234567")).words == ["accepted by Anna Rossi"])
    }

    @Test func `does not let a number that fails hide the others`() {
        var desk = desk()
        _ = desk.give(Sample.call(), text, at: Sample.at(14))
        let first = desk.ended(1, refused(), at: Sample.at(18))
        #expect(first.words.isEmpty)
        #expect(first.starts == ["2 HELP to Carlo"])
        #expect(desk.ended(2, .sent, at: Sample.at(22)).words == ["handedOver"])
    }

    @Test func `has failed when it reached nobody, and says why of each`() {
        var desk = desk()
        _ = desk.give(Sample.call(), text, at: Sample.at(14))
        _ = desk.ended(1, refused("no credit"), at: Sample.at(18))
        let last = desk.ended(2, refused("bad number"), at: Sample.at(22))
        #expect(last.words == ["failed"])
        #expect(last.reasons == ["recipient 1: no credit; recipient 2: bad number"])
    }

    @Test func `does not try one number after the other where the way is shut`() {
        var desk = desk()
        _ = desk.give(Sample.call(), text, at: Sample.at(14))
        let steps = desk.ended(1, .failed(.way("no modem")), at: Sample.at(18))
        #expect(steps.words == ["failed"])
        #expect(steps.reasons == ["no modem"])
        #expect(steps.starts.isEmpty)
        #expect(desk.isIdle)
    }

    @Test func `tries in the next round only those who have it not`() {
        var desk = desk()
        _ = desk.give(Sample.call(), text, at: Sample.at(14))
        _ = desk.ended(1, .sent, at: Sample.at(18))
        _ = desk.ended(2, refused(), at: Sample.at(22))
        let round = desk.give(Sample.call(Sample.order(round: 2)), text, at: Sample.at(44))
        #expect(round.words == ["dispatched", "handedOver"])
        #expect(round.starts == ["3 HELP to Carlo"])
        #expect(desk.ended(3, refused(), at: Sample.at(48)).notes.isEmpty, "said once")
    }

    @Test func `texts everybody again when the interval is over`() {
        var desk = desk()
        _ = desk.give(Sample.call(), text, at: Sample.at(14))
        _ = desk.ended(1, .sent, at: Sample.at(18))
        _ = desk.ended(2, .sent, at: Sample.at(18))
        #expect(desk.give(Sample.call(Sample.order(round: 2)), text, at: Sample.at(317)).starts.isEmpty)
        let later = desk.give(Sample.call(Sample.order(round: 3)), text, at: Sample.at(318))
        #expect(later.starts == ["3 HELP to Anna"])
        #expect(later.words == ["dispatched"])
        #expect(desk.ended(3, .sent, at: Sample.at(322)).starts == ["4 HELP to Carlo"])
    }

    @Test func `sends the confirmation to those who have the early notice`() {
        var desk = desk()
        _ = desk.give(Sample.call(Sample.order(Sample.crossing, .pending)), text, at: Sample.at(14))
        _ = desk.ended(1, .sent, at: Sample.at(15))
        let confirmed = desk.give(Sample.call(), text, at: Sample.at(20))
        #expect(confirmed.starts.isEmpty, "Carlo's early notice is still under way")
        #expect(confirmed.words == ["dispatched"], "the early notice does not stand in for the call")
        #expect(desk.ended(2, .sent, at: Sample.at(21)).starts == ["3 HELP to Anna"])
        let first = desk.ended(3, .sent, at: Sample.at(22))
        #expect(first.words == ["handedOver"] && first.starts == ["4 HELP to Carlo"])
    }

    @Test func `tells those of a cancellation who were told, or may have been, and nobody else`() {
        let eva = PhoneNumber("+393330000000")!
        var desk = desk(recipients: [Sample.anna, Sample.carlo, eva])
        _ = desk.give(Sample.call(), text, at: Sample.at(14))
        _ = desk.ended(1, .sent, at: Sample.at(18))
        _ = desk.ended(2, refused(mayHaveArrived: true), at: Sample.at(22))
        _ = desk.ended(3, refused(), at: Sample.at(26))
        let cancelled = desk.give(Sample.retraction(), over, at: Sample.at(30))
        #expect(cancelled.starts == ["4 CANCELLED to Anna"])
        let second = desk.ended(4, .sent, at: Sample.at(34))
        #expect(second.starts == ["5 CANCELLED to Carlo"])
        #expect(second.words.isEmpty, "not before all have it")
        #expect(desk.ended(5, .sent, at: Sample.at(38)).words == ["retracted"])
    }

    @Test func `owes the cancellation to whom it did not reach, and only to them`() {
        var desk = desk()
        _ = desk.give(Sample.call(), text, at: Sample.at(14))
        _ = desk.ended(1, .sent, at: Sample.at(18))
        _ = desk.ended(2, .sent, at: Sample.at(18))
        _ = desk.give(Sample.retraction(), over, at: Sample.at(30))
        _ = desk.ended(3, .sent, at: Sample.at(34))
        #expect(desk.ended(4, refused(), at: Sample.at(34)).words == ["retractionFailed"])
        let again = desk.give(Sample.retraction(), over, at: Sample.at(60))
        #expect(again.starts == ["5 CANCELLED to Carlo"])
        #expect(desk.ended(5, .sent, at: Sample.at(64)).words == ["retracted"])
    }

    @Test func `puts a cancellation in place of calls that are not out, and after the one that is`() {
        var desk = desk()
        _ = desk.give(Sample.call(), text, at: Sample.at(14))
        #expect(desk.give(Sample.retraction(), over, at: Sample.at(15)).starts.isEmpty)
        let next = desk.ended(1, .sent, at: Sample.at(18))
        #expect(next.starts == ["2 CANCELLED to Anna"], "Carlo never hears of it")
        #expect(desk.ended(2, .sent, at: Sample.at(22)).words == ["retracted"])
        #expect(desk.isIdle)
    }

    @Test func `tells all of the end of an alarm that an earlier run began`() {
        var desk = desk(startingAt: 30)
        let given = desk.give(Sample.retraction(), over, at: Sample.at(40))
        #expect(given.starts == ["1 CANCELLED to Anna"])
        #expect(desk.ended(1, .sent, at: Sample.at(44)).starts == ["2 CANCELLED to Carlo"])
    }

    @Test func `takes back at once what nobody was told`() {
        var desk = desk()
        _ = desk.give(Sample.call(), text, at: Sample.at(14))
        _ = desk.ended(1, .failed(.way("no modem")), at: Sample.at(18))
        let given = desk.give(Sample.retraction(), over, at: Sample.at(20))
        #expect(given.words == ["retracted"] && given.starts.isEmpty)
    }

    @Test func `tests the way without a text, and with one where the settings ask for it`() {
        var plain = desk()
        let now = Sample.at(0)
        #expect(plain.looked(.works(detail: "58 %"), at: now) == [.tested(.works(detail: "58 %"))])
        var paid = desk(testText: OutgoingText(recipient: Sample.carlo, text: "TEST"))
        #expect(paid.looked(.fails(reason: "no modem"), at: now) == [.tested(.fails(reason: "no modem"))])
        let notDue = paid.looked(.works(detail: "58 %"), isTextDue: false, at: now)
        #expect(notDue == [.tested(.works(detail: "58 %"))])
        #expect(paid.looked(.works(detail: "58 %"), at: now).starts == ["1 TEST to Carlo"])
        #expect(
            paid.ended(1, .sent, at: Sample.at(1))
                == [.testLeft, .tested(.works(detail: "58 %; a test text was sent"))])
    }

    @Test func `knows that a text arrived when that of a test comes back, and waits ten minutes for it`() {
        var desk = desk(testText: OutgoingText(recipient: Sample.carlo, text: "TEST"))
        func text(_ sender: PhoneNumber, _ words: String) -> IncomingText {
            IncomingText(id: "1", sender: sender.text, text: words)
        }
        #expect(!desk.isListening(at: Sample.at(0)))
        _ = desk.looked(.works(detail: ""), at: Sample.at(0))
        #expect(desk.isListening(at: Sample.at(599)) && !desk.isListening(at: Sample.at(600)))
        let own = text(Sample.carlo, "TEST")
        #expect(!desk.received(text(Sample.anna, "TEST")).contains(.arrived))
        #expect(!desk.received(text(Sample.carlo, "another text")).contains(.arrived))
        #expect(desk.received(own) == [.discard(own), .arrived])
        #expect(!desk.received(own).contains(.arrived))
        var failing = self.desk(testText: OutgoingText(recipient: Sample.carlo, text: "TEST"))
        _ = failing.looked(.works(detail: ""), at: Sample.at(0))
        let failed = failing.ended(1, .failed(.way("no credit")), at: Sample.at(1))
        #expect(!failed.contains(.testLeft) && !failing.isListening(at: Sample.at(2)))
    }

    @Test func `owns up to what it could not attempt before the end`() {
        var desk = desk()
        _ = desk.give(Sample.call(), text, at: Sample.at(14))
        #expect(desk.abandon().words == ["failed"])
        #expect(desk.isIdle)
    }
}

/// News that is no emergency, beside the calls.
extension `The desk of the text channel` {
    private var notice: NoticeMessage { NoticeSample.began(Sample.profile(), phone: Sample.carlo.text) }
    private var news: TextMessage { TextMessage([.init("NEWS")]) }

    @Test func `sends a notice to its own number, and reports it once`() {
        var desk = desk()
        #expect(desk.give(notice, news).starts == ["1 NEWS to Carlo"])
        #expect(desk.isIdle, "a stop does not wait for a notice")
        let end = desk.ended(1, .sent, at: Sample.at(1))
        #expect(end.outcomes == [.handedOver] && end.words.isEmpty)
    }

    @Test func `lets no call wait for a notice that is under way or waits`() {
        var desk = desk()
        #expect(desk.give(notice, news).starts == ["1 NEWS to Carlo"])
        #expect(desk.give(notice, news).starts.isEmpty)
        #expect(desk.give(Sample.call(), text, at: Sample.at(2)).starts == ["2 HELP to Anna"])
        #expect(
            desk.ended(1, .sent, at: Sample.at(3)).starts.isEmpty, "the call goes on before the next notice")
        #expect(desk.ended(2, .sent, at: Sample.at(4)).starts == ["3 HELP to Carlo"])
        #expect(desk.ended(3, .sent, at: Sample.at(5)).starts == ["4 NEWS to Carlo"])
    }

    @Test func `reports a notice that fails, that has no number, and that a stop cuts off`() {
        var desk = desk()
        _ = desk.give(notice, news)
        let failed = desk.ended(1, refused(), at: Sample.at(1))
        #expect(failed.outcomes == [.failed(reason: "refused")])
        let numberless = NoticeSample.began(Sample.profile())
        #expect(desk.give(numberless, news).outcomes.count == 1)
        _ = desk.give(notice, news)
        _ = desk.give(notice, news)
        let stopped = NoticeOutcome.failed(reason: NoticeOutcome.stopped)
        #expect(desk.abandon().outcomes == [stopped, stopped])
    }

    @Test func `keeps a bounded number of notices`() {
        var desk = desk()
        for _ in 0...SMSMachine.noticeLimit { #expect(desk.give(notice, news).outcomes.isEmpty) }
        #expect(desk.give(notice, news).outcomes.count == 1)
    }

    @Test func `marks a notice as no emergency, in the language of the person`() {
        let writer = TextWriter(zone: Sample.rome)
        #expect(
            writer.text(notice).text
                == "NOTICE, no emergency. Nobody is watching over Maria Rossi at the moment: the strap is out of reach. "
                + "Check that it is worn, charged and in the house.")
        let italian = writer.text(NoticeSample.ended(Sample.profile(.italian)))
        #expect(italian.text == "AVVISO, nessuna emergenza. Maria Rossi è di nuovo sotto sorveglianza.")
        #expect(TextSize(italian.text).parts == 1)
    }
}

extension [SMSMachine.Step] {
    fileprivate var outcomes: [NoticeOutcome] {
        compactMap { if case .noticed(_, let outcome) = $0 { outcome } else { nil } }
    }

    fileprivate var starts: [String] {
        compactMap { step in
            guard case .start(let number, let text) = step else { return nil }
            let names = [Sample.anna: "Anna", Sample.carlo: "Carlo"]
            return "\(number) \(text.text) to \(names[text.recipient] ?? "another")"
        }
    }

    fileprivate var words: [String] {
        compactMap { if case .report(let word) = $0 { word.plain } else { nil } }
    }

    fileprivate var reasons: [String] {
        compactMap { if case .report(.failed(_, _, let reason)) = $0 { reason } else { nil } }
    }

    fileprivate var notes: [String] { compactMap { if case .note(let note) = $0 { "\(note)" } else { nil } } }
}
