import Accounts
import GatewayModel
import HTML
import PageSecurity

/// Password that a new user chooses, with the agreement.
enum ChosenPassword {
    static func fields(_ layout: Layout, _ errors: [String: Text]) -> HTML {
        layout.field(
            "password", .password, type: "password", complete: "new-password", hint: .passwordHint,
            error: errors["password"], most: Password.maximumBytes)
            + layout.field(
                "again", .passwordAgain, type: "password", complete: "new-password", error: errors["again"],
                most: Password.maximumBytes)
    }

    /// Returns the password of the form. Adds an error for each field of `fields` and `AgreementPage.question` that cannot be taken.
    static func read(
        _ context: RouteContext, for user: UserName, _ errors: inout [String: Text]
    ) -> Password? {
        if context.form["agree"] != "yes" { errors["agree"] = .agreeFirst }
        if context.form["again"] != context.form["password"] { errors["again"] = .passwordsDiffer }
        do throws(Password.Fault) {
            return try Password(chosen: context.form["password"] ?? "", for: user)
        } catch {
            errors["password"] = Text(error)
            return nil
        }
    }
}

extension Text {
    static let agreeFirst = Text(
        en: "Without your agreement there is no account.",
        it: "Senza il tuo consenso non c'è account.")
}
