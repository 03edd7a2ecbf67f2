import GatewayModel
import Glibc

/// How the box is fed, as the kernel shows it (`/sys/class/power_supply`, sysfs-class-power).
package struct PowerSupply: Hashable, Sendable {
    /// Nil where the kernel shows neither a mains supply nor a battery that is used up.
    package var hasMains: Bool?
    /// Of the fullest battery, in percent; nil where there is none.
    package var batteryPercent: Int?

    package static let directory = "/sys/class/power_supply"

    /// Reads what is there now; may block. Nil where nothing is shown: most boxes have a plug and no more.
    ///
    /// - Parameter directory: of a directory a supply, with the files of the kernel.
    package init?(directory: String = PowerSupply.directory) {
        for name in Self.names(in: directory) {
            func value(_ file: String) -> String? { Self.value("\(directory)/\(name)/\(file)") }
            // The battery of a mouse or a wearable is not the box's.
            guard value("scope") != "Device", value("present") != "0" else { continue }
            switch value("type") {
            case "Mains", "USB", "Wireless":
                guard let online = value("online") else { continue }
                // 2 is "online, with a programmed supply".
                hasMains = hasMains == true || online != "0"
            case "Battery", "UPS":
                if let percent = value("capacity").flatMap({ Int($0) }), (0...100).contains(percent) {
                    batteryPercent = max(batteryPercent ?? 0, percent)
                }
                if value("status") == "Discharging", hasMains == nil { isDischarging = true }
            default: continue
            }
        }
        if hasMains == nil, isDischarging { hasMains = false }
        if hasMains == nil, batteryPercent == nil { return nil }
    }

    /// Says that the mains are gone only where no supply says better.
    private var isDischarging = false

    private static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// The one word of such a file.
    private static func value(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").first.map(
            String.init)
    }
}
