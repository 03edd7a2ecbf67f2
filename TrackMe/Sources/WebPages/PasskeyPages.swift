import Accounts
import GatewayModel
import HTML
import PageSecurity
import Store

/// Passkeys of an account: list, addition and removal.
struct PasskeyPages: Sendable {
    /// Changes that the page lists.
    private static let mostChanges = 20

    /// Seconds for which a browser waits for its user.
    static let timeout = RelyingParty.challengeLifetime.components.seconds

    let parts: SiteParts
    let party: RelyingParty

    var routes: [Route] {
        [
            Route(PageFiles.passkeys),
            Route(.get, Places.passkeys.text, access: .signedIn) { context in
                try await list(context, status: Text(change: context.query["changed"]))
            },
            Route(.post, Places.passkeys.text, access: .signedIn, answer: add),
            Route(.post, Places.newPasskey.text, access: .signedIn, answer: begin),
            Route(.get, Places.newPasskeyOptions.text, access: .signedIn) { context in
                .json(Array(try await options(try context.signedIn()).utf8))
            },
            Route(.post, "\(Places.passkeys.text)/{passkey}/remove", access: .signedIn) { context in
                let account = try context.signedIn()
                let isRemoved = try await parts.stores.passkeys.remove(
                    short: try context.parameter("passkey"), of: account.id, at: parts.clock())
                return .redirect(to: isRemoved ? Places.passkeys.with("changed", "removed") : Places.passkeys)
            },
        ]
    }

    // MARK: List

    private func list(
        _ context: RouteContext, name: String = "", errors: [String: String] = [:],
        status: Text? = nil, warning: Text? = nil
    ) async throws -> WebAnswer {
        let account = try context.signedIn()
        let layout = Layout(context)
        let words = Words(context.language)
        let times = PageTimes(parts.calendar(of: context), layout.words)
        let passkeys = try await parts.stores.passkeys.passkeys(of: account.id)
        let changes = try await parts.stores.passkeys.changes(of: account.id, most: Self.mostChanges)
        let rows = passkeys.map { passkey in
            let used = passkey.used.map { words.say(.usedOn(times.text($0))) } ?? words.say(.neverUsed)
            return HTML(
                .li,
                content: HTML(.p, text: passkey.name.text),
                HTML(
                    .p, .set(.class, "hint"),
                    text: words.say(.addedOn(times.text(passkey.added))) + " " + used),
                layout.form(
                    Places.passkeys.appending(passkey.id.short).adding("/remove"),
                    content: layout.button(words.say(.remove), kind: "plain")))
        }
        let lines = changes.map {
            HTML(.li, text: times.text($0.at) + ": " + words.say(.change($0.change)))
        }
        let form = layout.form(
            Places.newPasskey,
            content: layout.field(
                "name", words.say(.name), value: name, complete: "off", hint: words.say(.nameHint),
                error: errors["name"], most: PasskeyName.length)
                + layout.field(
                    "current", words.say(.presentPassword), type: "password", complete: "current-password",
                    error: errors["current"], most: Password.maximumBytes)
                + HTML(.p, content: layout.button(words.say(.add), kind: "plain")))
        let main =
            (status.map { HTML(.p, .set(.role, "status"), text: words.say($0)) } ?? .none)
            + layout.warning(warning.map(words.say))
            + HTML(.p, text: words.say(.intro)) + HTML(.p, text: words.say(.stays))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.noPasskeys))
                : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
            + HTML(.h2, text: words.say(.add)) + form
            + (lines.isEmpty
                ? .none
                : HTML(.h2, text: words.say(.changes)) + HTML(.p, text: words.say(.changesHint))
                    + HTML(.ul, content: HTML(lines)))
        return .page(
            layout.page(title: words.say(.title), main: main),
            status: errors.isEmpty && warning == nil ? 200 : 422)
    }

    // MARK: Addition

    /// Checks the name and the password, and lets the browser make the passkey. A lost session gives nobody a passkey.
    private func begin(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        let (words, entered) = (Words(context.language), context.form["name"] ?? "")
        guard let name = PasskeyName(entered) else {
            return try await list(context, name: entered, errors: ["name": words.say(.badPasskeyName)])
        }
        switch await parts.verify(context.form["current"], of: account) {
        case .tooMany:
            return try await list(
                context, name: entered, errors: ["current": words.say(.tooManyAttempts)])
        case .wrong:
            return try await list(
                context, name: entered,
                errors: ["current": words.say(.wrongPassword)])
        case .good: break
        }
        guard try await parts.stores.passkeys.passkeys(of: account.id).count < Passkey.mostOfAccount else {
            return try await list(context, name: entered, warning: .tooManyPasskeys)
        }
        return .page(creation(context, account, name))
    }

    private func creation(_ context: RouteContext, _ account: Account, _ name: PasskeyName) -> Page {
        let layout = Layout(context)
        let words = Words(context.language)
        let form = layout.form(
            Places.passkeys,
            content: Layout.hidden("name", name.text) + Layout.hidden("client") + Layout.hidden("attestation")
                + layout.button(words.say(.create)))
        let bytes = party.challenge(.addition(to: account.id), for: context.formToken, at: parts.clock())
        let challenge = HTML(
            void: .input, .set(.type, "hidden"), .set(.id, PasskeyScript.challenge),
            .set(.value, Base64URL.encode(bytes)))
        let main =
            HTML(.p, text: words.say(.createIntro(name.text)))
            + HTML(.p, .set(.id, PasskeyScript.unable), .set(.class, "warn"), text: words.say(.unable))
            + HTML(
                .section, .set(.id, PasskeyScript.part), .set(.class, "hidden"),
                .set(.dataPage, Places.newPasskeyOptions.text),
                content: Layout.hiddenWarning(PasskeyScript.failed, words.say(.notMade)),
                Layout.hiddenWarning(PasskeyScript.known, words.say(.deviceHasOne)), challenge, form)
            + HTML(.p, content: HTML(.a, .href(Places.passkeys), text: words.say(.backToPasskeys)))
        return layout.page(title: words.say(.add), script: PageFiles.passkeys.place, main: main)
    }

    /// `PublicKeyCredentialCreationOptions` but for the challenge, with bytes as base64url.
    private func options(_ account: Account) async throws -> String {
        let known = try await parts.stores.passkeys.passkeys(of: account.id)
        let user = JSONText.quoted(account.user.text)
        let algorithms = party.algorithms.map { #"{"type":"public-key","alg":\#($0)}"# }
        let excluded = known.map {
            #"{"type":"public-key","id":"\#(Base64URL.encode($0.id.bytes))"}"#
        }
        return #"{"rp":{"id":\#(JSONText.quoted(party.id)),"#
            + #""name":\#(JSONText.quoted(Words(account.language).say(.product)))},"#
            + #""user":{"id":"\#(Base64URL.encode(party.userHandle(of: account.id)))","name":\#(user),"#
            + #""displayName":\#(user)},"pubKeyCredParams":[\#(algorithms.joined(separator: ","))],"#
            + #""excludeCredentials":[\#(excluded.joined(separator: ","))],"timeout":\#(Self.timeout * 1_000),"#
            + #""attestation":"none","authenticatorSelection":{"residentKey":"required","#
            + #""requireResidentKey":true,"userVerification":"required"}}"#
    }

    private func add(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        guard let name = PasskeyName(context.form["name"] ?? ""),
            let client = Base64URL.decode(context.form["client"] ?? ""),
            let attestation = Base64URL.decode(context.form["attestation"] ?? "")
        else { throw Problem(.badRequest, "the form has no passkey") }
        let now = parts.clock()
        let new: (id: PasskeyID, key: PasskeyKey, counter: UInt32)
        do throws(PasskeyFault) {
            new = try party.verify(
                PasskeyRegistration(clientData: client, attestation: attestation), of: account.id,
                for: context.formToken, at: now)
        } catch {
            return try await list(context, name: name.text, warning: Text(error))
        }
        switch try await parts.stores.passkeys.add(
            Passkey(
                id: new.id, account: account.id, key: new.key, name: name, counter: new.counter, added: now))
        {
        case .done: return .redirect(to: Places.passkeys.with("changed", "added"))
        case .exists: return try await list(context, name: name.text, warning: .exists)
        case .tooMany: return try await list(context, name: name.text, warning: .tooManyPasskeys)
        }
    }
}

extension Text {
    static let intro = Text(
        en:
            "A passkey is a key in your phone, your computer or a security key. It signs you in after your fingerprint, your "
            + "face or your PIN, without a user name and a password, also while strangers try passwords for your name.",
        it:
            "Una passkey è una chiave nel telefono, nel computer o in una chiavetta di sicurezza. Ti fa accedere con "
            + "l’impronta, il volto o il PIN, senza nome utente e senza password, anche mentre degli sconosciuti provano "
            + "password per il tuo nome.")
    static let stays = Text(
        en:
            "A new password removes no passkey. Remove the passkey of a device that you have lost or given away.",
        it: "Una nuova password non toglie nessuna passkey. Togli la passkey di un dispositivo perso o ceduto.")
    static let nameHint = Text(
        en: "For example: my phone, or: key at the desk.",
        it: "Per esempio: il mio telefono, oppure: chiavetta della centrale.")
    static let badPasskeyName = Text(
        en: "Write a name, with \(PasskeyName.length) characters at most.",
        it: "Scrivi un nome di \(PasskeyName.length) caratteri al massimo.")
    static let presentPassword = Text(en: "Present password", it: "Password attuale")
    static let backToPasskeys = Text(en: "Back to the passkeys", it: "Torna alle passkey")
    static func addedOn(_ time: String) -> Text {
        Text(en: "Added on \(time).", it: "Aggiunta il \(time).")
    }
    static func usedOn(_ time: String) -> Text {
        Text(en: "Last sign-in on \(time).", it: "Ultimo accesso il \(time).")
    }
    static let neverUsed = Text(en: "No sign-in yet.", it: "Ancora nessun accesso.")
    static let added = Text(
        en: "The passkey is added. You can sign in with it from now on.",
        it: "La passkey è stata aggiunta. Da ora puoi usarla per accedere.")
    static let tooManyPasskeys = Text(
        en: "You have \(Passkey.mostOfAccount) passkeys, which is the most. Remove one first.",
        it: "Hai \(Passkey.mostOfAccount) passkey, il massimo. Prima togline una.")
    static let exists = Text(
        en: "This passkey is known already. It was not added.",
        it: "Questa passkey è già nota. Non è stata aggiunta.")
    static let changes = Text(en: "Changes", it: "Modifiche")
    static let changesHint = Text(
        en:
            "Is there one that you did not make? Remove the passkey, change your password, and tell the operator.",
        it: "Ce n’è una che non hai fatto tu? Togli la passkey, cambia la password e avvisa il gestore.")
    static func change(_ passkeyChange: PasskeyChange) -> Text {
        switch passkeyChange {
        case .added: Text(en: "a passkey was added", it: "è stata aggiunta una passkey")
        case .removed: Text(en: "a passkey was removed", it: "è stata tolta una passkey")
        case .reset:
            Text(
                en: "the operator gave the account another password, and removed a passkey",
                it: "il gestore ha dato all’account un’altra password e ha tolto una passkey")
        case .copied:
            Text(
                en: "a sign-in was refused, because there may be a copy of a passkey",
                it: "un accesso è stato rifiutato, perché forse esiste una copia di una passkey")
        }
    }
    static func createIntro(_ name: String) -> Text {
        Text(
            en: "Your browser now makes the passkey \u{201C}\(name)\u{201D}, and asks where to keep it.",
            it: "Ora il browser crea la passkey «\(name)» e chiede dove conservarla.")
    }
    static let create = Text(en: "Make the passkey", it: "Crea la passkey")
    static let unable = Text(
        en: "This browser makes no passkeys here: it has none, or it does not run the script of this page.",
        it: "Questo browser qui non crea passkey: non le conosce, oppure non esegue lo script di questa pagina."
    )
    static let notMade = Text(
        en: "No passkey was made. Try again.",
        it: "Nessuna passkey è stata creata. Riprova.")
    static let deviceHasOne = Text(
        en: "This device has a passkey for your account already.",
        it: "Questo dispositivo ha già una passkey per il tuo account.")
}
