import ControlContract
import GatewayModel

/// Words of the installer's pages in one language. Conditions and coverage stay in the English of `status`.
struct SetupWords: Sendable {
    /// One text. Each language must have words for all of them.
    enum Text: Hashable, Sendable {
        case title, complete, done, open
        case left(Int)
        case drillRuns(String?)
        case people, termsAccepted, termsNotAccepted
        case radio, radioHears
        case wearables, neverHeard, wearIt, noWearables, pairWearable, notWalked
        case buttons, pressed, pressIt
        case testButtonOf(String)
        case ways, worked, notTried
        case drillFor(String)
        case screens, pairOne, newCode, role, personOf, nobody, deviceName, revoke
        case paired(Int)
        case useCode(String)
        case health, remedies
        case conditions(Int)
        case since(String)
    }

    private let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    func role(_ role: ControlSession.Role) -> String {
        switch (language, role) {
        case (.english, .room): "Screen of the room"
        case (.english, .person): "Device of the person"
        case (.english, .family): "Family"
        case (.english, .carer): "Carer"
        case (.english, .installer): "Installer"
        case (.english, .organiser): "Organiser of a race"
        case (.english, .anyone): "Visitor"
        case (.italian, .room): "Schermo della stanza"
        case (.italian, .person): "Dispositivo della persona"
        case (.italian, .family): "Famiglia"
        case (.italian, .carer): "Assistente"
        case (.italian, .installer): "Installatore"
        case (.italian, .organiser): "Organizzatore di una gara"
        case (.italian, .anyone): "Visitatore"
        }
    }

    private func english(_ text: Text) -> String {
        switch text {
        case .title: "Set up"
        case .complete: "Everything is set up"
        case .done: "Done"
        case .open: "To do"
        case .left(let count): count == 1 ? "1 step is left" : "\(count) steps are left"
        case .drillRuns(let name): "A drill runs" + (name.map { " for \($0)." } ?? ".")
        case .people: "People"
        case .termsAccepted: "the data policy and AutomatedSOS are accepted"
        case .termsNotAccepted: "nobody is called: the data policy or AutomatedSOS is not accepted"
        case .radio: "Radio"
        case .radioHears: "The radio works."
        case .wearables: "Wearables"
        case .neverHeard: "not heard yet"
        case .wearIt: "Put it on, and watch this line."
        case .noWearables: "No wearable yet."
        case .pairWearable: "Pair a wearable"
        case .notWalked: "No walk through the rooms since the gateway has started."
        case .buttons: "Buttons"
        case .pressed: "a press was heard"
        case .pressIt: "not heard yet: begin a test, then press it once"
        case .testButtonOf(let name):
            "Test the help button of \(name): for 2 minutes its first press calls no help"
        case .ways: "Ways to help"
        case .worked: "has worked"
        case .notTried: "not tried yet; a drill tries it"
        case .drillFor(let name): "Start a drill for \(name)"
        case .screens: "Screens and telephones"
        case .pairOne: "Pair a device"
        case .newCode: "A code for one device, for 5 minutes"
        case .role: "Use of the device"
        case .personOf: "Person"
        case .nobody: "nobody in particular"
        case .deviceName: "Name of the device or of its owner"
        case .revoke: "End"
        case .paired(let count): count == 1 ? "1 device is paired." : "\(count) devices are paired."
        case .useCode(let address): "Scan it with the device, or open \(address) there and type the code."
        case .health: "Health"
        case .remedies: "See the remedies"
        case .conditions(let count):
            count == 0
                ? "No condition: nothing is wrong." : count == 1 ? "1 condition" : "\(count) conditions"
        case .since(let age): "Began: \(age)"
        }
    }

    private func italian(_ text: Text) -> String {
        switch text {
        case .title: "Installazione"
        case .complete: "Tutto è pronto"
        case .done: "Fatto"
        case .open: "Da fare"
        case .left(let count): count == 1 ? "Manca 1 passo" : "Mancano \(count) passi"
        case .drillRuns(let name): "È in corso una prova" + (name.map { " per \($0)." } ?? ".")
        case .people: "Persone"
        case .termsAccepted: "l'informativa sui dati e AutomatedSOS sono accettati"
        case .termsNotAccepted:
            "nessuno viene chiamato: l'informativa sui dati o AutomatedSOS non è accettata"
        case .radio: "Radio"
        case .radioHears: "La radio funziona."
        case .wearables: "Sensori"
        case .neverHeard: "mai sentito"
        case .wearIt: "Indossalo e guarda questa riga."
        case .noWearables: "Ancora nessun sensore."
        case .pairWearable: "Abbina un sensore"
        case .notWalked: "Nessuna prova nelle stanze dall'avvio della centralina."
        case .buttons: "Pulsanti"
        case .pressed: "una pressione è stata sentita"
        case .pressIt: "mai sentito: avvia una prova, poi premilo una volta"
        case .testButtonOf(let name):
            "Prova il pulsante di aiuto di \(name): per 2 minuti la prima pressione non chiama aiuto"
        case .ways: "Vie di aiuto"
        case .worked: "ha funzionato"
        case .notTried: "non ancora provata; la prova la usa"
        case .drillFor(let name): "Avvia una prova per \(name)"
        case .screens: "Schermi e telefoni"
        case .pairOne: "Abbina un dispositivo"
        case .newCode: "Un codice per un dispositivo, per 5 minuti"
        case .role: "Uso del dispositivo"
        case .personOf: "Persona"
        case .nobody: "nessuno in particolare"
        case .deviceName: "Nome del dispositivo o di chi lo usa"
        case .revoke: "Termina"
        case .paired(let count): count == 1 ? "1 dispositivo abbinato." : "\(count) dispositivi abbinati."
        case .useCode(let address): "Inquadralo con il dispositivo, o apri \(address) e scrivi il codice."
        case .health: "Salute"
        case .remedies: "Vedi i rimedi"
        case .conditions(let count):
            count == 0 ? "Nessun problema." : count == 1 ? "1 problema" : "\(count) problemi"
        case .since(let age): "Inizio: \(age)"
        }
    }
}
