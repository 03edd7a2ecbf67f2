import ArgumentParser
import ControlContract
import ControlSocket
import GatewayModel
import Glibc
import Hub
import RealTime
import Settings

/// `homegateway support-bundle`
struct SupportBundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support-bundle",
        abstract: "Write a file for support, without personal data and without secrets.",
        discussion: """
            One tar file: version, platform, states of the services, settings, findings of
            check, codes and counts of the state, sizes of the state files, and technical
            events of the log of 7 days. Each part has a list of what may be in it:
            everything else is left out, or replaced by its kind. Nothing is sent.

            With sudo it reads the settings, the state directory and the log.
            """)

    @Argument(help: ArgumentHelp("The file to write. It must not exist.", valueName: "file"))
    var path: String?

    @OptionGroup var file: SettingsOption

    @Option(name: .long, help: ArgumentHelp("The gateway's control socket.", valueName: "file"))
    var socket: String?

    @Option(help: ArgumentHelp("The settings file of the console.", valueName: "file"))
    var consoleConfig = ConsoleSettings.standardPath

    @Flag(help: "Only read; try no service.")
    var offline = false

    func run() throws {
        let now = Clock.wall()
        let path = path ?? "homegateway-support-\(now.millisecondsSince1970 / 1000).tar"
        let settings = AbsolutePath.of(file.config)
        let collector = SupportCollector(
            settingsFile: settings, consoleFile: AbsolutePath.of(consoleConfig),
            socket: GatewaySocket(named: socket, settings: settings), triesServices: !offline)
        do {
            // The file first: who may not write it need not wait.
            let output = try NewFile(path)
            let bundle = SupportBundle(collector.collect(version: ProductVersion.current.description))
            try output.write(try bundle.archive(at: now.millisecondsSince1970 / 1000))
            Shown.line("\(path):")
            let rows = bundle.files.map { [$0.name, "\($0.bytes.count) bytes", $0.about] }
            for line in Shown.table(rows) { Shown.line("  \(line)") }
            Shown.line("")
            Shown.line("Look at it before you send it: tar -xOf \(path) | less")
        } catch {
            SettingsOption.complain("\(error)")
            throw ExitCode(1)
        }
    }
}

/// A file that did not exist before, for its owner alone.
private struct NewFile {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(ControlError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw ControlError(
                "\(path): cannot be made: \(String(cString: strerror(errno))); name another file")
        }
    }

    /// Writes all, and closes the file. A file that cannot be written whole is removed.
    func write(_ bytes: [UInt8]) throws(ControlError) {
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = String(cString: strerror(errno))
                unlink(path)
                throw ControlError(
                    "\(path): cannot be written: \(reason); free some space, or name another disk")
            }
            rest = rest.dropFirst(count)
        }
    }
}
