import Contract
import ContractSamples
import Foundation
import GatewayModel
import Hub
import ModelSamples
import Samples
import Testing

@testable import Commands

@Suite struct `The rights at a broker` {
    private static let house = BrokerUser.gateway(GatewayID(sample: "house-1"))
    private static let cloud = BrokerUser.consumer(BrokerUser.Login(sample: "cloud"))
    private static let centre = BrokerUser.emergencyService(BrokerUser.Login(sample: "centre"))

    @Test func `for Mosquitto serve a fleet by one pattern, and name those who listen`() {
        #expect(
            MosquittoACL.lines(gateways: [], others: [Self.centre]) == [
                "# Topics that no line names are refused. Set allow_anonymous false.", "",
                "# The fleet: each user is the gateway of that name.",
                "pattern write trackme/v1/%u/status", "pattern write trackme/v1/%u/heartbeat",
                "pattern write trackme/v1/%u/samples/#", "pattern write trackme/v1/%u/runs/#",
                "pattern write trackme/v1/%u/sos/+", "pattern write trackme/v1/%u/notices/+",
                "pattern write trackme/v1/%u/receipts",
                "pattern write trackme/v1/%u/parties/#",
                "pattern read trackme/v1/%u/sos/+/accepted", "pattern read trackme/v1/%u/commands",
                "pattern read trackme/v1/%u/desk", "",
                "user centre", "topic write trackme/v1/+/sos/+/accepted", "topic write trackme/v1/+/desk",
                "topic read trackme/v1/+/status",
                "topic read trackme/v1/+/sos/+", "topic read trackme/v1/+/sos/+/accepted",
            ])
    }

    @Test func `for Mosquitto hold no pattern where the gateways are named`() {
        let lines = MosquittoACL.lines(gateways: [Self.house], others: [])
        #expect(lines.contains("user house-1") && lines.contains("topic write trackme/v1/house-1/status"))
        #expect(!lines.contains { $0.contains("%u") })
    }

    @Test func `for RabbitMQ are commands for each user`() {
        #expect(
            RabbitMQPermissions.lines([Self.house]) == [
                "rabbitmqctl set_permissions house-1 '^mqtt-subscription-house-1qos[01]$' "
                    + "'^(amq\\.topic|mqtt-subscription-house-1qos[01])$' "
                    + "'^(amq\\.topic|mqtt-subscription-house-1qos[01])$'",
                "rabbitmqctl set_topic_permissions house-1 'amq.topic' "
                    + "'^(trackme\\.v1\\.house-1\\.status|trackme\\.v1\\.house-1\\.heartbeat"
                    + "|trackme\\.v1\\.house-1\\.samples\\..+|trackme\\.v1\\.house-1\\.runs\\..+"
                    + "|trackme\\.v1\\.house-1\\.sos\\.[^.#]+"
                    + "|trackme\\.v1\\.house-1\\.notices\\.[^.#]+"
                    + "|trackme\\.v1\\.house-1\\.receipts|trackme\\.v1\\.house-1\\.parties\\..+)$' "
                    + "'^(trackme\\.v1\\.house-1\\.sos\\.[^.#]+\\.accepted|trackme\\.v1\\.house-1\\.commands"
                    + "|trackme\\.v1\\.house-1\\.desk)$'",
            ])
    }

    @Test func `for RabbitMQ let a server have a session of its own for calls, and no other client`() throws {
        let servers = BrokerUser.joined([
            Self.cloud, .relay(BrokerUser.Login(sample: "cloud")), .issuer(BrokerUser.Login(sample: "signer")),
        ])
        let lines = RabbitMQPermissions.lines(servers).filter { $0.contains("set_permissions") }
        #expect(lines.count == 2)
        #expect(lines[0].contains("'^mqtt-subscription-cloud(-sos(-[0-9a-z]+)?)?qos[01]$'"))
        #expect(lines[1].contains("'^mqtt-subscription-signerqos[01]$'"))
    }

    @Test func `for RabbitMQ let through what is meant, and neither a neighbour's nor a wider one`() throws {
        let write = try Regex(RabbitMQPermissions.pattern(Self.house.writes))
        let read = try Regex(RabbitMQPermissions.pattern(Self.house.reads))
        let hear = try Regex(RabbitMQPermissions.pattern(Self.cloud.reads))
        func key(_ topic: String) -> String { topic.replacing("/", with: ".").replacing("+", with: "*") }
        func matches(_ regex: Regex<AnyRegexOutput>, _ topic: String) -> Bool {
            key(topic).wholeMatch(of: regex) != nil
        }
        for own in [
            "status", "samples/maria/heart-rate", "samples/maria/heart-rate/gap", "sos/maria",
            "runs/spring-10k/passings", "runs/spring-10k/positions",
        ] {
            #expect(matches(write, "trackme/v1/house-1/\(own)"))
            #expect(matches(hear, "trackme/v1/+/\(own)"))
            #expect(!matches(write, "trackme/v1/house-12/\(own)"))
        }
        #expect(!matches(write, "trackme/v1/house-1/sos/maria/accepted"), "nobody takes their own call")
        #expect(!matches(write, "trackme/v1/house-1/commands"), "nobody commands themselves, nor a neighbour")
        #expect(!matches(write, "trackme/v1/house-1/desk") && matches(read, "trackme/v1/house-1/desk"))
        #expect(matches(read, "trackme/v1/house-1/commands") && matches(hear, "trackme/v1/+/receipts"))
        #expect(matches(read, "trackme/v1/house-1/sos/+/accepted"))
        for wider in ["#", "trackme/v1/#", "trackme/v1/+/sos/+/accepted", "trackme/v1/house-1/#"] {
            #expect(!matches(read, wider))
        }
        #expect(matches(hear, "trackme/v1/+/samples/#"))
        #expect(!matches(hear, "trackme/v1/#") && !matches(hear, "trackme/v1/+/sos/#"))
        #expect("x".wholeMatch(of: try Regex(RabbitMQPermissions.pattern(Self.cloud.writes))) == nil)
    }

    @Test func `let a third party hear what is theirs, of every house, and nobody else hear it`() throws {
        let clinic = BrokerUser.party(PartyID(sample: "clinic"))
        #expect(clinic.writes.isEmpty)
        #expect(
            MosquittoACL.lines(gateways: [Self.house], others: [clinic]).suffix(2) == [
                "user clinic@party", "topic read trackme/v1/+/parties/clinic/#",
            ])
        // By the rule for a whole fleet each user is the gateway of that name.
        #expect(GatewayID(clinic.name) == nil)
        let shared = "trackme.v1.house-1.parties.clinic.maria.heart-rate"
        let others = [Self.cloud, Self.centre, .party(PartyID(sample: "study"))]
        for user in [clinic] + others {
            let hear = try Regex(RabbitMQPermissions.pattern(user.reads))
            #expect((shared.wholeMatch(of: hear) != nil) == (user == clinic), "\(user.name)")
        }
    }

    @Test func `let an issuer command every house and hear what they answer, and no reading`() throws {
        let issuer = BrokerUser.issuer(BrokerUser.Login(sample: "trackme"))
        #expect(
            MosquittoACL.lines(gateways: [Self.house], others: [issuer]).suffix(4) == [
                "user trackme", "topic write trackme/v1/+/commands", "topic read trackme/v1/+/status",
                "topic read trackme/v1/+/receipts",
            ])
        for user in [Self.house, Self.cloud, Self.centre, .party(PartyID(sample: "clinic")), issuer] {
            let write = try Regex(RabbitMQPermissions.pattern(user.writes))
            let isLet = "trackme.v1.house-1.commands".wholeMatch(of: write) != nil
            #expect(isLet == (user == issuer), "\(user.name)")
        }
        let hear = try Regex(RabbitMQPermissions.pattern(issuer.reads))
        for envelope in ContractMessages.all {
            let key = envelope.topic.replacing("/", with: ".")
            let isLet = ["status", "receipts"].contains { envelope.topic.hasSuffix("/\($0)") }
            #expect((key.wholeMatch(of: hear) != nil) == isLet, "\(envelope.topic)")
        }
    }

    @Test func `cover every message that the gateway can make`() throws {
        let write = try Regex(
            RabbitMQPermissions.pattern(BrokerUser.gateway(Sample.topics.gateway).writes))
        for envelope in ContractMessages.all {
            let key = envelope.topic.replacing("/", with: ".")
            #expect(key.wholeMatch(of: write) != nil, "\(envelope.topic)")
        }
    }
}
