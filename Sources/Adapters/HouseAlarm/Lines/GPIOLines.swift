import GatewayModel

/// One line of a GPIO chip as the settings name it.
public struct GPIOLine: Hashable, Sendable {
    /// `/dev/gpiochip0`, or `gpiochip0`.
    public let chip: String
    /// The line's offset on the chip. On a Raspberry Pi the number after GPIO, not that of the pin.
    public let offset: UInt32
    /// On is low: a button between line and ground, a lamp between supply and line.
    public let isActiveLow: Bool

    public init(chip: String, offset: UInt32, isActiveLow: Bool = false) {
        self.chip = chip
        self.offset = offset
        self.isActiveLow = isActiveLow
    }

    var path: String { chip.contains("/") ? chip : "/dev/" + chip }
}

/// The lines of the machine, as a lamp and a button need them.
protocol GPIOLines: Sendable {
    /// Takes a line as an output that is off.
    func output(_ line: GPIOLine) throws(HouseFailure) -> any OutputLine
    /// Takes a line as an input whose changes are told, debounced.
    func input(_ line: GPIOLine, pull: LinePull, debounce: Duration) throws(HouseFailure) -> any InputLine
}

/// What holds an open input at a level.
public enum LinePull: String, CaseIterable, Hashable, Sendable {
    case up, down
    /// A resistor on the board does, or the line has none.
    case none
}

/// Given back when the last reference goes. Used on one thread.
protocol OutputLine: AnyObject {
    func set(_ isOn: Bool) throws(HouseFailure)
}

/// Given back when the last reference goes. Used on one thread.
protocol InputLine: AnyObject {
    /// Readable while there are changes to take.
    var descriptor: Int32 { get }
    func isActive() throws(HouseFailure) -> Bool
    /// The levels after each change since the last call, oldest first; never waits.
    func takeChanges() throws(HouseFailure) -> [Bool]
}
