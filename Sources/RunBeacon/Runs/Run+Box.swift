public import GatewayModel

extension Run {
    /// Where the box `gateway` stands: the checkpoint that names it, or the only one where it names none and nobody
    /// carries the box.
    public func checkpoint(of gateway: GatewayID) -> Checkpoint? {
        if let named = checkpoints.first(where: { $0.box == gateway }) { return named }
        guard checkpoints.count == 1, carrier(of: gateway) == nil else { return nil }
        return checkpoints.first { $0.box == nil }
    }

    /// Who carries the box `gateway`.
    public func carrier(of gateway: GatewayID) -> Bib? { participants.first { $0.carries == gateway }?.bib }
}
