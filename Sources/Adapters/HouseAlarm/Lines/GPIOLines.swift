import Audio
import CGPIO
import GatewayModel
import Glibc

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

/// Resistor that holds an open input at a level.
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

/// The kernel's GPIO character devices (linux/gpio.h, version 2: Linux 5.10 and newer).
///
/// Not libgpiod: its two versions, of Debian 12 and of 13, are different libraries by the same name, and the
/// older one leaves debouncing to its user, which the kernel does.
struct KernelLines: GPIOLines {
    /// Consumer name of a line in `gpioinfo`.
    private static let consumer = "homegateway"

    func output(_ line: GPIOLine) throws(HouseFailure) -> any OutputLine {
        let chip = try openChip(line)
        defer { close(chip) }
        let descriptor = cgpio_take_output(chip, line.offset, line.isActiveLow ? 1 : 0, Self.consumer)
        guard descriptor >= 0 else { throw refusal(of: line) }
        return KernelLine(descriptor, line)
    }

    func input(_ line: GPIOLine, pull: LinePull, debounce: Duration) throws(HouseFailure) -> any InputLine {
        let chip = try openChip(line)
        defer { close(chip) }
        let bias: Int32 =
            switch pull {
            case .up: 1
            case .down: -1
            case .none: 0
            }
        let descriptor = cgpio_take_input(
            chip, line.offset, line.isActiveLow ? 1 : 0, bias,
            UInt32(clamping: debounce.wholeNanoseconds / 1_000), Self.consumer)
        guard descriptor >= 0 else { throw refusal(of: line) }
        // Changes are taken until there are none: only then has a read to return at once.
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            defer { close(descriptor) }
            throw HouseFailure("fcntl on line \(line.offset) of \(line.path)", doInstead: nil)
        }
        return KernelLine(descriptor, line)
    }

    private func openChip(_ line: GPIOLine) throws(HouseFailure) -> Int32 {
        let chip = open(line.path, O_RDWR | O_CLOEXEC)
        guard chip >= 0 else {
            let number = errno
            let advice =
                number == EACCES || number == EPERM
                ? "let the gateway's account use it: it is in the group gpio, to which the udev rule of make install "
                    + "gives the chips"
                : "gpiodetect lists the chips that there are"
            throw HouseFailure("opening the GPIO chip \(line.path)", number: number, advice)
        }
        return chip
    }

    /// With the `errno` of the line request.
    private func refusal(of line: GPIOLine) -> HouseFailure {
        let number = errno
        let advice =
            switch number {
            case EBUSY: "something else uses the line; gpioinfo tells who"
            case EINVAL: "has the chip so many lines? gpioinfo lists them"
            case ENOTTY: "it is no GPIO chip; gpiodetect lists those"
            default: "gpioinfo lists the lines"
            }
        return HouseFailure("taking line \(line.offset) of \(line.path)", number: number, advice)
    }
}

/// One line that was taken. Its descriptor is closed, and the line with it given back, at the end.
private final class KernelLine: OutputLine, InputLine {
    let descriptor: Int32
    private let line: GPIOLine

    init(_ descriptor: Int32, _ line: GPIOLine) {
        self.descriptor = descriptor
        self.line = line
    }

    deinit { close(descriptor) }

    func set(_ isOn: Bool) throws(HouseFailure) {
        guard cgpio_set(descriptor, isOn ? 1 : 0) == 0 else { throw failure("switching") }
    }

    func isActive() throws(HouseFailure) -> Bool {
        let value = cgpio_value(descriptor)
        guard value >= 0 else { throw failure("reading") }
        return value == 1
    }

    func takeChanges() throws(HouseFailure) -> [Bool] {
        var changes: [Bool] = []
        var event = gpio_v2_line_event()
        while true {
            let count = read(descriptor, &event, MemoryLayout<gpio_v2_line_event>.size)
            if count == MemoryLayout<gpio_v2_line_event>.size {
                // Rising is from inactive to active, at either level (linux/gpio.h).
                changes.append(event.id == GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue)
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                return changes
            } else {
                throw failure("reading the changes of")
            }
        }
    }

    private func failure(_ doing: String) -> HouseFailure {
        HouseFailure("\(doing) line \(line.offset) of \(line.path)", doInstead: "is the chip still there?")
    }
}
