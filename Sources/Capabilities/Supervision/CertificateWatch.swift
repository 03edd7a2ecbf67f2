import Ciphers
import Contract
import Foundation
import GatewayModel
import Hub
import OutboxService
import RealTime
import Settings
import Synchronization

/// Ends of the certificates that the settings name: a condition for each one that has to be renewed.
final class CertificateWatch: Sendable {
    /// A certificate that ends is not renewed within a day: an installer has to come.
    static let renewalDays: Int64 = 30
    /// A renewed file is seen within the hour.
    static let interval = Duration.seconds(1_800)

    private let core: GatewayCore
    private let due = Mutex<Set<HealthCondition>>([])

    init(_ core: GatewayCore) { self.core = core }

    /// Reads the files. Without the time nothing can be judged: what was found before holds.
    func look(at now: WallTime) {
        guard !core.health.conditions.contains(HealthCondition(.clockNotSet)) else { return }
        var reasons: [HealthCondition: String] = [:]
        for file in core.settings().certificateFiles {
            // A file that cannot be read is a condition of its connection.
            guard let text = try? String(contentsOfFile: file.path, encoding: .utf8) else { continue }
            let ends = CertificateEnds.ends(ofPEM: text)
            guard let end = file.isOfAuthorities ? ends.max() : ends.first,
                let reason = Self.reason(file.path, end: end, at: now)
            else { continue }
            reasons[HealthCondition(.certificateEnding, subject: file.name)] = reason
        }
        let over = due.withLock { due in
            defer { due = Set(reasons.keys) }
            return due.subtracting(reasons.keys)
        }
        for condition in over { core.health.set(condition, false) }
        for (condition, reason) in reasons {
            core.health.explain(condition, reason)
            core.health.set(condition, true)
        }
    }

    /// Returns the reason to renew a certificate; nil while it goes on for longer. Pure.
    static func reason(_ path: String, end: WallTime, at now: WallTime) -> String? {
        let day = end.rfc3339.prefix(10)
        let left = end.millisecondsSince1970 - now.millisecondsSince1970
        guard left > 0 else { return "\(path): expired since \(day)" }
        let days = left / 86_400_000
        guard days < renewalDays else { return nil }
        return "\(path): ends on \(day), in \(days) day\(days == 1 ? "" : "s")"
    }
}
