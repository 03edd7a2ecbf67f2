/// A broker's violation of the protocol: the packet is counted, and never passed on.
public enum BrokerFault: String, CaseIterable, Hashable, Sendable {
    /// No filter of this session matches the topic. Also a topic to which an older version of the gateway subscribed,
    /// if the broker still remembers it.
    case topicNotAskedFor = "topic-not-asked-for"
    /// A topic to publish to has no wildcards (MQTT 5 section 3.3.2.1).
    case malformedTopic = "malformed-topic"
    /// A payload above the limit that CONNECT names (MQTT 5 section 3.1.2.11.4).
    case oversizedMessage = "oversized-message"
    /// A packet so far above the limit that the connection was cut before the packet was whole.
    case endlessPacket = "endless-packet"
    /// Data on which the MQTT library ended the process of the session, or hung: counted since the last connection that
    /// lasted.
    case endsTheProcess = "ends-the-process"
}

/// Counts of each fault. Pure.
struct FaultCounts: Sendable {
    private var counts: [BrokerFault: Int] = [:]

    /// - Returns: the count, if it is the first or a tenfold of the last reported one.
    mutating func add(_ fault: BrokerFault) -> Int? {
        let count = counts[fault, default: 0] + 1
        counts[fault] = count
        var step = 1
        while step < count { step *= 10 }
        return step == count ? count : nil
    }
}
