import ArgumentParser
import Glibc
import Settings

extension SettingsOption {
    /// Asks the running gateway and prints its answer; exit code 1 where it was not done.
    func ask(_ request: ControlRequest) throws {
        let settings = try loadWithoutDevices()
        do {
            var client = try ControlClient(path: settings.gateway.controlSocket)
            let reply = try client.ask(request)
            for line in reply.lines {
                if reply.isDone { print(line) } else { Self.complain(line) }
            }
            guard reply.isDone else { throw ExitCode(1) }
        } catch let error as ControlError {
            Self.complain(error.description)
            throw ExitCode(1)
        }
    }
}

/// Who does something, for the record.
struct WhoOption: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Who does it, for the record.", valueName: "name"))
    var by: String?

    /// As given, else the name of the account.
    var name: String {
        if let by, !by.isEmpty { return String(by.prefix(200)) }
        guard let entry = getpwuid(getuid()) else { return "user \(getuid())" }
        return String(cString: entry.pointee.pw_name)
    }
}

/// Which alarm is meant.
struct AlarmOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Whose alarm, where several persons have one open.", valueName: "id"))
    var person: String?

    @Option(name: .long, help: ArgumentHelp("One alarm by its id.", valueName: "id"))
    var alarm: String?
}
