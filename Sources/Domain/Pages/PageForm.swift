import HTML

/// Form that does one act. It works without script: the server answers with a page to go to.
struct PageForm {
    /// Name of the field of the form token.
    static let tokenField = "token"

    let action: HTML.Place
    /// Empty in the content of a stream, which all sessions of a kind share: the script fills it in.
    let token: String

    /// - Parameters:
    ///   - fields: hidden fields, name and value.
    ///   - accessibleLabel: name of the button where `label` alone does not tell it from others of the page.
    ///   - other: second button, which does another act with the same fields.
    ///   - isFirst: whether the button has the focus when the page opens.
    func button(
        _ label: String, kind: StaticString, fields: [(String, String)] = [], inputs: HTML = .none,
        label accessibleLabel: String? = nil, isFirst: Bool = false, isGuarded: Bool = false,
        other: (label: String, action: HTML.Place)? = nil
    ) -> HTML {
        let hidden = ([(Self.tokenField, token)] + fields).map {
            HTML(void: .input, .set(.type, "hidden"), .set(.name, $0.0), .set(.value, $0.1))
        }
        return HTML(
            .form, .set(.method, "post"), .action(action), .set(.class, "act"),
            content: HTML(hidden), inputs,
            HTML(
                .button, .set(.type, "submit"), .set(.class, kind.description),
                accessibleLabel.map { .set(.ariaLabel, $0) },
                isFirst ? .flag(.autofocus) : nil, isGuarded ? .set(.dataGuard, 500) : nil, text: label),
            other.map {
                HTML(
                    .button, .set(.type, "submit"), .set(.class, kind.description), .formaction($0.action),
                    text: $0.label)
            } ?? .none)
    }
}
