import ArgumentParser
import Commands
import Glibc
import Hub
import Logging
import Readings
import Settings
import SettingsReading
import SettingsService
import Vault

/// `homegateway run`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the gateway until it is told to stop.",
        discussion: """
            What systemd starts. Alarms for the room go to standard output, the
            log to standard error. SIGTERM or Ctrl-C stops it in order, within 5
            seconds; what is unsent is kept for the next start.

            A mistake in the settings costs what it is about and no more: the entry is
            set aside, told in the log, in status and aloud. Where safety or security
            would be weakened, the last settings that worked are used. Exit code 78:
            nobody can be watched, and no earlier settings are kept. See homegateway
            check. SIGHUP reads the settings again: see homegateway reload.
            A second gateway on the same state directory ends after 5 seconds, with exit
            code 75.
            """)

    @OptionGroup var file: SettingsOption

    func run() async throws {
        // A reader that goes away must not end the process: writes report it.
        signal(SIGPIPE, SIG_IGN)
        // Taken once all runs; until then it has nothing to read again.
        signal(SIGHUP, SIG_IGN)
        let start = try startSettings()
        let settings = start.settings
        let stateLock = try lockState(settings.gateway.stateDirectory)
        defer { withExtendedLifetime(stateLock) {} }
        let thread = try LogThread()
        let level = Logger.Level(rawValue: settings.gateway.logLevel.rawValue) ?? .info
        let isJournal = getenv("JOURNAL_STREAM") != nil
        let log = Logger(label: "gateway") { label in
            LogfmtHandler(area: label, thread: thread, isJournal: isJournal, logLevel: level)
        }
        do {
            if stateLock == nil {
                log.error("the state directory cannot be locked: a second gateway would not be kept out of it")
            }
            try await Daemon(start, settingsFile: file.config, log: log).run()
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

    private func startSettings() throws -> StartSettings {
        do throws(SettingsError) {
            let start = try StartSettings.load(path: file.config)
            for warning in start.settings.warnings { SettingsOption.complain("\(warning) (warning)") }
            return start
        } catch {
            SettingsOption.complain(error.description)
            waitForManager()
            throw ExitCode.settingsWrong
        }
    }

    /// The service manager starts it again at once, until somebody has mended the settings. This keeps it from doing so many times a second.
    private func waitForManager() {
        guard getenv("NOTIFY_SOCKET") != nil else { return }
        sleep(10)
    }

    /// Before anything is opened or written. Held until the process ends.
    private func lockState(_ directory: String) throws -> StateLock? {
        let lock: StateLock?
        do throws(StateLock.Held) {
            lock = try StateLock.take(in: directory)
        } catch {
            SettingsOption.complain(error.description)
            throw ExitCode.stateInUse
        }
        if let warning = RestoredState.warning(in: directory) {
            SettingsOption.complain(warning)
            waitForManager()
            throw ExitCode.settingsWrong
        }
        return lock
    }
}
