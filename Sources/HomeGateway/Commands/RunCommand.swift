import ArgumentParser
import Glibc
import Logging
import Settings

/// `homegateway run`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the gateway until it is told to stop.",
        discussion: """
            What systemd starts. Alarms for the room go to standard output, the
            log to standard error. SIGTERM or Ctrl-C stops it in order, within 5
            seconds; what is unsent is kept for the next start.

            Settings with any mistake stop the start, with exit code 78: see
            homegateway check.
            """)

    @OptionGroup var file: SettingsOption

    func run() async throws {
        let settings = try file.load()
        // A reader that goes away must not end the process: writes report it.
        signal(SIGPIPE, SIG_IGN)
        let thread = try LogThread()
        let level = Logger.Level(rawValue: settings.gateway.logLevel.rawValue) ?? .info
        let isJournal = getenv("JOURNAL_STREAM") != nil
        let log = Logger(label: "gateway") { label in
            LogfmtHandler(area: label, thread: thread, isJournal: isJournal, logLevel: level)
        }
        do {
            try await Gateway(settings: settings, settingsFile: file.config, log: log).run()
        } catch let error as SettingsError {
            // A key that cannot be used: a mistake like those found before.
            await thread.finish()
            SettingsOption.complain(error.description)
            throw ExitCode.settingsWrong
        } catch {
            log.critical("the gateway cannot run", metadata: ["reason": "\(error)"])
            await thread.finish()
            throw ExitCode(1)
        }
        await thread.finish()
    }
}
