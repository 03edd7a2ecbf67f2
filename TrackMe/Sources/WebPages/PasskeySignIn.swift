import Accounts
import GatewayModel
import HTML
import PageSecurity
import Store

/// Signing in by a passkey, without a name and a password.
struct PasskeySignIn: Sendable {
    /// Reason for which a passkey did not sign in, in the query of the page to sign in.
    enum Refusal: String {
        case refused, late, copied, disabled, busy
    }

    let parts: SiteParts
    let party: RelyingParty

    var routes: [Route] {
        [
            Route(.get, Places.passkeyOptions.text, access: .everybody) { context in
                .json(Array(options(context).utf8))
            },
            Route(.post, Places.passkeySignIn.text, access: .everybody) { context in
                switch try await signIn(context) {
                case .success(let answer): answer
                case .failure(let refusal):
                    .redirect(to: Places.signIn.with("passkey", refusal.rawValue))
                }
            },
        ]
    }

    /// Part of the page to sign in. The script shows it where the browser has passkeys.
    static func part(_ layout: Layout, _ words: Words) -> HTML {
        let fields = ["credential", "client", "authenticator", "signature", "handle"]
        return HTML(
            .section, .set(.id, PasskeyScript.part), .set(.class, "hidden"),
            .set(.dataPage, Places.passkeyOptions.text),
            content: Layout.hiddenWarning(PasskeyScript.failed, words.say(.notUsed)),
            layout.form(
                Places.passkeySignIn,
                content: HTML(fields.map { Layout.hidden($0) })
                    + HTML(.p, content: layout.button(words.say(.signInByPasskey), kind: "plain"))))
    }

    /// `PublicKeyCredentialRequestOptions` without a list of passkeys: the device knows those of the server.
    private func options(_ context: RouteContext) -> String {
        let challenge = party.challenge(.signIn, for: context.formToken, at: parts.clock())
        return #"{"challenge":"\#(Base64URL.encode(challenge))","rpId":\#(JSONText.quoted(party.id)),"#
            + #""userVerification":"required","timeout":\#(PasskeyPages.timeout * 1_000)}"#
    }

    private enum Result {
        case success(WebAnswer)
        case failure(Refusal)
    }

    private func signIn(_ context: RouteContext) async throws -> Result {
        func bytes(_ name: String) throws(Problem) -> [UInt8] {
            guard let bytes = Base64URL.decode(context.form[name] ?? "") else {
                throw Problem(.badRequest, "the form has no passkey")
            }
            return bytes
        }
        let answer = PasskeyAssertion(
            clientData: try bytes("client"), authenticatorData: try bytes("authenticator"),
            signature: try bytes("signature"), userHandle: try bytes("handle"))
        let id = PasskeyID(try bytes("credential"))
        var found: (passkey: Passkey, account: Account)?
        if let id, let passkey = try await parts.stores.passkeys.passkey(id),
            let account = try await parts.stores.accounts.account(passkey.account)
        {
            found = (passkey, account)
        }
        let attempt: Attempt =
            if let account = found?.account, let browser = try await parts.knownBrowser(context, of: account) {
                .known(browser, to: account)
            } else {
                .passkey(from: context.request.client)
            }
        guard parts.gate.begin(attempt, at: parts.bootClock()) else { return .failure(.busy) }
        guard let found else {
            parts.gate.end(attempt, isGood: false)
            return .failure(.refused)
        }
        if let refusal = try await check(answer, of: found.passkey, context) {
            parts.gate.end(attempt, isGood: false)
            return .failure(refusal)
        }
        parts.gate.end(attempt, isGood: true)
        guard found.account.disabled == nil else { return .failure(.disabled) }
        if let old = context.session { try await parts.stores.accounts.end(old.id) }
        return .success(try await parts.signIn(found.account.id, as: found.account.role, context))
    }

    /// Nil for a sound answer, which is recorded and not taken again.
    private func check(
        _ answer: PasskeyAssertion, of passkey: Passkey, _ context: RouteContext
    ) async throws -> Refusal? {
        let now = parts.clock()
        let (counter, challenged): (UInt32, WallTime)
        do throws(PasskeyFault) {
            (counter, challenged) = try party.verify(
                answer, of: passkey, for: context.formToken, at: now)
        } catch {
            return error == .tooLate ? .late : .refused
        }
        return
            switch try await parts.stores.passkeys.use(
                passkey.id, counter: counter, challenged: challenged, at: now)
        {
        case .done: nil
        case .repeated: .refused
        case .copied: .copied
        }
    }
}

extension Text {
    static let signInByPasskey = Text(en: "Sign in with a passkey", it: "Accedi con una passkey")
    static let notUsed = Text(
        en: "You are not signed in. Try again, or use your password.",
        it: "L’accesso non è riuscito. Riprova, oppure usa la password.")
}
