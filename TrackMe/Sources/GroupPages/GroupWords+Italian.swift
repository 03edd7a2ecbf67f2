import Groups

extension GroupWords {
    func italian(_ text: Text) -> String {
        switch text {
        case .title: "Statistiche di gruppo"
        case .isOff: "Non sei contato nelle statistiche di gruppo."
        case .isOn(let date):
            "Sei contato nelle statistiche di gruppo dal \(date), a partire dal lunedì successivo."
        case .tables(let count):
            count == 1 ? "Finora eri in una tabella." : "Finora eri in \(count) tabelle."
        case .meaning: "Che cosa significa"
        case .companies:
            "Le aziende possono chiedere come sta un gruppo di più di 1.000 persone. Nessuna azienda riceve così una tua misura."
        case .published(let days):
            "Una volta alla settimana, \(days) giorni dopo la domenica, questo server pubblica una tabella di conteggi: quante "
                + "persone di una zona, di una fascia di età e di un genere avevano la mediana settimanale in ciascuno di nove "
                + "intervalli, per battito, ossigeno nel sangue, pressione massima e glicemia."
        case .noise:
            "A ogni conteggio, anche dove non c'è nessuno, si aggiunge un numero casuale. Tutte le risposte a tutte le aziende "
                + "sono somme di queste tabelle."
        case .guarantee:
            "Garanzia: quello che tutte le aziende insieme concludono dalle tabelle di una settimana è al massimo e² = 7,4 "
                + "volte più probabile con te che senza di te. Per uno dei quattro tipi di dati il fattore è 1,65."
        case .attacker:
            "In altre parole: chi conosce i valori di tutti tranne te, e vede ogni numero di una tabella di un tipo, indovina "
                + "in 62 casi su 100 se ci sei. Con tutti e quattro i tipi: in 68. Con una moneta: in 50."
        case .year:
            "Un anno ha 52 tabelle, e quello che dicono si somma. Se i tuoi valori non cambiano mai, dopo un anno di un tipo "
                + "costui indovina in 96 casi su 100, e dopo un anno di quattro quasi sempre. Perciò nessuno promette che sia "
                + "anonimo per sempre."
        case .rule(.margin):
            "Per un gruppo di 1.000 persone o meno non c'è risposta. Questo server rifiuta anche gruppi di poco più grandi, con "
                + "un margine che il caso supera al massimo in una domanda su un milione. Perciò nessuna risposta dice se una "
                + "persona è in un gruppo."
        case .rule(.letter):
            "Per un gruppo di 1.000 persone o meno non c'è risposta. Questo server risponde per ogni gruppo da 1.001 persone in "
                + "su, come ha scelto il gestore. La risposta su un gruppo proprio di quella grandezza può dire se una persona "
                + "è dentro: lì la garanzia non vale."
        case .withdrawal:
            "Puoi smettere in ogni momento. Le tabelle successive non ti contano. Quelle pubblicate restano come sono: "
                + "nessuno può richiamarle."
        case .stored:
            "Per questo il server conserva il tuo anno di nascita, il tuo genere e la zona di casa tua. Sono cancellati quando "
                + "smetti, e tutto quando elimini il tuo account."
        case .switchOn: "Voglio essere contato"
        case .change: "Modifica"
        case .switchOff: "Non contarmi più"
        case .person: "Quale persona sei?"
        case .birthYear: "Anno di nascita"
        case .birthYearHint: "Per esempio 1948"
        case .gender: "Genere"
        case .genders(.female): "femminile"
        case .genders(.male): "maschile"
        case .genders(.other): "altro, o non detto"
        case .area: "Zona di casa tua"
        case .choose: "Scegli"
        case .agree:
            "Sono questa persona. Ho letto la garanzia e i suoi limiti, e voglio essere contato nelle statistiche di gruppo."
        case .noAreas: "Questo server non ha statistiche di gruppo: il gestore non ha indicato zone."
        case .noLink:
            "Prima collega il tuo account a te stesso, perché agisca per te: una persona conta una volta, con le misure di una casa."
        case .linkGone:
            "Il collegamento con la persona che avevi scelto è terminato. Finché non ne scegli un'altra non sei contato."
        case .areaGone: "La zona che avevi scelto non c'è più. Finché non ne scegli un'altra non sei contato."
        case .agreeFirst: "Senza il tuo consenso non sei contato."
        case .badGender: "Scegli un genere."
        case .badArea: "Scegli una zona dell'elenco."
        case .badLink: "Scegli una persona che ha accettato il tuo account."
        case .badYear: "Scrivi l'anno di nascita con quattro cifre."
        case .counted: "Un altro account conta già questa persona. Una persona conta una volta."
        }
    }
}
