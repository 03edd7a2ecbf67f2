/// An `alert` of the OASIS Common Alerting Protocol 1.2 (section 3.2), as far as a home needs it.
public struct CAPMessage: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable {
        case actual = "Actual"
        case exercise = "Exercise"
        /// Of the alerting system itself, section 3.2.1: no emergency.
        case system = "System"
        case test = "Test"
    }

    public enum MessageType: String, Hashable, Sendable {
        case alert = "Alert"
        case update = "Update"
        case cancel = "Cancel"
    }

    /// Section 3.2.1, `references`: how another message is named.
    public struct Reference: Hashable, Sendable, CustomStringConvertible {
        public let sender: String
        public let identifier: String
        public let sent: String

        public init(sender: String, identifier: String, sent: String) {
            (self.sender, self.identifier, self.sent) = (sender, identifier, sent)
        }

        public var description: String { "\(sender),\(identifier),\(sent)" }
    }

    public static let namespace = "urn:oasis:names:tc:emergency:cap:1.2"

    public let identifier: String
    public let sender: String
    /// As `CAPTime` writes it.
    public let sent: String
    public let status: Status
    public let type: MessageType
    /// Operator or device behind the sender.
    public let source: String?
    public let addresses: [String]
    public let note: String?
    public let reference: Reference?
    /// Joins all messages of an alarm, with any outcome of the first.
    public let incident: String?
    public let info: CAPInfo?

    public init(
        identifier: String, sender: String, sent: String, status: Status, type: MessageType,
        source: String? = nil, addresses: [String], note: String? = nil, reference: Reference? = nil,
        incident: String? = nil, info: CAPInfo? = nil
    ) {
        (self.identifier, self.sender, self.sent) = (identifier, sender, sent)
        (self.status, self.type, self.source) = (status, type, source)
        (self.addresses, self.note, self.reference) = (addresses, note, reference)
        (self.incident, self.info) = (incident, info)
    }

    /// The document; elements in the order of the schema.
    public var xml: [UInt8] {
        var writer = XMLWriter()
        writer.element("alert", attributes: " xmlns=\"urn:oasis:names:tc:emergency:cap:1.2\"") { alert in
            alert.element("identifier", identifier)
            alert.element("sender", sender)
            alert.element("sent", sent)
            alert.element("status", status.rawValue)
            alert.element("msgType", type.rawValue)
            alert.element("source", source)
            alert.element("scope", "Private")
            alert.element("addresses", addresses.map(Self.quoted).joined(separator: " "))
            alert.element("note", note)
            alert.element("references", reference?.description)
            alert.element("incidents", incident)
            info?.write(to: &alert)
        }
        return Array(writer.text.utf8)
    }

    /// Section 3.2.1: addresses are separated by spaces; one with a space in it stands in quotes.
    private static func quoted(_ address: String) -> String {
        address.contains(where: \.isWhitespace) ? "\"\(address)\"" : address
    }
}
