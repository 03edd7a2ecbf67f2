import Glibc

/// Name of the person at the terminal.
enum AccountName {
    /// One account of passwd(5).
    struct Entry {
        let account: String
        /// Comment field: the full name, then room and telephone numbers, separated by commas.
        let comment: String

        /// Full name, or the account's name where the comment holds no name.
        var person: String {
            let name = comment.prefix { $0 != "," }.trimmed
            return name.isEmpty ? account : name
        }
    }

    /// Name of the logged-in user. Under sudo it is the user that called sudo, not root.
    static var current: String {
        let user = getuid()
        let caller = getenv("SUDO_USER").map { String(cString: $0) }
        return name(user: user, caller: caller, byID: entry(of:), byName: entry(named:))
    }

    /// - Parameters:
    ///   - caller: `SUDO_USER`. Used for root only: another user was not started by sudo.
    static func name(
        user: uid_t, caller: String?, byID: (uid_t) -> Entry?, byName: (String) -> Entry?
    ) -> String {
        if user == 0, let caller, !caller.isEmpty { return byName(caller)?.person ?? caller }
        return byID(user)?.person ?? "user \(user)"
    }

    private static func entry(of user: uid_t) -> Entry? { getpwuid(user).flatMap(entry) }

    private static func entry(named account: String) -> Entry? { getpwnam(account).flatMap(entry) }

    private static func entry(_ found: UnsafeMutablePointer<passwd>) -> Entry? {
        guard let account = found.pointee.pw_name else { return nil }
        let comment = found.pointee.pw_gecos.map { String(cString: $0) } ?? ""
        return Entry(account: String(cString: account), comment: comment)
    }
}

extension Substring {
    /// Text without blanks at both ends.
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
