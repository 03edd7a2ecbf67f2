import CloudCommands
import Contract
import Desk
import GatewayModel
import Houses
import Intake
import Logging
import MQTTBridge
import Runs
import SQLDatabase
import ServerSettings
import ServiceLifecycle
import Store

/// The work that one server of a database does at a time: the sessions with the broker, and all that sends or removes something
/// by itself. Each piece is safe over a kill, since its state is in the database.
struct Duties: Sendable {
    let settings: ServerSettings
    let secrets: Secrets
    let file: DatabasePool
    let stores: Stores
    let calls: DeskStore
    let hubs: Hubs
    let directory: HouseDirectory
    let intake: Intake
    let broker: BrokerPresence
    let links: LinkService
    let runService: RunService
    let companies: Companies
    let groups: GroupParts
    let clock: @Sendable () -> WallTime
    let logger: Logger

    /// New services, which run once. Reads the files of the broker. Blocking I/O.
    func services() throws -> [any Service] {
        let sessions = try IntakeService(settings: try BrokerSettings(settings)) { [intake] in
            try intake.commit($0)
        } onEvent: { [logger, broker] in
            broker.report($0, of: $1 ? "calls" : "others")
            BrokerLog.write($0, of: $1 ? "calls" : "others", to: logger)
        }
        let commands = CommandLoop(
            commands: stores.links, signer: CommandSigner(secrets.signer, as: settings.issuer),
            logger: logger, clock: clock
        ) { token, gateway in
            try await sessions.others.publish(token, to: Topics(gateway: gateway).commands)
        }
        let acceptances = AcceptanceService(
            store: calls, hub: hubs.desk, signer: secrets.signer, issuer: settings.issuer, logger: logger,
            clock: clock
        ) { payload, topic async throws(PublishFailure) in try await sessions.calls.publish(payload, to: topic)
        }
        let deskStatus = DeskStatusService(
            hub: hubs.desk, signer: secrets.signer, issuer: settings.issuer, logger: logger, clock: clock
        ) { [stores] in
            try await stores.houses.houses().map(\.gateway)
        } publish: { payload, topic async throws(PublishFailure) in
            try await sessions.calls.publish(payload, to: topic)
        }
        let forwardings: [any Service] =
            try ForwardingService(
                settings, file: file, sealer: secrets.callSealer, hub: hubs.desk, logger: logger
            ).map { [$0] } ?? []
        return [
            sessions, commands, acceptances, AttendanceService(hub: hubs.desk, logger: logger), deskStatus,
            Housekeeping(
                stores: stores, links: links, companies: companies, calls: calls,
                retention: settings.retention, logger: logger, clock: clock),
            groups.service(logger: logger, clock: clock), RunLoop(runService, logger: logger),
        ] + forwardings
            + companies.services(secrets: secrets, settings: settings, logger: logger, clock: clock)
    }

    /// Reads the houses before the first message is judged, and shows the pages what another server may not have told them.
    func prepare() async throws {
        try await directory.refresh()
        hubs.desk.changed()
    }
}
