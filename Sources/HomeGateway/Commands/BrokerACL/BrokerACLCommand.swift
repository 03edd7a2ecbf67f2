import ArgumentParser
import ControlSocket
import GatewayModel
import Hub

/// `homegateway broker-acl`
struct BrokerACLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker-acl",
        abstract: "Print what a broker must let gateways and those who listen to them do, and no more.",
        discussion: """
            For Mosquitto the lines of an acl_file; without a GATEWAY, the rule for a
            whole fleet. For RabbitMQ the rabbitmqctl commands for each user, who must
            exist. A user's name is the gateway's id, and so is the client id.

              homegateway broker-acl --for mosquitto --consumer cloud
              homegateway broker-acl --for rabbitmq house-12 house-13 | sh
            """)

    enum Broker: String, ExpressibleByArgument, CaseIterable {
        case mosquitto, rabbitmq
    }

    @Option(name: .customLong("for"), help: ArgumentHelp("Whose form.", valueName: "broker"))
    var broker: Broker

    @Argument(
        help: ArgumentHelp("The ids of gateways.", valueName: "gateway"),
        transform: Self.name(of: GatewayID.self))
    var gateways: [GatewayID] = []

    @Option(
        name: .long, help: ArgumentHelp("A user who reads what all gateways send.", valueName: "user"),
        transform: Self.name(of: BrokerUser.Login.self))
    var consumer: [BrokerUser.Login] = []

    @Option(
        name: .long,
        help: ArgumentHelp("A user who reads calls for help and says who has taken one.", valueName: "user"),
        transform: Self.name(of: BrokerUser.Login.self))
    var emergencyService: [BrokerUser.Login] = []

    @Option(
        name: .long,
        help: ArgumentHelp("A user who sends signed commands and reads their receipts.", valueName: "user"),
        transform: Self.name(of: BrokerUser.Login.self))
    var issuer: [BrokerUser.Login] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A third party, who reads what persons granted it; its id is its user name.", valueName: "id"),
        transform: Self.name(of: PartyID.self))
    var party: [PartyID] = []

    func validate() throws {
        let logins = consumer + emergencyService + issuer
        let names = gateways.map(\.text) + logins.map(\.text) + party.map(\.text)
        // The rights of one name add up, whoever they were meant for.
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw ValidationError("'\(twice)' is named twice: give each user a name of their own")
        }
        if broker == .rabbitmq && names.isEmpty {
            throw ValidationError("RabbitMQ has no rule for a whole fleet: name the gateways")
        }
    }

    func run() throws {
        let boxes = gateways.map(BrokerUser.gateway)
        let others =
            consumer.map(BrokerUser.consumer) + emergencyService.map(BrokerUser.emergencyService)
            + issuer.map(BrokerUser.issuer) + party.map(BrokerUser.party)
        let lines =
            switch broker {
            case .mosquitto: MosquittoACL.lines(gateways: boxes, others: others)
            case .rabbitmq: RabbitMQPermissions.lines(boxes + others)
            }
        for line in lines { Shown.line(line) }
    }

    private static func name<Form: Name>(of form: Form.Type) -> @Sendable (String) throws -> Form {
        { text in
            guard let name = form.init(text) else {
                throw ValidationError("saw '\(text)', expected \(form.form)")
            }
            return name
        }
    }
}
