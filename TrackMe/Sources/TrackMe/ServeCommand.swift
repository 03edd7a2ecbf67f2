import ArgumentParser
import Logging
import ServiceLifecycle
import Settings
import UnixSignals

/// `trackme serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Receive readings and serve the pages until the process is ended.",
        discussion: """
            One server at a time serves a database. A further one waits, and takes over
            within a second after the first one ends.
            """)

    @OptionGroup var config: ConfigOption

    func run() async throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "trackme")
        let settings = try config.load()
        for warning in settings.warnings { logger.warning("\(warning)") }
        // Before the schema is changed.
        let claim = try await settings.claimDatabase(logger: logger)
        let server = try Server(settings, logger: logger)
        try await server.prepare()
        logger.notice(
            "pages are served", metadata: ["origin": "\(settings.origin)", "at": "\(settings.listen)"])
        try await ServiceGroup(
            services: server.services + [ClaimService(claim: claim)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        ).run()
    }
}
