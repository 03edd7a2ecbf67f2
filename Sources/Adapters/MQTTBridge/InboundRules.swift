import CMosquitto

/// Rules for the messages that this session accepts from a broker. Decisions only.
struct InboundRules: Sendable {
    /// Bytes. The cloud sends commands of a few kilobytes; CONNECT names this limit as the largest packet.
    static let packetLimit = 65_536
    /// Maximum number of bytes since the last whole packet. libmosquitto 2.0.11 reads packets of any size up to the 256
    /// MiB of the protocol into memory (see packet__read), which a small box does not have.
    static let unfinishedLimit: UInt64 = 131_072
    /// Additional bytes a second: the library does not report the packets that answer pings.
    static let unfinishedRate: UInt64 = 100

    let filters: [String]

    init(filters: [String]) {
        self.filters = filters.map(Self.topicFilter)
    }

    /// - Returns: nil for a message to pass on.
    func fault(topic: String, payloadBytes: Int) -> BrokerFault? {
        guard mosquitto_pub_topic_check(topic) == MOSQ_ERR_SUCCESS.rawValue else { return .malformedTopic }
        guard filters.contains(where: { Self.matches(topic, $0) }) else { return .topicNotAskedFor }
        return payloadBytes <= Self.packetLimit ? nil : .oversizedMessage
    }

    /// The filter of a shared subscription, `$share/<group>/<filter>` (MQTT 5 section 4.8.2), without its first two
    /// levels; any other filter as it is.
    private static func topicFilter(_ subscription: String) -> String {
        let levels = subscription.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        return levels.count == 3 && levels[0] == "$share" ? String(levels[2]) : subscription
    }

    private static func matches(_ topic: String, _ filter: String) -> Bool {
        var matches = false
        let result = mosquitto_topic_matches_sub(filter, topic, &matches)
        return result == MOSQ_ERR_SUCCESS.rawValue && matches
    }
}
