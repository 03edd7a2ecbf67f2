import Audio
import GatewayModel
import Glibc

/// A modem's port for the sound of its calls: samples of 16 bits, low byte first, 8,000 a second.
final class PortOutput: SoundOutput {
    private let path: String
    private var descriptor: Int32 = -1

    init(path: String) { self.path = path }

    deinit { close() }

    func open() throws(DeviceFailure) -> Int {
        guard descriptor < 0 else { return CallSound.rate }
        descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw DeviceFailure("opening \(path)", doInstead: "add the gateway's account to the group dialout")
        }
        var mode = termios()
        if tcgetattr(descriptor, &mode) == 0 {
            cfmakeraw(&mode)
            tcsetattr(descriptor, TCSANOW, &mode)
        }
        return CallSound.rate
    }

    func begin(_ label: String) {}

    /// A port that takes nothing now loses the piece: sound is of its moment.
    func write(_ samples: ArraySlice<Int16>) throws(DeviceFailure) {
        let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 || errno == EAGAIN || errno == EINTR else {
            throw DeviceFailure("writing to \(path)", doInstead: "check the modem's cable")
        }
    }

    func end(isWhole: Bool) throws(DeviceFailure) {}

    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }
}
