import GatewayModel
import RealTime

/// Handles the broker's packets on a connection that is served.
extension ServedConnection {
    /// Reads and hands on the packets, and only then permits their acknowledgements to be written.
    func receive() -> Ending? {
        var failure = connection.read()
        while failure == nil, connection.board.notices.count < runner.host.readLimit, connection.isReadable {
            failure = connection.read()
        }
        let isAnythingWhole = !connection.board.notices.isEmpty
        // First the packets that were still received, then the end: an acknowledgement read is an acknowledgement.
        if let ending = handleNotices() { return ending }
        if let failure { return end(failure) }
        if let ending = cutShort(isAnythingWhole) { return ending }
        return connection.write().map(end)
    }

    /// Returns the end of the connection, with its cause and state.
    private func end(_ failure: String) -> Ending {
        connection.isHungUp && (inFlight.isEmpty || hasAcknowledged) ? .closed(failure) : .lost(failure)
    }

    func handleNotices() -> Ending? {
        for notice in connection.board.takeNotices() {
            if let ending = handle(notice) { return ending }
        }
        guard case .notKept(let reason) = runner.host.commit() else { return nil }
        return .lost("messages could not be kept, and are not acknowledged: \(reason)")
    }

    private func handle(_ notice: Notice) -> Ending? {
        switch notice {
        case .answered(let packet, let code, let text): answered(packet, code, text)
        case .subscribed(let packet, let code): subscribed(packet, code)
        case .message(let message): return received(message)
        case .dismissed(let code):
            return code.retryHelps ? .lost("the broker disconnected: \(code)") : .refused(code, text(of: code))
        case .connected, .connectionRefused:
            return .lost("a second CONNACK on one connection")
        }
        return nil
    }

    /// A message that is not passed on is acknowledged all the same, or it would come again with every connection.
    private func received(_ message: InboundMessage) -> Ending? {
        if let fault = rules.fault(topic: message.topic, payloadBytes: message.payload.count) {
            runner.note(fault)
            return nil
        }
        guard case .notKept(let reason) = runner.host.receive(message) else { return nil }
        return .lost("a message could not be kept, and is not acknowledged: \(reason)")
    }

    /// Ends a connection on which a packet grows beyond the limit.
    private func cutShort(_ isAnythingWhole: Bool) -> Ending? {
        guard let bytes = connection.receivedBytes else { return nil }
        let now = Clock.boot()
        guard !isAnythingWhole else {
            lastWhole = (now, bytes)
            return nil
        }
        let seconds = UInt64(max(0, lastWhole.at.duration(to: now).components.seconds))
        let limit = InboundRules.unfinishedLimit + InboundRules.unfinishedRate * seconds
        guard bytes > lastWhole.bytes, bytes - lastWhole.bytes > limit else { return nil }
        runner.note(.endlessPacket)
        return .lost(
            "the broker sends a packet of more than \(InboundRules.packetLimit) bytes, the most we take")
    }

    private func answered(_ packet: Int32, _ code: ReasonCode, _ text: String?) {
        guard let id = inFlight.answered(packet) else { return }
        if code.isFailure {
            runner.host.refused(id, code, reason: text.map { "\(code): \($0)" } ?? "\(code)")
        } else {
            hasAcknowledged = true
            runner.host.acknowledged(id)
        }
    }

    /// Handles the answer to a subscription. A granted QoS below the requested one is a refusal too: a command must not
    /// be lost in silence.
    private func subscribed(_ packet: Int32, _ code: ReasonCode) {
        guard let (topic, qos) = pendingSubscriptions.removeValue(forKey: packet) else { return }
        if code.isFailure {
            runner.host.report(.subscriptionRefused(topic: topic, reason: "\(code)"))
        } else if code.rawValue < qos {
            runner.host.report(.subscriptionRefused(topic: topic, reason: "the broker grants only QoS 0"))
        } else {
            runner.host.report(.subscribed(topic: topic))
        }
    }

    private func text(of code: ReasonCode) -> String {
        guard code == .sessionTakenOver else { return "\(code)" }
        return "\(code): another client connected with our client id '\(runner.settings.clientID)'; "
            + "give every gateway its own"
    }
}
