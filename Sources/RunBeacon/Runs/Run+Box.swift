public import GatewayModel

extension Run {
    /// Where the box `gateway` stands: the checkpoint that names it, or the only one where it names none.
    public func checkpoint(of gateway: GatewayID) -> Checkpoint? {
        if let named = checkpoints.first(where: { $0.box == gateway }) { return named }
        return checkpoints.count == 1 ? checkpoints.first { $0.box == nil } : nil
    }
}
