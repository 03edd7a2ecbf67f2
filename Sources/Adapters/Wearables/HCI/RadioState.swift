/// What the controller's scanner does, as pieced together from everybody's commands and the answers.
struct RadioState: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        case began, ended
    }

    /// The scan that runs; nil where none does, or none was seen to start.
    private(set) var scan: ScanConditions?
    private var sentParameters: ObservedCommand?
    private var sentEnable: ObservedCommand?
    /// What the controller has agreed to.
    private var parameters: ObservedCommand?

    mutating func sent(_ command: ObservedCommand) {
        switch command {
        case .parameters: sentParameters = command
        case .enable: sentEnable = command
        }
    }

    /// - Returns: whether a scan began or ended with it. Ended is told though none was known to run.
    mutating func completed(opcode: UInt16, status: UInt8) -> Change? {
        guard status == 0 else { return nil }
        switch opcode {
        case ScanCommand.Opcode.setParameters, ScanCommand.Opcode.setExtendedParameters:
            parameters = sentParameters
            return nil
        case ScanCommand.Opcode.setEnable, ScanCommand.Opcode.setExtendedEnable:
            guard case .enable(_, let isOn, let filtersDuplicates)? = sentEnable else { return nil }
            scan = isOn ? conditions(filtersDuplicates: filtersDuplicates) : nil
            return isOn ? .began : .ended
        default: return nil
        }
    }

    private func conditions(filtersDuplicates: Bool) -> ScanConditions? {
        guard case .parameters(_, let isActive, let interval, let window, let listedOnly)? = parameters
        else { return nil }
        return ScanConditions(
            isActive: isActive, interval: interval, window: window, hearsListedOnly: listedOnly,
            filtersDuplicates: filtersDuplicates)
    }
}
