import ArgumentParser
import Hub
import SettingsService

/// `homegateway runs …`
struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "See which runs the box times, and check run files before the race.",
        discussion: """
            A run:
              1. write /etc/homegateway/runs.d/NAME.toml, and the start list beside it
              2. homegateway runs check     what is wrong with it, before the race
              3. homegateway runs reload    the running gateway takes it
              4. homegateway runs list      what it times, and from when

            docs/organiser/runs.md tells what stands in a run file.
            """,
        subcommands: [RunsList.self, RunsShow.self, RunsCheck.self, RunsReload.self])
}

/// `homegateway runs reload`
struct RunsReload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Let the running gateway read the run files again.",
        discussion: """
            Where one of them is wrong it goes on as before. Who has left a run by a
            command stays away, whatever the files say.
            """)

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(ControlRequest(.reloadRuns))
    }
}
