import ArgumentParser
import CloudCommands
import Contract
import GatewayModel
import JSONReading
import MQTTBridge
import OutboxService
import RealTime
import Settings

/// `homegateway contract replay`
struct ContractReplay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send signed commands to a gateway, and show its receipts.",
        discussion: """
            Reads commands, one a line, as homegateway contract sign prints them;
            sends each to trackme/v1/GATEWAY/commands and shows the receipt that
            answers it, checked with the gateway's key.

            The broker is that of the settings, or --broker HOST:PORT without TLS,
            for a test. Exit code: 1 where a command is refused, or gets no receipt or
            an invalid one.
            """)

    @Argument(help: ArgumentHelp("The commands. Default: standard input.", valueName: "file"))
    var path: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The gateway's public key, of homegateway contract keys --jwks.", valueName: "file"))
    var receipts: String

    @Option(
        name: .long, help: ArgumentHelp("The gateway. Default: that of the settings.", valueName: "id"))
    var gateway: String?

    @Option(name: .long, help: ArgumentHelp("A broker without TLS.", valueName: "host:port"))
    var broker: String?

    @Option(name: .long, help: ArgumentHelp("Time limit for each receipt.", valueName: "seconds"))
    var wait = 10

    @OptionGroup var file: SettingsOption

    func run() async throws {
        let check = try await ContractInput.receiptCheck(receipts)
        let commands = try ContractInput.lines(path)
        let (settings, id) = try target()
        let topics = Topics(gateway: id)
        do {
            let client = try ContractClient(settings, within: .seconds(10))
            try client.subscribe(to: topics.receipts, within: .seconds(10))
            var areAllTaken = true
            for command in commands {
                try client.send(command, to: topics.commands)
                areAllTaken = try isTaken(command, client, check) && areAllTaken
            }
            guard areAllTaken else { throw ExitCode(1) }
        } catch let error as BrokerError {
            SettingsOption.complain(error.description)
            throw ExitCode.unavailable
        }
    }

    private func target() throws -> (BrokerSettings, GatewayID) {
        // A client ID of its own: the broker would end the gateway's session for a second client of the same ID.
        let client = MessageID.random(at: Clock.wall()).description
        if let broker {
            guard let id = gateway.flatMap({ GatewayID($0) }) else {
                throw ValidationError("--gateway is missing or invalid; expected \(GatewayID.form)")
            }
            let parts = broker.split(separator: ":")
            guard let host = parts.first, let port = parts.count == 2 ? UInt16(parts[1]) : 1_883 else {
                throw ValidationError("--broker: expected HOST or HOST:PORT")
            }
            let endpoint = BrokerEndpoint(host: String(host), port: port)
            return (BrokerSettings(brokers: [endpoint], clientID: client, security: .plain), id)
        }
        let settings = try file.loadWithoutDevices()
        var broker = try BrokerSettings(from: settings)
        (broker.clientID, broker.sessionExpiry) = (client, .zero)
        return (broker, gateway.flatMap { GatewayID($0) } ?? settings.gateway.id)
    }

    /// Result of a command in its receipt.
    private struct Result: Decodable {
        struct First: Decodable { let result: String }
        let result: String
        /// Of a command that was sent before.
        let first: First?

        var isRefused: Bool { result == "refused" || first?.result == "refused" }
    }

    /// Waits for the receipt with the digest of the command: a receipt for an unreadable command holds no other name.
    ///
    /// - Returns: whether the gateway has taken the command.
    private func isTaken(
        _ command: [UInt8], _ client: ContractClient, _ check: ReceiptCheck
    ) throws -> Bool {
        let digest = #""message":"\#(CommandVerifier.digest(of: command))""#
        let deadline = Clock.boot().advanced(by: .seconds(wait))
        while Clock.boot() < deadline {
            let left = Clock.boot().duration(to: deadline)
            guard let message = try client.next(within: left) else { break }
            do throws(CommandRefusal) {
                let bytes = try check.claims(of: message.payload)
                let claims = String(decoding: bytes, as: UTF8.self)
                guard claims.contains(digest) else { continue }
                print(claims)
                let result: Result? = try? JSONReader.decode(from: bytes, limit: bytes.count)
                return result.map { !$0.isRefused } ?? false
            } catch {
                SettingsOption.complain("\(error.reason.rawValue): \(error.detail)")
                return false
            }
        }
        SettingsOption.complain("no receipt within \(wait) s: does this gateway take commands of this broker?")
        return false
    }
}
