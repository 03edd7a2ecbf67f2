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
            .alarm(notice), .progress(notice.alarm, .called), .progress(notice.alarm, .notReached),
            .progress(notice.alarm, .arrived), .ended(notice, accepted), .progress(notice.alarm, .called),
        ])
        #expect(
            read == [
                "*** Allarme per Giuseppe. Frequenza cardiaca troppo alta: 150 bpm (limite 131). "
                    + "Sto chiamando aiuto.",
                "*** Allarme per Giuseppe. Sto chiamando aiuto.",
                "*** Allarme per Giuseppe. Non è stato ancora possibile chiamare aiuto. Continuo a provare. "
                    + "Chiama aiuto tu.",
                "*** Allarme per Giuseppe. L'aiuto è stato chiamato e la chiamata è arrivata. Nessuno ha ancora "
                    + "risposto.",
                "*** Allarme per Giuseppe. Operatore 7 ha preso in carico la chiamata.",
            ])
    }

    @Test func `says nothing of a call where nobody may be called`() {
        let notice = House.notice(call: .trying)
        let read = lines([.alarm(notice), .progress(notice.alarm, .called)], mayCall: false)
        #expect(read.count == 1 && read[0].contains("Nobody is called"))
    }

    @Test func `names the command that cancels where the house has no button`() {
        let notice = House.notice(windowEnd: House.at(9), call: .notYet)
        #expect(lines([.alarm(notice)], hasButton: false)[0].hasSuffix(" [homegateway abort]"))
        #expect(!lines([.alarm(notice)])[0].contains("homegateway"))
    }
}
