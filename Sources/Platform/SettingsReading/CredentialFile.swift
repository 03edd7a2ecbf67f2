import Glibc

/// A file with a secret. Where it lies is settled when it is used: a service manager may hand it over.
public struct CredentialFile: Hashable, Sendable, CustomStringConvertible {
    /// As it was written.
    public let description: String

    /// Why a file cannot be used. Holds nothing of its content.
    public struct Unusable: Error, CustomStringConvertible {
        public let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Beginning of the path where systemd hands the file over (`LoadCredential=`, systemd.exec(5)).
    public static let directory = "$CREDENTIALS_DIRECTORY/"

    /// Group of the program that reads it.
    private let account: String

    public init(_ path: String, of account: String) {
        (description, self.account) = (path, account)
    }

    /// The path, if only the gateway can read the file. Blocking I/O.
    public func privatePath() throws(Unusable) -> String {
        let path = try path()
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Unusable(
                description:
                    "\(path): \(String(cString: strerror(errno))); check that it exists and that the account "
                    + "\(account) may read it")
        }
        // The group may read: it is the program's. systemd shows its access list there, too.
        guard status.st_mode & 0o027 == 0 else {
            throw Unusable(
                description:
                    "\(path): saw mode \(String(status.st_mode & 0o777, radix: 8)), expected that only "
                    + "the account \(account) can read it: chown root:\(account) and chmod 640")
        }
        return path
    }

    /// The first line, without the line break that editors end a file with. Blocking I/O.
    public func text() throws(Unusable) -> String {
        let path = try privatePath()
        let bytes: [UInt8]?
        do throws(SettingsError) {
            bytes = try SettingsFile.bytesIfPresent(path: path, of: SettingsFile.Kind(group: account))
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

    /// 16 bytes, most significant first, out of 32 hexadecimal digits of either case; nil for any other bytes. One line end
    /// after them is no part of them.
    public static func key(_ bytes: [UInt8]) -> [UInt8]? {
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
