import ControlSocket
import Hub
import OutboxService

/// The commands that let users in at RabbitMQ's MQTT plugin; the users themselves are made elsewhere.
///
/// The plugin makes topics routing keys of the exchange `amq.topic` (`/` becomes `.`, `+` becomes `*`), and each
/// subscriber's session a queue `mqtt-subscription-<client id>qos<0 or 1>`. To subscribe is to configure and
/// write that queue and to read the exchange; the filter asked for is judged as the routing key of a binding.
/// Source: the plugin's guide and `rabbit_mqtt_util` of RabbitMQ 3.10.
enum RabbitMQPermissions {
    private static let exchange = "amq.topic"

    static func lines(_ users: [BrokerUser]) -> [String] {
        users.flatMap { user in
            let queue = "mqtt-subscription-\(user.name)qos[01]"
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

    /// Names hold nothing that a shell or a regular expression takes for its own.
    private static func command(_ verb: String, _ user: String, _ words: [String]) -> String {
        "rabbitmqctl \(verb) \(user) " + words.map { "'\($0)'" }.joined(separator: " ")
    }

    /// One regular expression for all filters; one that nothing matches where there are none.
    static func pattern(_ filters: [String]) -> String {
        guard !filters.isEmpty else { return "^$" }
        let keys = filters.map { filter in
            filter.split(separator: "/").map { key(of: $0) }.joined(separator: "\\.")
        }
        return "^(\(keys.joined(separator: "|")))$"
    }

    /// One level: `+` is any but the wildcard of many levels, with which more than one would be asked for.
    private static func key(of level: Substring) -> String {
        switch level {
        case "+": "[^.#]+"
        case "#": ".+"
        default: String(level)
        }
    }
}
