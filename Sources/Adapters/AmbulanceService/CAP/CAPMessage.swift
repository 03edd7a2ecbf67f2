/// An `alert` of the OASIS Common Alerting Protocol 1.2 (section 3.2), as far as a home needs it.
struct CAPMessage: Hashable, Sendable {
    enum Status: String, Hashable, Sendable {
        case actual = "Actual"
        case exercise = "Exercise"
        case test = "Test"
    }

    enum MessageType: String, Hashable, Sendable {
        case alert = "Alert"
        case update = "Update"
        case cancel = "Cancel"
    }

    /// Section 3.2.1, `references`: how another message is named.
    struct Reference: Hashable, Sendable, CustomStringConvertible {
        let sender: String
        let identifier: String
        let sent: String

        var description: String { "\(sender),\(identifier),\(sent)" }
    }

    let identifier: String
    let sender: String
    let sent: String
    let status: Status
    let type: MessageType
    let addresses: [String]
    var note: String?
    var reference: Reference?
    /// Joins all messages of an alarm, whatever became of the first.
    var incident: String?
    var info: CAPInfo?

    /// The document; elements in the order of the schema.
    var xml: [UInt8] {
        var writer = XMLWriter()
        writer.element("alert", attributes: " xmlns=\"urn:oasis:names:tc:emergency:cap:1.2\"") { alert in
            alert.element("identifier", identifier)
            alert.element("sender", sender)
            alert.element("sent", sent)
            alert.element("status", status.rawValue)
            alert.element("msgType", type.rawValue)
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

/// The `info` of an alert (section 3.2.2) with its one `area` (section 3.2.4).
struct CAPInfo: Hashable, Sendable {
    enum Category: String, Hashable, Sendable {
        case health = "Health"
        case rescue = "Rescue"
    }
    enum Response: String, Hashable, Sendable {
        case prepare = "Prepare"
        case execute = "Execute"
        case assess = "Assess"
        case allClear = "AllClear"
    }
    enum Urgency: String, Hashable, Sendable {
        case immediate = "Immediate"
        case past = "Past"
    }
    enum Severity: String, Hashable, Sendable {
        case extreme = "Extreme"
        case moderate = "Moderate"
        case minor = "Minor"
        case unknown = "Unknown"
    }
    enum Certainty: String, Hashable, Sendable {
        case observed = "Observed"
        case likely = "Likely"
        case possible = "Possible"
        case unlikely = "Unlikely"
    }

    struct Parameter: Hashable, Sendable {
        let name: String
        let value: String
    }

    struct Area: Hashable, Sendable {
        let description: String
        /// `latitude,longitude radius`, the radius in kilometres.
        let circle: String?
    }

    let language: String
    let category: Category
    let event: String
    let response: Response
    let urgency: Urgency
    let severity: Severity
    let certainty: Certainty
    let onset: String
    let senderName: String
    let headline: String
    let description: String
    var instruction: String?
    var contact: String?
    var parameters: [Parameter] = []
    var area: Area?

    func write(to writer: inout XMLWriter) {
        writer.element("info") { info in
            info.element("language", language)
            info.element("category", category.rawValue)
            info.element("event", event)
            info.element("responseType", response.rawValue)
            info.element("urgency", urgency.rawValue)
            info.element("severity", severity.rawValue)
            info.element("certainty", certainty.rawValue)
            info.element("onset", onset)
            info.element("senderName", senderName)
            info.element("headline", headline)
            info.element("description", description)
            info.element("instruction", instruction)
            info.element("contact", contact)
            for parameter in parameters {
                info.element("parameter") { pair in
                    pair.element("valueName", parameter.name)
                    pair.element("value", parameter.value)
                }
            }
            guard let area else { return }
            info.element("area") { element in
                element.element("areaDesc", area.description)
                element.element("circle", area.circle)
            }
        }
    }
}
