public import Foundation
import Glibc

/// Debian's own gpsd, fed with NMEA sentences over UDP in place of a receiver.
public final class GPSDProcess: @unchecked Sendable {
    // @unchecked: driven by one test at a time.
    public static let program = "/usr/sbin/gpsd"
    public static var isInstalled: Bool { access(program, X_OK) == 0 }

    public let port = freePort()
    private let receiverPort = freePort()
    private let scratch: ScratchDirectory
    private var child: ChildProcess?
    /// Seconds since midnight UTC of the next epoch; only has to move on.
    private var second = 45_296

    public init() throws {
        scratch = try ScratchDirectory()
    }

    public func start() async throws {
        child = try ChildProcess(
            Self.program, ["-N", "-n", "-S", "\(port)", "udp://127.0.0.1:\(receiverPort)"],
            output: scratch.file("gpsd.log"))
        guard await eventually({ isListening(self.port) }) else { throw StartFailure(log: child?.text ?? "") }
    }

    public struct StartFailure: Error { let log: String }

    public func kill() { child?.killAndWait() }

    /// One epoch of a receiver at 45.4642 N, 9.1900 E, 122.3 m; or one that sees no satellite.
    ///
    /// - Parameters: degrees, to the north and to the east.
    ///   And when, for a receiver that tells the time; nil for a second after the one before, of a day long ago.
    public func sendEpoch(
        hasFix: Bool = true, latitude: Double = 45.4642, longitude: Double = 9.19, at instant: Date? = nil
    ) {
        defer { second += 1 }
        let counted = String(format: "%02d%02d%02d.00", second / 3600 % 24, second / 60 % 60, second % 60)
        let (time, day) = instant.map(Self.written) ?? (counted, "211126")
        let place = "\(Self.minutes(latitude, "%02d%07.4f")),N,\(Self.minutes(longitude, "%03d%07.4f")),E"
        let sentences =
            hasFix
            ? [
                "GPRMC,\(time),A,\(place),0.0,0.0,\(day),,,A",
                "GPGGA,\(time),\(place),1,08,0.9,122.3,M,47.9,M,,",
                "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.5,0.9,1.2",
            ]
            : [
                "GPRMC,\(time),V,,,,,,,211126,,,N", "GPGGA,\(time),,,,,0,00,,,M,,M,,",
                "GPGSA,A,1,,,,,,,,,,,,,,,",
            ]
        send(sentences.map(Self.framed).joined())
    }

    /// The time of day and the date, as NMEA has them.
    private static func written(_ instant: Date) -> (time: String, day: String) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .nanosecond], from: instant)
        func two(_ number: Int?) -> String { String(format: "%02d", (number ?? 0) % 100) }
        return (
            two(parts.hour) + two(parts.minute) + two(parts.second) + "."
                + two((parts.nanosecond ?? 0) / 10_000_000),
            two(parts.day) + two(parts.month) + two(parts.year)
        )
    }

    /// Degrees and minutes, as NMEA has them.
    private static func minutes(_ degrees: Double, _ format: String) -> String {
        let whole = degrees.rounded(.down)
        return String(format: format, Int(whole), (degrees - whole) * 60)
    }

    private static func framed(_ sentence: String) -> String {
        let sum = sentence.utf8.reduce(0, ^)
        return String(format: "$%@*%02X\r\n", sentence as NSString, Int(sum))
    }

    private func send(_ text: String) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = receiverPort.bigEndian
        let bytes = Array(text.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = sendto(
                    descriptor, bytes, bytes.count, 0, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
