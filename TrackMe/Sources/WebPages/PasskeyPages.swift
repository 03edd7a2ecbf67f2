import Accounts
import GatewayModel
import HTML
import PageSecurity
import Passkeys
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
                try await list(context, status: PasskeyWords.Text(change: context.query["changed"]))
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
        status: PasskeyWords.Text? = nil, warning: PasskeyWords.Text? = nil
    ) async throws -> WebAnswer {
        let account = try context.signedIn()
        let layout = Layout(context)
        let words = PasskeyWords(context.language)
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
                    "current", words.say(.password), type: "password", complete: "current-password",
                    error: errors["current"], most: Password.maximumBytes)
                + HTML(.p, content: layout.button(words.say(.add), kind: "plain")))
        let main =
            (status.map { HTML(.p, .set(.role, "status"), text: words.say($0)) } ?? .none)
            + layout.warning(warning.map(words.say))
            + HTML(.p, text: words.say(.intro)) + HTML(.p, text: words.say(.stays))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.none))
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
        let (words, entered) = (PasskeyWords(context.language), context.form["name"] ?? "")
        guard let name = PasskeyName(entered) else {
            return try await list(context, name: entered, errors: ["name": words.say(.badName)])
        }
        switch await parts.verify(context.form["current"], of: account) {
        case .tooMany:
            return try await list(
                context, name: entered, errors: ["current": Words(context.language).say(.tooManyAttempts)])
        case .wrong:
            return try await list(
                context, name: entered,
                errors: ["current": MyDataWords(context.language).say(.wrongPassword)])
        case .good: break
        }
        guard try await parts.stores.passkeys.passkeys(of: account.id).count < Passkey.mostOfAccount else {
            return try await list(context, name: entered, warning: .tooMany)
        }
        return .page(creation(context, account, name))
    }

    private func creation(_ context: RouteContext, _ account: Account, _ name: PasskeyName) -> Page {
        let layout = Layout(context)
        let words = PasskeyWords(context.language)
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
            + HTML(.p, content: HTML(.a, .href(Places.passkeys), text: words.say(.back)))
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
            return try await list(context, name: name.text, warning: PasskeyWords.Text(error))
        }
        switch try await parts.stores.passkeys.add(
            Passkey(
                id: new.id, account: account.id, key: new.key, name: name, counter: new.counter, added: now))
        {
        case .done: return .redirect(to: Places.passkeys.with("changed", "added"))
        case .exists: return try await list(context, name: name.text, warning: .exists)
        case .tooMany: return try await list(context, name: name.text, warning: .tooMany)
        }
    }
}
