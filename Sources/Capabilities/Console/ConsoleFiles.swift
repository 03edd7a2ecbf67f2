import Ciphers
package import ConsoleAccess
package import ControlContract
import Foundation
package import GatewayModel
import Glibc
import RealTime
import Settings
import Web

/// Files of the console in its state directory: the paired devices, and orders of the command line. Blocking I/O.
package struct ConsoleFiles: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Order of the command line to the running console.
    package enum Order: Sendable {
        case pair(OneTimeCode, ControlSession)
        /// By the beginning of the session's id, as `sessions` shows it.
        case revoke(String)
    }

    private let directory: URL

    package init(directory: String) { self.directory = URL(filePath: directory) }

    private var sessionsFile: URL { directory.appending(path: "sessions") }
    private var orders: URL { directory.appending(path: "orders") }

    /// Makes the directories, for the owner alone.
    package func prepare() throws {
        try FileManager.default.createDirectory(
            at: orders, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        giveToOwner(orders.path)
    }

    /// The paired devices; none where there is no file. Errors: a file that is damaged opens no session.
    package func sessions() throws -> SessionStore {
        guard FileManager.default.fileExists(atPath: sessionsFile.path) else { return SessionStore() }
        do {
            return try SessionStore(bytes: Array(try Data(contentsOf: sessionsFile)))
        } catch let failure as SessionStore.Failure {
            throw Failure(
                description:
                    "\(sessionsFile.path): \(failure). No device is let in. Remove the file, and pair the devices again"
            )
        }
    }

    /// Replaces the file of paired devices, durably.
    package func write(_ sessions: SessionStore) throws {
        try write(Array(sessions.text.utf8), to: sessionsFile)
    }

    // MARK: Certificate

    /// The certificate of the settings, or the console's own, which is made where there is none for these addresses; nil
    /// without TLS.
    func identity(_ settings: ConsoleSettings) throws -> WebServer.Identity? {
        guard settings.usesTLS else { return nil }
        if let given = settings.certificate {
            let certificate = try Self.text(of: given.file, "certificate_file")
            guard OwnCertificate.fingerprint(ofPEM: certificate) != nil else {
                throw Failure(
                    description: "certificate_file: saw no certificate in \(given.file), expected PEM")
            }
            return WebServer.Identity(
                key: try Self.text(of: given.keyFile, "key_file"), certificate: certificate)
        }
        let names = ["localhost"] + settings.names
        let addresses = ["127.0.0.1", "::1"] + ConsoleServer.ownAddresses
        let (keyFile, file) = (
            directory.appending(path: "key.pem"), directory.appending(path: "certificate.pem")
        )
        let key = try? String(contentsOf: keyFile, encoding: .utf8)
        let certificate = try? String(contentsOf: file, encoding: .utf8)
        if let key, let certificate,
            let known = OwnCertificate(key: key, certificate: certificate, for: names, addresses: addresses)
        {
            return WebServer.Identity(key: known.key, certificate: known.certificate)
        }
        // Under the same key as before, where there is one: devices that trust the key go on to.
        let made =
            try (try? OwnCertificate(for: names, addresses: addresses, key: key))
            ?? OwnCertificate(for: names, addresses: addresses)
        try write(Array(made.key.utf8), to: keyFile)
        try write(Array(made.certificate.utf8), to: file)
        return WebServer.Identity(key: made.key, certificate: made.certificate)
    }

    private static func text(of path: String, _ key: String) throws -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw Failure(
                description:
                    "\(key): \(path) cannot be read as PEM: let the account homegateway-console read it")
        }
    }

    // MARK: Orders

    /// One line of fields between tabs, which no name has.
    package func write(_ order: Order) throws {
        let fields =
            switch order {
            case .pair(let code, let session):
                ["pair", code.description, session.role.rawValue, session.person?.text ?? "", session.name]
            case .revoke(let short): ["revoke", short]
            }
        let file = orders.appending(path: UUID().uuidString)
        try write(Array(fields.joined(separator: "\t").utf8), to: file)
    }

    /// Takes the orders that wait, and removes them. One that cannot be read is removed as well.
    package func takeOrders() -> [Order] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: orders.path)) ?? []
        return names.sorted().compactMap { name in
            guard !name.hasSuffix(".part") else { return nil }
            let file = orders.appending(path: name)
            defer { try? FileManager.default.removeItem(at: file) }
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
            return Self.order(text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init))
        }
    }

    private static func order(_ fields: [String]) -> Order? {
        switch (fields.first, fields.count) {
        case ("revoke", 2): return .revoke(fields[1])
        case ("pair", 5):
            guard let code = OneTimeCode(fields[1], of: .letters),
                let role = ControlSession.Role(rawValue: fields[2]),
                let session = try? ControlSession(role: role, person: PersonID(fields[3]), name: fields[4])
            else { return nil }
            return .pair(code, session)
        default: return nil
        }
    }

    /// Gives a file that root has made to the account of the console, which has the directory.
    private func giveToOwner(_ path: String) {
        var owner = stat()
        if geteuid() == 0, stat(directory.path, &owner) == 0 { chown(path, owner.st_uid, owner.st_gid) }
    }

    /// Writes beside the file, syncs, and renames. A file has the owner of its directory, also when root writes it.
    private func write(_ bytes: [UInt8], to file: URL) throws {
        let part = file.path + ".part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(description: "\(SystemCallError("making \(part)"))") }
        defer { close(descriptor) }
        giveToOwner(part)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(description: "\(SystemCallError("writing \(part)"))") }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0, rename(part, file.path) == 0 else {
            throw Failure(description: "\(SystemCallError("writing \(file.path)"))")
        }
    }
}
