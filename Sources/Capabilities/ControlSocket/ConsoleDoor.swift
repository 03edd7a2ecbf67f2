package import ControlContract
import ControlLink
package import Glibc
import RealTime

/// Socket of the console, the process with the pages. Only root, the account of the console's unit and the gateway's own
/// account may connect, and every request carries the session of a paired device.
///
/// Its file may be opened by every account, because the gateway may give it to no other one. The kernel's record of the
/// peer decides, before a byte is read.
package struct ConsoleDoor: Sendable {
    /// Account of the console's systemd unit.
    package static let account = "homegateway-console"
    package let path: String
    private let rights: ControlRights
    private let admitted: Set<uid_t>

    /// - Parameter admitted: accounts that may connect, root among them.
    package init(path: String, facts: ControlRights.Facts, admitted: Set<uid_t> = ConsoleDoor.accounts) {
        (self.path, self.admitted) = (path, admitted)
        rights = ControlRights(facts)
    }

    /// Root, the account of the console's unit where there is one, and the account of this process. Reads the accounts of
    /// the machine, which may block.
    package static var accounts: Set<uid_t> {
        Set([0, geteuid()] + [getpwnam(account)?.pointee.pw_uid].compactMap(\.self))
    }

    /// Listens. The mode admits all accounts to the file; `isAdmitted` decides.
    func listen() throws -> Int32 { try UnixSocket.listen(at: path, mode: 0o666) }

    /// Whether the process at the other end may ask.
    func isAdmitted(_ descriptor: Int32) -> Bool {
        UnixSocket.peer(of: descriptor).map(admitted.contains) ?? false
    }

    /// Returns the request as its session may make it. `follow` comes without a session, and gets the whole states.
    func admit(_ request: any ControlVerb, of session: ControlSession?) throws(ControlError) -> any ControlVerb
    {
        if let session { return try admitted(request, session) }
        guard request is Verb.Follow else {
            throw ControlError(
                "session: missing, expected the role, the person and the name of a session with every request but "
                    + "'follow'; is the console of another version?")
        }
        return request
    }

    private func admitted(
        _ request: some ControlVerb, _ session: ControlSession
    ) throws(ControlError) -> any ControlVerb {
        try rights.admit(request, of: session, at: Clock.boot())
    }
}
