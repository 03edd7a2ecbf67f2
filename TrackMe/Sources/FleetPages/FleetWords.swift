import GatewayModel
import Store

/// Sentences of the fleet in one language. Remedies are in the gateway's English.
struct FleetWords: Sendable {
    enum Text: Hashable, Sendable {
        case boxesOf(String)
        case boxes, noBoxes, lost
        case summary(Int, away: Int, alarms: Int)
        case box, state, lastSeen, alarms, worst, version
        case andMore(Int)
        case present, away, neverSeen, toldNothing
        /// Seconds.
        case age(Int64)
        case unknownCondition(String)
        case updateServer, conditions, noConditions, wearables, noWearables
        case seen(String)
        case versionIs(String)
        case interval(Int)
        case unsent(Int)
        case onBattery(Int?)
        case openAlarms(Int)
        case heartbeat, heartbeatHint, setHeartbeat, send, badSeconds, tooManyCommands
        case commands, noCommands
        case command(Int, by: String)
        case commandState(CommandState, String?)
        case add, addIntro, code, codeHint, addIt, oldCode, badCode, tooManyTries
        case refused(FleetRefusal)
        case remove
        case removeQuestion(String)
        case removeExplained, yesRemove, keep, back
    }

    let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    private func english(_ text: Text) -> String {
        switch text {
        case .boxesOf(let fleet): "Boxes of \(fleet)"
        case .boxes: "Boxes"
        case .noBoxes: "The fleet has no box yet."
        case .lost: "This page has lost the server: its content may be old. Reload it."
        case .summary(let count, let away, let alarms):
            "\(count) \(count == 1 ? "box" : "boxes"), \(away) away, \(alarms) open \(alarms == 1 ? "alarm" : "alarms")"
        case .box: "Box"
        case .state: "State"
        case .lastSeen: "Last seen"
        case .alarms: "Open alarms"
        case .worst: "To be done"
        case .version: "Version"
        case .andMore(let count): "and \(count) more"
        case .present: "there"
        case .away: "AWAY"
        case .neverSeen: "never seen"
        case .toldNothing:
            "The box has told nothing yet. Check that it runs, and that its broker is that of this server."
        case .age(let seconds):
            seconds < 120
                ? "\(seconds) s ago"
                : seconds < 7_200
                    ? "\(seconds / 60) min ago"
                    : seconds < 172_800 ? "\(seconds / 3_600) h ago" : "\(seconds / 86_400) days ago"
        case .unknownCondition(let code): "The box reports \(code)"
        case .updateServer: "This server does not know the condition yet: update it, or see the box itself."
        case .conditions: "Conditions"
        case .noConditions: "None."
        case .wearables: "Wearables, with their last readings"
        case .noWearables: "None was heard yet."
        case .seen(let age): "Last sign of life: \(age)"
        case .versionIs(let version): "Version \(version)"
        case .interval(let seconds): "A sign of life each \(seconds) s"
        case .unsent(let count): "\(count) messages wait in the box"
        case .onBattery(let percent): "On its battery" + (percent.map { ", \($0) %" } ?? "")
        case .openAlarms(let count): count == 1 ? "An alarm is open" : "\(count) alarms are open"
        case .heartbeat: "Seconds between two signs of life"
        case .heartbeatHint: "10 to 86400. An absent box is shown after three of them and 10 s."
        case .setHeartbeat: "How often the box tells that it is there"
        case .send: "Send the command"
        case .badSeconds: "Write a whole number from 10 to 86400."
        case .tooManyCommands: "The box has been sent too many commands today: try again tomorrow."
        case .commands: "Commands"
        case .noCommands: "None yet."
        case .command(let seconds, let by): "A sign of life each \(seconds) s, sent by \(by)"
        case .commandState(let state, let reason):
            switch state {
            case .sent: "on its way, signed"
            case .done: "done, with the signed receipt of the box"
            case .refused: "refused by the box" + (reason.map { ": \($0)" } ?? "")
            case .noAnswer: "no answer in 23 hours"
            }
        case .add: "Add a box"
        case .addIntro: "On the box run this command, and paste its output here within an hour:"
        case .code: "Code of the box"
        case .codeHint: "It starts with ey, and has about 300 characters."
        case .addIt: "Add the box"
        case .oldCode: "This code is older than an hour. Run the command again."
        case .badCode: "This is no code of a box. Copy the whole line that the command prints."
        case .tooManyTries: "Too many wrong codes. Wait a minute."
        case .refused(.otherKey):
            "The server knows a box of this name with another key. Give the new box a name of its own, or have the operator replace the key."
        case .refused(.otherFleet): "Another fleet has this box. Its installers or the operator give it free."
        case .refused(.tooMany): "The fleet has as many boxes as it can hold."
        case .refused(.notInFleet): "The box has left the fleet."
        case .remove: "Take the box out of the fleet"
        case .removeQuestion(let box): "Take \(box) out of the fleet?"
        case .removeExplained:
            "The box goes on as before. This fleet does not see it any more. It can be added again by a new code."
        case .yesRemove: "Yes, take it out"
        case .keep: "No, keep it"
        case .back: "All boxes"
        }
    }

    private func italian(_ text: Text) -> String {
        switch text {
        case .boxesOf(let fleet): "Centraline di \(fleet)"
        case .boxes: "Centraline"
        case .noBoxes: "La flotta non ha ancora centraline."
        case .lost: "Questa pagina ha perso il server: ciò che mostra può essere vecchio. Ricaricala."
        case .summary(let count, let away, let alarms):
            "\(count) \(count == 1 ? "centralina" : "centraline"), \(away) \(away == 1 ? "assente" : "assenti"), \(alarms) \(alarms == 1 ? "allarme aperto" : "allarmi aperti")"
        case .box: "Centralina"
        case .state: "Stato"
        case .lastSeen: "Ultimo segnale"
        case .alarms: "Allarmi aperti"
        case .worst: "Da fare"
        case .version: "Versione"
        case .andMore(let count): count == 1 ? "e un'altra cosa" : "e altre \(count) cose"
        case .present: "presente"
        case .away: "ASSENTE"
        case .neverSeen: "mai vista"
        case .toldNothing:
            "La centralina non ha ancora detto nulla. Controlla che funzioni e che il suo broker sia quello di questo server."
        case .age(let seconds):
            seconds < 120
                ? "\(seconds) s fa"
                : seconds < 7_200
                    ? "\(seconds / 60) min fa"
                    : seconds < 172_800 ? "\(seconds / 3_600) ore fa" : "\(seconds / 86_400) giorni fa"
        case .unknownCondition(let code): "La centralina segnala \(code)"
        case .updateServer:
            "Questo server non conosce ancora la condizione: aggiornalo, o guarda sulla centralina stessa."
        case .conditions: "Condizioni"
        case .noConditions: "Nessuna."
        case .wearables: "Sensori, con le ultime letture"
        case .noWearables: "Nessuno è stato ancora sentito."
        case .seen(let age): "Ultimo segnale: \(age)"
        case .versionIs(let version): "Versione \(version)"
        case .interval(let seconds): "Un segnale ogni \(seconds) s"
        case .unsent(let count): "\(count) messaggi aspettano nella centralina"
        case .onBattery(let percent): "A batteria" + (percent.map { ", \($0) %" } ?? "")
        case .openAlarms(let count): count == 1 ? "Un allarme è aperto" : "\(count) allarmi sono aperti"
        case .heartbeat: "Secondi tra due segnali"
        case .heartbeatHint: "Da 10 a 86400. Una centralina assente si vede dopo tre di questi e 10 s."
        case .setHeartbeat: "Quanto spesso la centralina dice di esserci"
        case .send: "Invia il comando"
        case .badSeconds: "Scrivi un numero intero da 10 a 86400."
        case .tooManyCommands: "Oggi la centralina ha ricevuto troppi comandi: riprova domani."
        case .commands: "Comandi"
        case .noCommands: "Ancora nessuno."
        case .command(let seconds, let by): "Un segnale ogni \(seconds) s, inviato da \(by)"
        case .commandState(let state, let reason):
            switch state {
            case .sent: "in viaggio, firmato"
            case .done: "eseguito, con la ricevuta firmata della centralina"
            case .refused: "rifiutato dalla centralina" + (reason.map { ": \($0)" } ?? "")
            case .noAnswer: "nessuna risposta in 23 ore"
            }
        case .add: "Aggiungi una centralina"
        case .addIntro: "Sulla centralina esegui questo comando, e incolla qui entro un'ora ciò che stampa:"
        case .code: "Codice della centralina"
        case .codeHint: "Comincia con ey e ha circa 300 caratteri."
        case .addIt: "Aggiungi la centralina"
        case .oldCode: "Questo codice ha più di un'ora. Esegui di nuovo il comando."
        case .badCode: "Questo non è il codice di una centralina. Copia tutta la riga che il comando stampa."
        case .tooManyTries: "Troppi codici sbagliati. Aspetta un minuto."
        case .refused(.otherKey):
            "Il server conosce una centralina con questo nome e un'altra chiave. Dai alla nuova un nome suo, o fai sostituire la chiave dal gestore."
        case .refused(.otherFleet):
            "Questa centralina è di un'altra flotta. La liberano i suoi installatori o il gestore."
        case .refused(.tooMany): "La flotta ha tutte le centraline che può avere."
        case .refused(.notInFleet): "La centralina ha lasciato la flotta."
        case .remove: "Togli la centralina dalla flotta"
        case .removeQuestion(let box): "Togliere \(box) dalla flotta?"
        case .removeExplained:
            "La centralina continua come prima. Questa flotta non la vede più. Si può aggiungere di nuovo con un nuovo codice."
        case .yesRemove: "Sì, togli"
        case .keep: "No, tienila"
        case .back: "Tutte le centraline"
        }
    }
}
