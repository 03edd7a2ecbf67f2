package import ControlContract

/// Act that a page offers. Its roles are those of its verb at the gateway.
package enum ConsoleAct: Hashable, Sendable, CaseIterable {
    /// "I am fine".
    case abort
    case callHelp
    /// "I have it".
    case acceptAlarm
    /// "It is over".
    case resolve
    /// Yes to the request of a third party.
    case allow
    case refuse
    /// Leaves the request open.
    case later
    case withdraw

    private var verb: ControlRequest.Verb {
        switch self {
        case .abort: .abort
        case .callHelp: .callHelp
        case .acceptAlarm: .acceptAlarm
        case .resolve: .resolve
        // A right to decide includes the right to put the decision off.
        case .allow, .later: .accept
        case .refuse: .refuse
        case .withdraw: .withdraw
        }
    }

    /// False for the cancel of an alarm: a page that was pressed often must still obey.
    package var isLimited: Bool { self != .abort }

    /// Returns whether the gateway may admit the act from this role. The gateway checks it again, with the person.
    package func isOpen(to role: ControlSession.Role) -> Bool {
        ControlRights.extent(of: verb, for: role) != .no
    }
}
