import Logging
import ServiceLifecycle
import SettingsReading
import SiteSamples
import TestSupport
import Testing
import WebServer

/// A server of a site on a free port of this machine.
enum RunningServer {
    /// - Parameters:
    ///   - logger: of the server.
    ///   - proxies: servers whose `X-Forwarded-For` holds.
    ///   - body: gets the port.
    static func with(
        _ site: TrialSite, _ limits: WebServer.Limits, proxies: [IPNetwork] = [],
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: @escaping @Sendable (UInt16) async throws -> Void
    ) async throws {
        let port = freePort()
        let server = WebServer(
            site: site.site, at: ListenAddress(host: "127.0.0.1", port: Int(port)), limits: limits,
            clients: ClientResolver(proxies: proxies), logger: logger)
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let isUp = await eventually { (try? RawClient(port)) != nil }
            #expect(isUp)
            do { try await body(port) } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
