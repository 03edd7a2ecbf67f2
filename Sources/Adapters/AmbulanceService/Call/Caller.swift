import SOSLocal

/// Sender and addresses of every message of a channel.
struct Caller: Hashable, Sendable {
    let sender: String
    let addresses: [String]

    /// - Throws: `unusableSetting` for a value that CAP 1.2 section 3.2.1 forbids.
    init(sender: String, addresses: [String], format: HTTPSChannel.Format) throws(AmbulanceServiceError) {
        let forbidden = ",<&"
        func isPlain(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.count <= 200
                && text.unicodeScalars.allSatisfy { XMLWriter.isAllowed($0) }
                && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        guard isPlain(sender), !sender.contains(where: { $0.isWhitespace || forbidden.contains($0) }) else {
            throw .unusableSetting(
                "sender is '\(sender)'; expected 1 to 200 characters without space, comma, '<' and '&'")
        }
        guard format == .json || !addresses.isEmpty else {
            throw .unusableSetting("addresses is empty; CAP wants at least one for a private message")
        }
        for address in addresses where !isPlain(address) || address.contains("\"") {
            throw .unusableSetting(
                "address '\(address)' cannot be sent; expected 1 to 200 characters without quotes and line breaks"
            )
        }
        self.sender = sender
        self.addresses = addresses
    }
}

/// Which message of which alarm: the same for every attempt of it, also after a restart.
struct MessageIdentity: Hashable, Sendable {
    let alarm: AlarmID
    private let step: String

    init(_ order: DispatchOrder) {
        alarm = order.alarm
        step = "\(order.stage.rawValue).\(order.round)"
    }

    init(_ retraction: Retraction) {
        alarm = retraction.alarm
        step = retraction.ending.word
    }

    /// `<alarm>.confirmed.2`, `<alarm>.aborted`: of the characters that CAP and HTTP headers let stand.
    var text: String { "\(alarm).\(step)" }
}
