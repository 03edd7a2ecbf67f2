import Glibc

/// A file with a secret. Where it lies is settled when it is used: a service manager may hand it over.
public struct CredentialFile: Hashable, Sendable, CustomStringConvertible {
    /// As it was written.
    public let description: String

    /// Why a file cannot be used. Holds nothing of what is in it.
    public struct Unusable: Error, CustomStringConvertible {
        public let description: String
    }

    /// What the path begins with where systemd hands the file over (`LoadCredential=`, systemd.exec(5)).
    static let directory = "$CREDENTIALS_DIRECTORY/"

    init(_ path: String) {
        description = path
    }

    /// The path, if only the gateway can read the file. Blocking I/O.
    public func privatePath() throws(Unusable) -> String {
        let path = try path()
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Unusable(
                description:
                    "\(path): \(String(cString: strerror(errno))); check that it exists and that the user "
                    + "homegateway may read it")
        }
        // The group may read: it is the gateway's. systemd shows its access list there, too.
        guard status.st_mode & 0o027 == 0 else {
            throw Unusable(
                description:
                    "\(path): saw mode \(String(status.st_mode & 0o777, radix: 8)), expected that only "
                    + "the gateway can read it: chown root:homegateway and chmod 640")
        }
        return path
    }

    /// The first line, without the line break that editors end a file with. Blocking I/O.
    public func text() throws(Unusable) -> String {
        let path = try privatePath()
        let bytes: [UInt8]?
        do throws(SettingsError) {
            bytes = try SettingsFile.bytesIfPresent(path: path)
        } catch {
            throw Unusable(description: error.description)
        }
        let line = (bytes ?? []).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw Unusable(description: "\(path) has an empty first line") }
        guard let text = String(validating: line, as: UTF8.self), !line.contains(0) else {
            throw Unusable(description: "\(path) is no text; expected one line of UTF-8")
        }
        return text
    }

    private func path() throws(Unusable) -> String {
        guard description.hasPrefix(Self.directory) else { return description }
        guard let directory = getenv("CREDENTIALS_DIRECTORY") else {
            throw Unusable(
                description:
                    "\(description): the environment has no CREDENTIALS_DIRECTORY; add LoadCredential= to "
                    + "the unit, or write an absolute path")
        }
        return String(cString: directory) + "/" + description.dropFirst(Self.directory.count)
    }
}
