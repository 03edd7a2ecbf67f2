import ArgumentParser
import Glibc
import Settings

extension SettingsOption {
    /// Asks the running gateway and prints its answer; exit code 1 where it was not done.
    ///
    /// - Parameter limit: how long the answer may take.
    func ask(_ request: ControlRequest, within limit: Duration = .seconds(10)) throws {
        for line in try answer(to: request, within: limit).lines { print(line) }
    }

    /// What the running gateway says; exit code 1, and its reason told, where it was not done.
    func answer(to request: ControlRequest, within limit: Duration = .seconds(10)) throws -> ControlReply {
        let settings = try loadWithoutDevices()
        do {
            var client = try ControlClient(path: settings.gateway.controlSocket, limit: limit)
            let reply = try client.ask(request)
            guard reply.isDone else {
                for line in reply.lines { Self.complain(line) }
                throw ExitCode(1)
            }
            return reply
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
