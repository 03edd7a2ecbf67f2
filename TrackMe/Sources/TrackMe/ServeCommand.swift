import ArgumentParser
import Desk
import Logging
import ServerSettings
import ServiceLifecycle
import UnixSignals

/// `trackme serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Receive readings and serve the pages until the process is ended.",
        discussion: """
            On PostgreSQL several servers serve one database. One of them receives the
            readings and does what must not be done twice, and is replaced within a
            second after it ends. On SQLite a further server waits for the first one.
            """)

    @OptionGroup var config: ConfigOption

    func run() async throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "trackme")
        let settings = try config.load()
        for warning in settings.warnings { logger.warning("\(warning)") }
        let claim = try settings.databaseClaim()
        // Before the schema is changed.
        try await settings.awaitFile(claim, logger: logger)
        let server = try Server(settings, logger: logger)
        // A call under another key could neither be shown nor change.
        try await server.duties.calls.checkKey()
        logger.notice(
            "pages are served", metadata: ["origin": "\(settings.origin)", "at": "\(settings.listen)"])
        try await ServiceGroup(
            services: server.services + [DutyService(claim: claim, duties: server.duties, logger: logger)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        ).run()
    }
}
