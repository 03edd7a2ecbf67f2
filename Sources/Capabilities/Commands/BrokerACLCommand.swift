import ArgumentParser
import Contract
import ControlContract
import GatewayModel
import Hub

/// `homegateway broker-acl`
struct BrokerACLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker-acl",
        abstract: "Print the minimum rights of gateways and of their readers at a broker.",
        discussion: """
            For Mosquitto, the lines of an acl_file; without a GATEWAY, the rule for a
            whole fleet. For RabbitMQ, the rabbitmqctl commands for each user, which must
            exist. The gateway's id is its user name and its client id. A server with
            several tasks is named in each of the options.

              homegateway broker-acl --for mosquitto --consumer cloud
              homegateway broker-acl --for rabbitmq house-12 house-13 | sh
            """)

    enum Broker: String, ExpressibleByArgument, CaseIterable {
        case mosquitto, rabbitmq
    }

    @Option(name: .customLong("for"), help: ArgumentHelp("The broker software.", valueName: "broker"))
    var broker: Broker

    @Argument(
        help: ArgumentHelp("The ids of gateways.", valueName: "gateway"),
        transform: Self.name(of: GatewayID.self))
    var gateways: [GatewayID] = []

    @Option(
        name: .long, help: ArgumentHelp("A user that reads the messages of all gateways.", valueName: "user"),
        transform: Self.name(of: BrokerUser.Login.self))
    var consumer: [BrokerUser.Login] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A user that reads calls for help, sends acceptances, and tells whether somebody is at its desk.",
            valueName: "user"),
        transform: Self.name(of: BrokerUser.Login.self))
    var emergencyService: [BrokerUser.Login] = []

    @Option(
        name: .long,
        help: ArgumentHelp("A user that sends signed commands and reads their receipts.", valueName: "user"),
        transform: Self.name(of: BrokerUser.Login.self))
    var issuer: [BrokerUser.Login] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A user that reads the data for third parties, of all gateways, to hand it on to them.",
            valueName: "user"),
        transform: Self.name(of: BrokerUser.Login.self))
    var relay: [BrokerUser.Login] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A third party, which reads the data that persons granted it; its user name is <id>@party.",
            valueName: "id"),
        transform: Self.name(of: PartyID.self))
    var party: [PartyID] = []

    func validate() throws {
        // The broker adds up all rights of one name: a server may have several tasks, a gateway and a party may not.
        let logins = Set((consumer + emergencyService + issuer + relay).map(\.text))
        let names = gateways.map(\.text) + logins + party.map { BrokerUser.party($0).name }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw ValidationError("'\(twice)' is named twice: give each user a name of their own")
        }
        if broker == .rabbitmq && names.isEmpty {
            throw ValidationError("RabbitMQ has no rule for a whole fleet: name the gateways")
        }
    }

    func run() throws {
        let boxes = gateways.map(BrokerUser.gateway)
        let servers =
            consumer.map(BrokerUser.consumer) + emergencyService.map(BrokerUser.emergencyService)
            + issuer.map(BrokerUser.issuer) + relay.map(BrokerUser.relay)
        let others = BrokerUser.joined(servers) + party.map(BrokerUser.party)
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

/// User at the broker, with the topics of the contract that it may write and read.
///
/// A client that connects under the name of a gateway is that gateway: user name, client ID and gateway ID are one.
struct BrokerUser: Hashable, Sendable {
    /// Name of a user, with the form of a gateway ID: it can hide no topic and no pattern.
    struct Login: Name {
        let text: String
        init(_ name: CheckedName) { text = name.text }
    }

    let name: String
    /// MQTT topic filters. A topic that matches no filter is refused.
    let writes: [String]
    let reads: [String]
    /// It may have more sessions, for calls for help alone. Their client IDs are the name with `-sos` behind it, and for each
    /// of several servers a hyphen and a word of its own.
    var hasCallSession = false

    /// Gateway: its own topics, including the retained status and the last will.
    static func gateway(_ id: GatewayID) -> BrokerUser {
        own(Topics(gateway: id), as: id.text)
    }

    /// Every gateway, in one rule: the broker replaces `name` by the name of the connected user.
    static func everyGateway(as name: String) -> BrokerUser {
        own(.of(level: name), as: name)
    }

    /// Consumer: reads the messages of all gateways to the cloud, without those to third parties, and writes nothing.
    static func consumer(_ login: Login) -> BrokerUser {
        BrokerUser(
            name: login.text, writes: [], reads: Topics.of(level: "+").cloudFilters, hasCallSession: true)
    }

    /// Relay: reads the data that persons in any house granted to third parties, to hand it on, and writes nothing.
    static func relay(_ login: Login) -> BrokerUser {
        BrokerUser(name: login.text, writes: [], reads: [Topics.of(level: "+").sharedFilter])
    }

    /// Returns one user for each name, with all the rights of that name.
    static func joined(_ users: [BrokerUser]) -> [BrokerUser] {
        users.reduce(into: []) { joined, user in
            guard let index = joined.firstIndex(where: { $0.name == user.name }) else {
                joined.append(user)
                return
            }
            let known = joined[index]
            joined[index] = BrokerUser(
                name: user.name, writes: known.writes + user.writes.filter { !known.writes.contains($0) },
                reads: known.reads + user.reads.filter { !known.reads.contains($0) },
                hasCallSession: known.hasCallSession || user.hasCallSession)
        }
    }

    /// Third party: reads the data that persons in any house granted it, and writes nothing.
    ///
    /// Its name is never that of a gateway: by the rule for a whole fleet each user is the gateway of that name, and a party
    /// called `house-12` would call for help in its place.
    static func party(_ id: PartyID) -> BrokerUser {
        BrokerUser(name: id.text + "@party", writes: [], reads: [Topics.of(level: "+").partyFilter(id)])
    }

    /// Signer of commands: sends them to any gateway, reads the status and the receipts of the boxes, and reads no
    /// person's readings.
    static func issuer(_ login: Login) -> BrokerUser {
        let all = Topics.of(level: "+")
        return BrokerUser(name: login.text, writes: [all.commands], reads: [all.status, all.receipts])
    }

    /// Service that takes calls for help: reads the calls and the status of the boxes, no person's readings, and sends
    /// acceptances and the statuses of its desk.
    static func emergencyService(_ login: Login) -> BrokerUser {
        let all = Topics.of(level: "+")
        return BrokerUser(
            name: login.text, writes: [all.acceptedFilter, all.desk],
            reads: [all.status, all.callFilter, all.acceptedFilter], hasCallSession: true)
    }

    private static func own(_ topics: Topics, as name: String) -> BrokerUser {
        BrokerUser(name: name, writes: topics.sentFilters, reads: topics.receivedFilters)
    }
}

/// Lines of the acl_file of mosquitto.conf(5).
enum MosquittoACL {
    /// Placeholder that Mosquitto replaces by the name of the connected user.
    private static let userName = "%u"

    /// - Parameter gateways: named one by one; without any, every user is the gateway of their name.
    static func lines(gateways: [BrokerUser], others: [BrokerUser]) -> [String] {
        let heading = ["# Topics that no line names are refused. Set allow_anonymous false."]
        let fleet =
            gateways.isEmpty
            ? ["# The fleet: each user is the gateway of that name."]
                + rights(of: .everyGateway(as: userName), "pattern") : []
        let named = (gateways + others).map { ["user \($0.name)"] + rights(of: $0, "topic") }
        return heading + ([fleet] + named).filter { !$0.isEmpty }.flatMap { [""] + $0 }
    }

    private static func rights(of user: BrokerUser, _ word: String) -> [String] {
        user.writes.map { "\(word) write \($0)" } + user.reads.map { "\(word) read \($0)" }
    }
}

/// Commands that give existing users their rights at RabbitMQ's MQTT plugin.
///
/// The plugin makes topics routing keys of the exchange `amq.topic` (`/` becomes `.`, `+` becomes `*`), and each
/// subscriber's session a queue `mqtt-subscription-<client id>qos<0 or 1>`. To subscribe is to configure and
/// write that queue and to read the exchange; the filter asked for is judged as the routing key of a binding.
/// Source: the plugin's guide and `rabbit_mqtt_util` of RabbitMQ 3.10.
enum RabbitMQPermissions {
    private static let exchange = "amq.topic"

    static func lines(_ users: [BrokerUser]) -> [String] {
        users.flatMap { user in
            let queue =
                "mqtt-subscription-\(user.name)\(user.hasCallSession ? "(-sos(-[0-9a-z]+)?)?" : "")qos[01]"
            let both = "^(amq\\.topic|\(queue))$"
            return [
                command(
                    "set_permissions", user.name,
                    ["^\(queue)$", user.writes.isEmpty ? "^\(queue)$" : both, both]),
                command(
                    "set_topic_permissions", user.name, [exchange, pattern(user.writes), pattern(user.reads)]),
            ]
        }
    }

    /// The words need no escaping: names hold no special character of a shell or a regular expression.
    private static func command(_ verb: String, _ user: String, _ words: [String]) -> String {
        "rabbitmqctl \(verb) \(user) " + words.map { "'\($0)'" }.joined(separator: " ")
    }

    /// One regular expression for all filters; without filters, one that matches no topic.
    static func pattern(_ filters: [String]) -> String {
        guard !filters.isEmpty else { return "^$" }
        let keys = filters.map { filter in
            filter.split(separator: "/").map { key(of: $0) }.joined(separator: "\\.")
        }
        return "^(\(keys.joined(separator: "|")))$"
    }

    /// One level: `+` matches any word except the wildcard of many levels, which would ask for more than one level.
    private static func key(of level: Substring) -> String {
        switch level {
        case "+": "[^.#]+"
        case "#": ".+"
        default: String(level)
        }
    }
}
