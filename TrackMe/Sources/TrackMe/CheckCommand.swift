import ArgumentParser
import CloudCommands
import Desk
import GatewayModel
import Intake
import Logging
import MQTTBridge
import Parties
import RealTime
import SQLDatabase
import ServerSettings
import SettingsReading
import Store
import WebPages

/// `trackme check`
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the settings, the keys, the database and the broker.")

    @OptionGroup var config: ConfigOption

    func run() async throws {
        let settings = try config.load()
        print("settings: sound (\(config.config))")
        for warning in settings.warnings { print("warning: \(warning)") }
        let secrets = try Secrets(settings)
        print(
            "pages: \(secrets.origin.text), served at \(settings.listen) in clear text for the server with TLS")
        print(secrets.passkeysLine)
        let proxies = settings.trustedProxies.map(\.description).joined(separator: ", ")
        print("clients: by X-Forwarded-For of \(proxies.isEmpty ? "nobody" : proxies); other peers are clients")
        print("commands: signed as \(settings.issuer) with the key \(secrets.signer.keyID)")
        let file = try settings.openDatabase()
        let stores = Stores(in: file)
        for line in try file.report() { print(line) }
        print("houses: \(try await stores.houses.houses().count)")
        print("accounts: \(try await stores.accounts.accounts().count)")
        print("commands without a receipt: \(try await stores.links.openCommandCount())")
        let calls = DeskStore(file: file, sealer: secrets.callSealer)
        try await calls.checkKey()
        print("open calls at the desk: \(try await calls.openCalls().count)")
        switch try await file.read({ try AuditLog.check($0) }) {
        case .sound(let head): print("audit log: sound, its head is \(head)")
        case .changed(let number):
            throw ValidationError(
                "audit log: line \(number) does not follow from the lines before it: the file was changed outside of "
                    + "the server. Restore a backup, or keep the file as evidence.")
        }
        let oldest = try await stores.retention.oldest()
        for age in Retention(settings.retention).ages(of: oldest, at: Clock.wall()) {
            print(age)
            if let finding = age.finding { print("warning: \(finding)") }
        }
        for damage in try await stores.retention.damagedBlocks() {
            print(
                "warning: \(damage). Restore the database from a backup; until then readings that came in this time are set aside"
            )
        }
        for line in try await SuspendedWebhooks.lines(in: file) { print(line) }
        for holders in try await stores.facts.contestedCodes() {
            let names = holders.map(\.description).joined(separator: ", ")
            print(
                "warning: houses give one fiscal code for \(names). Companies find the first one alone: ask these users"
            )
        }
        for letter in try await stores.intake.deadLetters(most: 5) {
            print("set aside: \(letter.at.millisecondsSince1970) \(letter.reason.rawValue): \(letter.detail)")
        }
        let hub = DeskHub { Clock.boot() }
        let forwarding = try ForwardingService(
            settings, file: file, sealer: secrets.callSealer, hub: hub, logger: Logger(label: "trackme"))
        if let forwarding {
            if let reason = try await forwarding.test() { throw ValidationError("forwarding: \(reason)") }
            print("forwarding: the outside service takes a test message")
        }
        do throws(BrokerError) {
            var probe = try checkedBroker(settings)
            // The client id of the server is in use while it runs.
            probe.clientID += "-check"
            probe.sessionExpiry = .zero
            let client = try ContractClient(probe, within: .seconds(10))
            for filter in MessageReader.callFilters + MessageReader.filters {
                try client.subscribe(to: filter, within: .seconds(5))
            }
            print("broker: accepts the session and its subscriptions")
        } catch {
            throw ValidationError("broker: \(error)")
        }
    }

    private func checkedBroker(_ settings: ServerSettings) throws(BrokerError) -> BrokerSettings {
        do {
            return try BrokerSettings(settings)
        } catch {
            throw .unusableSetting("\(error)")
        }
    }
}
