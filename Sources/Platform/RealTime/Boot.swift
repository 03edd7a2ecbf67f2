import GatewayModel
import Glibc

/// Which start of the machine this is.
public enum Boot {
    /// The kernel's id of this boot, a UUID (random(4)). Where it cannot be read, one that matches no other:
    /// whoever compares then takes the time in between for unknown, which is the safe side.
    public static func id() -> String {
        var bytes = [UInt8](repeating: 0, count: 64)
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "unknown-\(Clock.boot().nanoseconds)" }
        defer { close(descriptor) }
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        let id = text.prefix { $0.isHexDigit || $0 == "-" }
        return id.isEmpty ? "unknown-\(Clock.boot().nanoseconds)" : String(id)
    }
}
