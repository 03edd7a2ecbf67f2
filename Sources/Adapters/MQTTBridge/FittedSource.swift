import Consent
import Contract
import GatewayModel

/// The outbox, as one connection after the other can carry it: each message in a form that the broker takes.
///
/// A call for help that is too large goes out in its short form. Any other message that is too large is refused, one by
/// one. Used on the mqtt thread alone.
///
/// MQTT 3.1.1 has no word for "too large": a broker acknowledges such a message and drops it, or closes the connection.
/// With that version each call goes out in both forms, the short one first and under an id of its own.
final class FittedSource {
    private let source: any OutboundSource
    private var version = ProtocolVersion.v5
    /// Bytes of a whole packet; nil where the broker names no limit.
    private var limit: Int?
    /// Calls that were given and are not settled.
    private var calls: [MessageID: Call] = [:]
    /// The calls that short forms with an id of their own belong to.
    private var shortForms: [MessageID: MessageID] = [:]
    /// To be given before anything else.
    private var urgent: [Publication] = []

    private struct Call {
        var cleared: Cleared<Envelope>
        /// The full form is on its way.
        var isFullUnderway = false
        /// Connections that ended while it was.
        var losses = 0
        var isShortDelivered = false
    }

    /// Bytes of a packet that every broker in use takes: the smallest limit that was met.
    private static let smallPacket = 256
    /// Calls that are remembered: those that lost their consent while they waited are settled elsewhere.
    private static let rememberedCalls = 64
    /// Connections that end while a call is on its way, with version 5, before it is tried in its short form.
    private static let toleratedLosses = 3

    init(_ source: any OutboundSource) {
        self.source = source
    }

    func connected(_ welcome: Welcome) {
        version = welcome.protocolVersion
        limit = welcome.maximumPacketSize
        urgent = []
    }

    func next() -> Publication? {
        if !urgent.isEmpty { return urgent.removeFirst() }
        while let cleared = source.next() {
            if let publication = fit(cleared) { return publication }
        }
        return nil
    }

    var nextDue: BootInstant? { source.nextDue }

    func hurry() { source.hurry() }

    func acknowledged(_ id: MessageID) {
        if let message = shortForms.removeValue(forKey: id) {
            calls[message]?.isShortDelivered = true
            // Where the full form has ended a connection before, this one is the call.
            guard calls[message]?.isFullUnderway != true else { return }
            settle(message)
            source.acknowledged(message)
        } else {
            settle(id)
            source.acknowledged(id)
        }
    }

    func refused(_ id: MessageID, _ code: ReasonCode, reason: String) {
        if let message = shortForms.removeValue(forKey: id) {
            guard calls[message]?.isFullUnderway != true else { return }
            settle(message)
            source.refused(message, code, reason: reason)
            return
        }
        if code.mayBeOfSize, var call = calls[id], call.isFullUnderway,
            let short = short(call.cleared, within: limit ?? Self.smallPacket)
        {
            call.isFullUnderway = false
            calls[id] = call
            urgent.append(short)
            return
        }
        settle(id)
        source.refused(id, code, reason: reason)
    }

    func connectionLost() {
        for (id, call) in calls {
            calls[id]?.losses += call.isFullUnderway ? 1 : 0
            calls[id]?.isFullUnderway = false
        }
        shortForms = [:]
        urgent = []
        source.connectionLost()
    }

    // MARK: Forms

    /// Nil where the source was told of it.
    private func fit(_ cleared: Cleared<Envelope>) -> Publication? {
        guard cleared.value.isCall else { return fitPlain(cleared) }
        let id = cleared.value.id
        if calls[id] == nil, calls.count >= Self.rememberedCalls { calls = [:] }
        calls[id, default: Call(cleared: cleared)].cleared = cleared
        return version == .v5 ? fitTold(cleared) : fitUntold(cleared)
    }

    /// With MQTT 5: a broker names its limit.
    private func fitTold(_ cleared: Cleared<Envelope>) -> Publication? {
        let full = Publication(cleared)
        if calls[full.id]?.losses ?? 0 < Self.toleratedLosses, isWithinLimit(full) {
            calls[full.id]?.isFullUnderway = true
            return full
        }
        if let short = short(cleared, within: limit ?? Self.smallPacket) { return short }
        refuseForSize(full)
        return nil
    }

    /// With MQTT 3.1.1. The short form first; a full form that a connection has ended on is not tried again.
    private func fitUntold(_ cleared: Cleared<Envelope>) -> Publication? {
        let full = Publication(cleared)
        let isFullTried = calls[full.id]?.losses ?? 0 == 0
        guard isFullTried || calls[full.id]?.isShortDelivered != true else {
            settle(full.id)
            source.acknowledged(full.id)
            return nil
        }
        let id = full.id.derived("short")
        guard let short = short(cleared, within: Self.smallPacket, id: id) else {
            calls[full.id]?.isFullUnderway = true
            return full
        }
        shortForms[id] = full.id
        if isFullTried {
            calls[full.id]?.isFullUnderway = true
            urgent.append(full)
        }
        return short
    }

    private func fitPlain(_ cleared: Cleared<Envelope>) -> Publication? {
        // The properties say nothing of a gathered message: its readings have their ids in the payload.
        let publication = Publication(cleared, isBare: cleared.value.isGathered)
        guard !isWithinLimit(publication) else { return publication }
        refuseForSize(publication)
        return nil
    }

    private func short(_ cleared: Cleared<Envelope>, within packet: Int, id: MessageID? = nil) -> Publication? {
        let room = packet - Publication.bareOverhead(topic: cleared.value.topic, version)
        guard let envelope = cleared.value.shortened(to: room, id: id) else { return nil }
        return cleared.reshaped { _ in envelope }.map { Publication($0, isBare: true) }
    }

    private func isWithinLimit(_ publication: Publication) -> Bool {
        limit.map { publication.packetBytes(version) <= $0 } ?? true
    }

    private func refuseForSize(_ publication: Publication) {
        let limit = limit.map { "\($0)" } ?? "fewer"
        settle(publication.id)
        source.refused(
            publication.id, .packetTooLarge,
            reason:
                "\(ReasonCode.packetTooLarge): a packet of \(publication.packetBytes(version)) bytes, and the "
                + "broker takes \(limit)")
    }

    private func settle(_ id: MessageID) {
        calls[id] = nil
    }
}

extension ReasonCode {
    /// Whether it may mean that a message is too large: 0x95, and 0x83 of Mosquitto for its `message_size_limit`.
    fileprivate var mayBeOfSize: Bool { rawValue == 0x95 || rawValue == 0x83 }
}

extension Publication {
    /// Bytes of its PUBLISH at QoS 1 (MQTT 5 section 3.3), with the longest length field that a small one has.
    func packetBytes(_ version: ProtocolVersion) -> Int {
        var properties = 0
        if version == .v5, !isBare {
            // Payload format, content type, the id as user property, expiry: `PropertyList`.
            properties =
                2 + (3 + "application/json".utf8.count) + (1 + 2 + 2 + 2 + 36) + (expiry == nil ? 0 : 5)
        }
        let body = 2 + topic.utf8.count + 2 + (version == .v5 ? 1 : 0) + properties + payload.count
        return 1 + (body < 128 ? 1 : body < 16_384 ? 2 : body < 2_097_152 ? 3 : 4) + body
    }

    /// Bytes besides the payload, without properties.
    static func bareOverhead(topic: String, _ version: ProtocolVersion) -> Int {
        1 + 3 + 2 + topic.utf8.count + 2 + (version == .v5 ? 1 : 0)
    }
}
