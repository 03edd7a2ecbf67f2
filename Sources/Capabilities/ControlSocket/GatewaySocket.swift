import ControlContract
package import ControlLink
import Glibc
import Hub
import Settings

/// The control socket that the command line connects to.
///
/// It is found without a settings file, because a file that is being edited must not keep anybody from
/// cancelling an alarm. A settings file only adds a path: no mistake in it, and not its absence, is an error.
package struct GatewaySocket: Equatable {
    /// Paths in the order in which they are tried. The first gateway that answers is asked.
    package let candidates: [String]

    /// - Parameters:
    ///   - named: The path from `--socket`. It alone counts.
    ///   - environment: The value of `HOMEGATEWAY_SOCKET`. It alone counts where no path is named.
    ///   - settings: The path from `--config`; nil where it was not given. A file that was named stands for one
    ///     gateway: its socket is tried alone, so that no alarm of another gateway is ended. The installed
    ///     file comes after the default path.
    ///   - hint: Returns the socket that a settings file names.
    package init(named: String?, environment: String?, settings: String?, hint: (_ file: String) -> String?) {
        let standard = GatewaySettings.Gateway.standardControlSocket
        if let path = [named, environment].compactMap(\.self).first(where: { !$0.isEmpty }) {
            candidates = [path]
        } else if let settings, settings != GatewaySettings.standardFile {
            candidates = [hint(settings) ?? standard]
        } else {
            let named = hint(GatewaySettings.standardFile) ?? standard
            candidates = named == standard ? [standard] : [standard, named]
        }
    }

    package init(named: String? = nil, settings: String? = nil) {
        self.init(
            named: named, environment: getenv(ControlClient.socketVariable).map { String(cString: $0) },
            settings: settings,
            hint: { ControlSocketHint.path(in: $0) })
    }

    /// Connects to the first candidate that answers.
    ///
    /// - Parameter limit: How long an answer may take; nil for a stream.
    /// - Throws: `ControlError` with each socket that was tried.
    package func client(limit: Duration? = .seconds(10)) throws -> ControlClient {
        var reasons: [String] = []
        for path in candidates {
            do {
                return try ControlClient(path: path, limit: limit)
            } catch let error as ControlError {
                reasons.append(error.description)
            }
        }
        throw ControlError(reasons.joined(separator: "\n"))
    }
}

/// Reads the control socket out of a settings file that may be half written.
///
/// The line alone is looked for: a file that is not TOML at the moment still names its socket.
package enum ControlSocketHint {
    /// A settings file has some kilobytes. More is not read.
    private static let longest = 1_048_576

    /// Returns the path in the file; nil where the file cannot be read or names none.
    package static func path(in file: String) -> String? {
        // Non-blocking: a pipe without a writer must not hold up the command.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (1...longest).contains(Int(status.st_size))
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? path(inText: String(decoding: bytes.prefix(count), as: UTF8.self)) : nil
    }

    package static func path(inText text: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) {
            let form = /\s*(?:gateway\.)?control_socket\s*=\s*(?:"([^"\\]+)"|'([^']+)').*/
            guard let match = line.wholeMatch(of: form), let path = match.1 ?? match.2 else { continue }
            guard path.hasPrefix("/"), path.utf8.count <= UnixSocket.longestPath else { continue }
            return String(path)
        }
        return nil
    }
}
