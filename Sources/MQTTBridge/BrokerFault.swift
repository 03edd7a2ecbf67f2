/// A broker's violation of the protocol: the packet is counted, and never passed on.
public enum BrokerFault: String, CaseIterable, Hashable, Sendable {
    /// No filter of this session matches the topic. Also a topic to which an older version of the gateway subscribed,
    /// if the broker still remembers it.
    case topicNotAskedFor = "topic-not-asked-for"
    /// A topic to publish to has no wildcards (MQTT 5 section 3.3.2.1).
    case malformedTopic = "malformed-topic"
    /// A payload above the limit that CONNECT names (MQTT 5 section 3.1.2.11.4).
    case oversizedMessage = "oversized-message"
    /// Above the limit by so much that the connection was cut before the packet was whole.
    case endlessPacket = "endless-packet"
    /// Something on which the MQTT library ended the process of the session, or made it hang: counted since the
    /// last connection that lasted.
    case endsTheProcess = "ends-the-process"
}

/// How often each fault was seen, and which count is worth a word. Pure.
struct FaultCounts: Sendable {
    private var counts: [BrokerFault: Int] = [:]

    /// - Returns: the count, where it is the first or a tenfold of the last one told.
    mutating func add(_ fault: BrokerFault) -> Int? {
        let count = counts[fault, default: 0] + 1
        counts[fault] = count
        var step = 1
        while step < count { step *= 10 }
        return step == count ? count : nil
    }
}
