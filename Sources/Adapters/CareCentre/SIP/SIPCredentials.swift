/// Who this box is at the centre's SIP server.
struct SIPCredentials: Sendable, CustomStringConvertible {
    let user: String
    let password: String

    /// Without the password: this may end in a log.
    var description: String { "user \(user)" }
}
