import Accounts
import HTML

/// Places of the server.
enum Places {
    static let root: HTML.Place = "/"
    static let signIn: HTML.Place = "/sign-in"
    static let passkeySignIn: HTML.Place = "/sign-in/passkey"
    static let passkeyOptions: HTML.Place = "/sign-in/passkey/options"
    static let signOut: HTML.Place = "/sign-out"
    static let register: HTML.Place = "/register"
    static let invitation: HTML.Place = "/invitation"
    static let agreement: HTML.Place = "/agreement"
    static let sharing: HTML.Place = "/sharing"
    static let parties: HTML.Place = "/parties/register"
    static let data: HTML.Place = "/data"
    static let desk: HTML.Place = "/desk"
    static let fleet: HTML.Place = "/fleet"
    static let runs: HTML.Place = "/runs"
    static let links: HTML.Place = "/links"
    static let groups: HTML.Place = "/groups"
    static let sessions: HTML.Place = "/sessions"
    static let endOtherSessions: HTML.Place = "/sessions/end-others"
    static let account: HTML.Place = "/account"
    static let deleteAccount: HTML.Place = "/account/delete"
    static let password: HTML.Place = "/account/password"

    static let passkeys: HTML.Place = "/account/passkeys"
    static let newPasskeyOptions: HTML.Place = "/account/passkeys/options"
    static let newPasskey: HTML.Place = "/account/passkeys/new"

    /// Page after signing in.
    static func first(of role: AccountRole) -> HTML.Place {
        switch role {
        case .person: data
        case .dispatcher: desk
        case .installer: fleet
        }
    }
}
