public import HTTPTransfers

/// Sender and addresses of every message of a caller.
public struct Caller: Hashable, Sendable {
    public let sender: String
    public let addresses: [String]

    /// - Parameter needsAddresses: whether at least one address has to be there, as in CAP.
    /// - Throws: `unusableSetting` for a value that CAP 1.2 section 3.2.1 forbids.
    public init(sender: String, addresses: [String], needsAddresses: Bool) throws(TransferError) {
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
        guard !needsAddresses || !addresses.isEmpty else {
            throw .unusableSetting("addresses is empty; CAP wants at least one for a private message")
        }
        for address in addresses where !isPlain(address) || address.contains("\"") {
            throw .unusableSetting(
                "address '\(address)' cannot be sent; expected 1 to 200 characters without quotes and line breaks"
            )
        }
        (self.sender, self.addresses) = (sender, addresses)
    }
}
