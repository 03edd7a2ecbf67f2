import GatewayModel

extension Text {
    static func tables(_ count: Int) -> Text {
        Text(
            en: count == 1
                ? "You were in one table until now." : "You were in \(count) tables until now.",
            it: count == 1 ? "Finora eri in una tabella." : "Finora eri in \(count) tabelle.")
    }
    static let noise = Text(
        en:
            "A random number is added to each count, also where there is nobody. All answers to all companies are sums over "
            + "these tables.",
        it:
            "A ogni conteggio, anche dove non c'è nessuno, si aggiunge un numero casuale. Tutte le risposte a tutte le aziende "
            + "sono somme di queste tabelle.")
    static func rule(_ groupRule: GroupRule) -> Text {
        switch groupRule {
        case .margin:
            Text(
                en:
                    "A group of 1,000 people or fewer gets no answer. This server also refuses groups a little above, by a margin that "
                    + "chance bridges in one of a million questions at most. So no acceptance tells whether one person is in a "
                    + "group.",
                it:
                    "Per un gruppo di 1.000 persone o meno non c'è risposta. Questo server rifiuta anche gruppi di poco più grandi, con "
                    + "un margine che il caso supera al massimo in una domanda su un milione. Perciò nessuna risposta dice se una "
                    + "persona è in un gruppo.")
        case .letter:
            Text(
                en:
                    "A group of 1,000 people or fewer gets no answer. This server answers for each group from 1,001 people on, as its "
                    + "operator has chosen. The acceptance of a group of just that size can tell whether one person is in it: there "
                    + "the guarantee does not hold.",
                it:
                    "Per un gruppo di 1.000 persone o meno non c'è risposta. Questo server risponde per ogni gruppo da 1.001 persone in "
                    + "su, come ha scelto il gestore. La risposta su un gruppo proprio di quella grandezza può dire se una persona "
                    + "è dentro: lì la garanzia non vale.")
        }
    }
    static func genders(_ gender: Gender) -> Text {
        switch gender {
        case .female: Text(en: "female", it: "femminile")
        case .male: Text(en: "male", it: "maschile")
        case .other: Text(en: "other, or not said", it: "altro, o non detto")
        }
    }
}
