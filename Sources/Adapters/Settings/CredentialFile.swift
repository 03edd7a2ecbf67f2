import Glibc
import RunBeacon

/// A file with a secret. Where it lies is settled when it is used: a service manager may hand it over.
public struct CredentialFile: Hashable, Sendable, CustomStringConvertible {
    /// As it was written.
    public let description: String

    /// Why a file cannot be used. Holds nothing of its content.
    public struct Unusable: Error, CustomStringConvertible {
        public let description: String
    }

    /// Beginning of the path where systemd hands the file over (`LoadCredential=`, systemd.exec(5)).
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

extension GatewaySettings.Wearable {
    /// The 16 bytes of its key, read now; nil where it has none. A key that cannot be used is a mistake in the
    /// settings, told with its place: its adverts would be dropped, and with them a call for help. The error
    /// shows nothing of the key. Blocking I/O.
    public func readKey() throws(SettingsError) -> [UInt8]? {
        guard let keyFile else { return nil }
        let bytes: [UInt8]?
        do throws(SettingsError) {
            bytes = try SettingsFile.bytesIfPresent(path: keyFile)
        } catch {
            throw wrongKey(error.description)
        }
        guard let bytes else {
            throw wrongKey("\(keyFile): there is no such file: write the key of '\(id)' into it")
        }
        try checkIsPrivate(keyFile)
        guard let key = Self.key(bytes) else {
            throw wrongKey(
                "\(keyFile): is no key of '\(id)': expected 32 hexadecimal digits and nothing else; copy the "
                    + "bind key from the device's app")
        }
        return key
    }

    /// Anybody with the key can press the button from the street. The group may read: it is the gateway's.
    private func checkIsPrivate(_ path: String) throws(SettingsError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o027 != 0 else { return }
        throw wrongKey(
            "\(path): saw mode \(String(status.st_mode & 0o777, radix: 8)), expected that only the gateway can "
                + "read it: chown root:homegateway and chmod 640")
    }

    private func wrongKey(_ message: String) -> SettingsError {
        let key = WearableSection.section.full(WearableSection.keyFile.name)
        return .problems([
            SettingsProblem(file: place.file, line: place.line, column: nil, key: key, message: message)
        ])
    }

    /// Either case; one line end after it is no part of it.
    static func key(_ bytes: [UInt8]) -> [UInt8]? {
        var digits = bytes[...]
        if digits.last == UInt8(ascii: "\n") { digits.removeLast() }
        if digits.last == UInt8(ascii: "\r") { digits.removeLast() }
        let values = digits.compactMap {
            Character(Unicode.Scalar($0)).isASCII ? Character(Unicode.Scalar($0)).hexDigitValue : nil
        }
        guard digits.count == 32, values.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}

/// The identity resolving key of a tag, in a file beside the run files: 32 hexadecimal digits that only the gateway
/// can read.
enum TagKeyFile {
    /// 16 bytes, most significant first. Errors show nothing of the key. Blocking I/O.
    static func key(_ file: CompanionFile, in folder: String) throws(CredentialFile.Unusable) -> [UInt8] {
        let path = folder + "/" + file.name
        let text = try CredentialFile(path).text()
        guard let key = GatewaySettings.Wearable.key(Array(text.utf8)) else {
            throw CredentialFile.Unusable(
                description:
                    "\(path): is no key of a tag: expected 32 hexadecimal digits and nothing else in its "
                    + "first line")
        }
        return key
    }
}
