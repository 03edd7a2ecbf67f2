/// State of a party. Only an approved party gets tokens, copies and webhooks.
public enum PartyState: String, CaseIterable, Hashable, Sendable {
    /// Waits for the operator.
    case applied
    case approved
    /// The operator has stopped it for now.
    case suspended
    /// For ever. Its ID is taken until the company is removed.
    case closed

    /// State after an act of the operator; nil where the act is not possible.
    public func after(_ act: PartyAct) -> PartyState? {
        switch (self, act) {
        case (.applied, .approve), (.suspended, .approve): .approved
        case (.approved, .suspend): .suspended
        case (.applied, .close), (.approved, .close), (.suspended, .close): .closed
        default: nil
        }
    }
}

/// Act of the operator.
public enum PartyAct: String, CaseIterable, Hashable, Sendable {
    case approve, suspend, close
}
