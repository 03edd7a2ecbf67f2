import GatewayModel
import HouseAlarm
import ModelSamples
import SOSLocal
import Testing

@Suite struct `A line on the console` {
    private static let act = PersonAct(by: "Operatore 7", means: .channel)

    private func lines(_ words: [HouseMessage], mayCall: Bool = true, hasButton: Bool = true) -> [String] {
        var lines = ConsoleLines(House.phrases(hasButton: hasButton, mayCall: mayCall))
        return words.compactMap { lines.line(for: $0, at: House.at(5)) }
    }

    @Test func `follows the call in the language of the person`() {
        let notice = House.notice(
            House.crossing(150, of: House.giuseppe), windowEnd: House.at(4), call: .notYet)
        let accepted = AlarmEnding.accepted(Self.act, channel: ChannelID(sample: "mqtt"), at: House.at(5))
        let read = lines([
            .alarm(notice), House.progress(notice, .called), House.progress(notice, .notReached),
            House.progress(notice, .arrived), .ended(notice, accepted), House.progress(notice, .called),
        ])
        #expect(
            read == [
                "*** Allarme per Giuseppe. Frequenza cardiaca troppo alta: 150 bpm (limite 131). "
                    + "Sto chiamando aiuto. Resta dove sei.",
                "*** Allarme per Giuseppe. Sto chiamando aiuto. Resta dove sei.",
                "*** Allarme per Giuseppe. Non riesco ancora a chiamare aiuto. Continuo a provare. "
                    + "Chiama tu il 112.",
                "*** Allarme per Giuseppe. Ho chiamato aiuto. La centrale ha ricevuto la chiamata. Nessuno ha "
                    + "ancora risposto.",
                "*** Allarme per Giuseppe. Operatore 7 ha preso in carico la chiamata.",
            ])
    }

    @Test func `says in the window and after it that nobody is called, where the terms are not accepted`() {
        let notice = House.notice(windowEnd: House.at(60), call: .notYet)
        let read = lines([.alarm(notice), House.progress(notice, .called)], mayCall: false)
        #expect(read.count == 2 && read.allSatisfy { $0.contains("Nobody is called") && $0.contains("112") })
        #expect(read.allSatisfy { !$0.contains("I am calling") && !$0.contains("will be called") }, "\(read)")
    }

    @Test func `says in the window and after it that nobody can be called, where every way is dead`() {
        let notice = House.notice(windowEnd: House.at(60), call: .notYet)
        var lines = ConsoleLines(House.phrases(dead: [House.channel]))
        let read = [.alarm(notice), House.progress(notice, .called)].compactMap {
            lines.line(for: $0, at: House.at(5))
        }
        #expect(
            read.count == 2 && read.allSatisfy { $0.contains("I cannot call anybody") && $0.contains("112") })
        #expect(read.allSatisfy { !$0.contains("I am calling") && !$0.contains("will be called") }, "\(read)")
    }

    @Test func `names the command that cancels where the house has no button`() {
        let notice = House.notice(windowEnd: House.at(9), call: .notYet)
        #expect(lines([.alarm(notice)], hasButton: false)[0].hasSuffix(" [homegateway abort]"))
        #expect(!lines([.alarm(notice)])[0].contains("homegateway"))
    }
}
