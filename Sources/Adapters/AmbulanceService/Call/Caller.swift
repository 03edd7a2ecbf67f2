/// Who calls whom, in every message of a channel.
struct Caller: Hashable, Sendable {
    let sender: String
    let addresses: [String]

    /// - Throws: what CAP 1.2 section 3.2.1 does not let stand.
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
