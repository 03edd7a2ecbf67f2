import Foundation

/// The real ModemManager with a virtual modem, on a bus of its own.
public final class ModemManagerRig {
    public let address: String
    public let modem: ModemRig
    private let scratch: ScratchDirectory
    private let bus: ChildProcess
    private let manager: ChildProcess
    private let name = "gateway-\(UUID().uuidString)"

    public struct NotThere: Error { let log: String }

    /// - Parameter plugin: of ModemManager. That of SIMCom's modems hears the keys of a call, the generic one does not.
    public init(plugin: String = "generic") async throws {
        scratch = try ScratchDirectory()
        address = "unix:path=\(scratch.file("bus").path)"
        let configuration = AmbulanceRig.tests.appending(path: "Rig/private-bus.conf").path
        bus = try ChildProcess(
            "/usr/bin/dbus-daemon",
            [
                "--config-file=\(configuration)", "--nofork", "--nopidfile", "--nosyslog",
                "--address=\(address)",
            ],
            output: scratch.file("bus.log"))
        modem = try await ModemRig(port: name)
        manager = try Self.start(address, scratch)
        try await plugIn(plugin)
    }

    /// `--test-enable` is its interface for virtual ports; `--test-session` its way onto a bus of one's own,
    /// where it asks no polkit.
    private static func start(_ address: String, _ scratch: ScratchDirectory) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/env",
            [
                "DBUS_SESSION_BUS_ADDRESS=\(address)", "DBUS_SYSTEM_BUS_ADDRESS=\(address)",
                "/usr/sbin/ModemManager", "--test-session", "--test-no-udev", "--no-auto-scan", "--test-enable",
                "--test-no-suspend-resume",
            ], output: scratch.file("manager.log"))
    }

    private func plugIn(_ plugin: String) async throws {
        let isThere = await eventually { ask("org.freedesktop.DBus.Peer.Ping") }
        guard isThere,
            ask(
                "org.freedesktop.ModemManager1.Test.SetProfile", "string:rig", "string:\(plugin)",
                "array:string:abstract:\(name)"),
            // It asks the modem a hundred things before it shows it.
            await eventually({ hasModem })
        else { throw NotThere(log: manager.text) }
    }

    private var hasModem: Bool {
        ask("org.freedesktop.DBus.ObjectManager.GetManagedObjects")
            && (try? String(contentsOf: replies, encoding: .utf8))?.contains("EquipmentIdentifier") == true
    }

    private var replies: URL { scratch.file("replies.log") }

    private func ask(_ method: String, _ arguments: String...) -> Bool {
        let call = [
            "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.ModemManager1",
            "/org/freedesktop/ModemManager1", method,
        ]
        return (try? ChildProcess("/usr/bin/dbus-send", call + arguments, output: replies))?.waitForSuccess()
            ?? false
    }

    /// From here on the bus reads and answers nothing.
    public func freezeBus() { bus.signal(SIGSTOP) }

    public func killManager() { manager.killAndWait() }

    deinit {
        bus.signal(SIGCONT)
        manager.killAndWait()
        bus.killAndWait()
    }
}
