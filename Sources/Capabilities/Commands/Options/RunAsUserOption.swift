import ArgumentParser
import Glibc

/// Option for the user as which a command reads files. Root may read files that the service may not, so a check for the
/// service has to run as the service's user.
struct RunAsUserOption: ParsableArguments {
    /// User and settings folder of the systemd unit.
    private static let service = (user: "homegateway", settings: "/etc/homegateway/")

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Read the files as this user; root only. Default in /etc/homegateway: homegateway, the service's user.",
            valueName: "user"))
    var user: String?

    /// Runs this program anew as that user, with the right to listen to adverts that the unit grants. It does not
    /// return then.
    ///
    /// - Parameter config: the settings file.
    func open(for config: String) throws {
        let own = Self.name(of: geteuid())
        guard let wanted = user ?? Self.servant(for: config), wanted != own else { return }
        guard geteuid() == 0 else {
            throw ValidationError(
                "--as \(wanted): only root may read as another user; this is \(own), use sudo")
        }
        guard let account = getpwnam(wanted) else {
            throw ValidationError("--as \(wanted): this computer has no user of that name")
        }
        try Self.become(wanted, group: account.pointee.pw_gid)
    }

    /// Returns nil where the caller's own rights suffice: not root, no service yet, or a draft in another folder.
    private static func servant(for config: String) -> String? {
        guard geteuid() == 0, config.hasPrefix(service.settings), getpwnam(service.user) != nil else {
            return nil
        }
        return service.user
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
    }

    /// By setpriv(1), which is part of every Debian.
    private static func become(_ user: String, group: gid_t) throws {
        let arguments =
            [
                "setpriv", "--reuid", user, "--regid", "\(group)", "--init-groups", "--inh-caps", "+net_raw",
                "--ambient-caps", "+net_raw", "--", try ownProgram(),
            ] + CommandLine.arguments.dropFirst()
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        execvp("setpriv", &words)
        let reason = String(cString: strerror(errno))
        for word in words { free(word) }
        SettingsOption.complain(
            "setpriv: \(reason); install util-linux, or read as root, which may read more files: --as root")
        throw ExitCode.unavailable
    }

    private static func ownProgram() throws -> String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else {
            SettingsOption.complain("/proc/self/exe: \(String(cString: strerror(errno))); mount /proc")
            throw ExitCode.unavailable
        }
        return String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
