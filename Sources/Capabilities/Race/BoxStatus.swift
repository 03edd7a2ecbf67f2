import GatewayModel
import Glibc
import Hub
import Synchronization

/// Fix, power and free disk space of the box, for `status`.
final class BoxStatus: Sendable {
    private struct State {
        var fix: Fix?
        var supply: PowerSupply?
        var freeMegabytes: Int?
    }

    private let state = Mutex(State())

    func note(_ fix: Fix) { state.withLock { $0.fix = fix } }

    /// - Parameter directory: state directory of the box. May block.
    func look(at supply: PowerSupply?, _ directory: String) {
        let free = Self.freeMegabytes(of: directory)
        state.withLock { ($0.supply, $0.freeMegabytes) = (supply, free) }
    }

    func lines(at now: BootInstant) -> [String] {
        let state = state.withLock { $0 }
        return [Self.position(state.fix, at: now), Self.power(state.supply), Self.disk(state.freeMegabytes)]
    }

    private static func position(_ fix: Fix?, at now: BootInstant) -> String {
        guard let fix else { return "position: none since the start" }
        let age = fix.arrival.boot.duration(to: now).wholeMilliseconds / 1_000
        let error = fix.horizontalError.map { ", to within \(Int($0.rounded(.up))) m" } ?? ""
        return "position: a fix \(age) s ago\(error)"
    }

    private static func power(_ supply: PowerSupply?) -> String {
        let battery = supply?.batteryPercent.map { "battery at \($0) %" }
        let mains = supply?.hasMains.map { $0 ? "on mains" : "not on mains" }
        let known = [battery, mains].compactMap { $0 }
        return "power: \(known.isEmpty ? "the kernel shows no supply" : known.joined(separator: ", "))"
    }

    private static func disk(_ megabytes: Int?) -> String {
        "disk: \(megabytes.map { "\($0) MB free" } ?? "unknown")"
    }

    /// Space for accounts other than root, such as the gateway's.
    private static func freeMegabytes(of directory: String) -> Int? {
        var figures = statvfs()
        guard statvfs(directory, &figures) == 0 else { return nil }
        return Int(clamping: (UInt64(figures.f_bavail) &* UInt64(figures.f_frsize)) >> 20)
    }
}
