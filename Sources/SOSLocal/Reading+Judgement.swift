public import GatewayModel

extension Reading {
    /// Why the rules leave it out; nil for a plausible value of now, of a sensor that touches the skin.
    public var reasonNotToJudge: SOSAction.Unjudged? {
        if currency == .history { return .history }
        if contact == .lost { return .contactLost }
        if !quantity.isPlausible { return .implausible }
        return nil
    }
}
