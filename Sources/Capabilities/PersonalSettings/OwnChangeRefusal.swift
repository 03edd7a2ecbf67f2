import CloudCommands
import ControlContract
import GatewayModel
import Vault

/// Reason for which a person's values stay as they are.
struct OwnChangeRefusal: Error, Sendable {
    let reason: CommandRefusal.Reason
    /// For the person at the box.
    let text: String
    /// For a receipt: without personal data.
    let detail: String

    /// For pages.
    var code: RefusalCode? {
        switch reason {
        case .wrongValue: .wrongText
        case .outOfBounds: .outOfBounds
        case .unknownPerson: .unknownPerson
        case .notAllowed: .notADecider
        case .busy: .busy
        case .notKept: .notKept
        default: nil
        }
    }

    private init(_ reason: CommandRefusal.Reason, _ text: String, detail: String? = nil) {
        (self.reason, self.text, self.detail) = (reason, text, detail ?? text)
    }

    init(_ flaw: ProfileFlaw) {
        self.init(.wrongValue, flaw.text, detail: flaw.textWithoutValue)
    }

    static func outOfBounds(_ text: String) -> OwnChangeRefusal { OwnChangeRefusal(.outOfBounds, text) }

    static func unknown(_ person: PersonID) -> OwnChangeRefusal {
        OwnChangeRefusal(.unknownPerson, "no person '\(person)' in the settings; see: homegateway status")
    }

    static func notAllowed(_ name: String, for person: PersonID) -> OwnChangeRefusal {
        let expected = "'\(person)', the person's name in the settings, or a name of their decided_by"
        return OwnChangeRefusal(
            .notAllowed, "by: saw '\(name)', expected \(expected): say who decides with --by",
            detail: "the settings do not name this sender in decided_by of the person")
    }

    static let busy = OwnChangeRefusal(.busy, "another change is being written: try again in a moment")

    static let unreadable = OwnChangeRefusal(
        .notKept,
        "state.sqlite could not be read at the start, so nothing is written over it: restart the gateway, see: homegateway status"
    )

    static func notKept(_ failure: DiskFailure) -> OwnChangeRefusal {
        OwnChangeRefusal(.notKept, "nothing has changed: \(failure)", detail: CommandRefusal.notKept.detail)
    }
}
