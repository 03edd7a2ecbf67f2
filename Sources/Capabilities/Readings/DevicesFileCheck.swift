import GatewayModel
package import Hub
import Settings
package import SettingsReading
package import Vault

/// Check of the devices file against the seal of its last line. Blocking I/O.
package struct DevicesFileCheck: Sendable {
    private let path: String
    private let marks: StateMarks
    private let damage: StateDamage

    /// - Parameter path: of the devices file.
    package init(path: String, marks: StateMarks, damage: StateDamage) {
        self.path = path
        self.marks = marks
        self.damage = damage
    }

    /// Sets aside a file that could not be read at the start, and reports it.
    ///
    /// - Parameter earlier: devices by which the gateway watched last; written in its place. Without them no file is left.
    private func report(_ fault: SettingsProblem, earlier: [UInt8]?) {
        let aside = try? marks.setAside(Self.name)
        if aside != nil, let earlier { try? DevicesFile.restore(earlier, at: path) }
        damage.report(.devices, because: "\(fault)", asidePath: aside)
    }

    /// Reports the file as the start of the gateway found it.
    ///
    /// - Parameters:
    ///   - fault: the file could not be read.
    ///   - earlier: devices by which the gateway watched last.
    package func reportStart(_ fault: SettingsProblem?, earlier: [UInt8]?) {
        if let fault { report(fault, earlier: earlier) } else { report() }
    }

    /// Reports a file that was changed by something else than a command, was cut, or is gone.
    package func report() {
        let wasSealed = marks[Self.name].map { $0.sequence > 0 } ?? false
        switch try? DevicesFile.seal(at: path) {
        case .whole: marks.note(Self.name, 1)
        case .broken:
            damage.report(
                .devices,
                because: "it was changed by something else than a command; the next command that changes "
                    + "it signs it as it is")
        case .absent:
            if wasSealed { damage.report(.devices, because: "its last line is gone: it was cut") }
        case nil:
            guard wasSealed else { return }
            damage.report(.devices, because: "it is gone")
            marks.note(Self.name, 0, isSynced: true)
        }
    }

    private static let name = StateFileName.devices.rawValue
}
