import GatewayModel
public import RunBeacon

extension Passing {
    /// As the log has it of an earlier start of the machine.
    public var ofEarlierStart: RecordedPassing {
        let instant = BootInstant(nanoseconds: 0)
        return RecordedPassing(
            self, boot: "before", nearest: instant, first: instant, last: instant, passageBound: bound ?? .zero)
    }
}
