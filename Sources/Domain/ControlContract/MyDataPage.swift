package import Consent
import Contract
package import GatewayModel

/// Page of the data about a person, without the readings, for the control socket: decisions, then alarms, then tables.
package struct MyDataPage: FieldDocument {
    package static var field: ControlFields.Name { "myData" }

    /// Line of the consent ledger.
    package struct Decision: Codable, Sendable {
        package let sequence: Int64
        package let at: String
        package let act: String
        /// Name of the policy, or ID of the request.
        package let about: String
        package let by: String
        package let means: String
        /// Contents of a request.
        package var party, partyName, purpose: String?
        package var kinds: [String]?
        /// `looks` or `acts`, where an account asks to be linked.
        package var role: String?
        /// `coarse` or `exact`, where the location is asked for.
        package var precision: String?
        package var from, until: String?

        package init(
            sequence: Int64, at: String, act: String, about: String, by: String, means: String,
            party: String? = nil, partyName: String? = nil, purpose: String? = nil, kinds: [String]? = nil,
            from: String? = nil, until: String? = nil
        ) {
            self.sequence = sequence
            self.at = at
            self.act = act
            self.about = about
            self.by = by
            self.means = means
            self.party = party
            self.partyName = partyName
            self.purpose = purpose
            self.kinds = kinds
            self.from = from
            self.until = until
        }
    }

    package struct Device: Codable, Sendable {
        package let id: String
        package let address: String

        package init(id: String, address: String) {
            self.id = id
            self.address = address
        }
    }

    /// Maximum number of decisions, alarms and rows in a page: far below the socket's buffer for a slow caller.
    package static let size = 100

    package let decisions: [Decision]
    package let alarms: [AlarmRecord]
    /// Tables with their rows of this page. The first page names all tables, the empty ones among them.
    package let tables: [PersonTable]
    /// Start of the next page; nil for the last page.
    package let next: Int64?
    package let devices: [Device]
    /// Number of messages about the person in the outbox; nil where the disk fails.
    package let unsent: Int?
    package let isHistoryKept: Bool
    /// ID of the gateway that keeps the data.
    package let gateway: String

    package init(
        decisions: [Decision], alarms: [AlarmRecord], tables: [PersonTable], next: Int64?, devices: [Device],
        unsent: Int?, isHistoryKept: Bool, gateway: GatewayID
    ) {
        (self.decisions, self.alarms, self.tables) = (decisions, alarms, tables)
        (self.next, self.devices, self.unsent) = (next, devices, unsent)
        (self.isHistoryKept, self.gateway) = (isHistoryKept, gateway.text)
    }
}

extension MyDataPage {
    /// - Throws: `ControlError` where the gateway sent no ID.
    package var gatewayID: GatewayID {
        get throws {
            guard let id = GatewayID(gateway) else {
                throw ControlError(
                    "the gateway's answer has no valid id of a gateway: '\(Shown.text(gateway))'")
            }
            return id
        }
    }
}

extension MyDataPage.Decision {
    package init(_ entry: ConsentEntry) {
        let decision = entry.decision
        sequence = entry.sequence.number
        (at, by, means) = (decision.at.rfc3339, decision.by, decision.means.rawValue)
        act = decision.act.word
        switch decision.act {
        case .policy(let subject, _): about = subject.rawValue
        case .requested(let request):
            about = request.id.text
            (party, partyName) = (request.party.id.text, request.party.name)
            purpose = request.purpose
            kinds = request.kinds.map(\.rawValue).sorted()
            role = request.linksAccount ? request.role.rawValue : nil
            precision = request.kinds.contains(.location) ? request.precision.rawValue : nil
            (from, until) = (request.from?.rfc3339, request.until?.rfc3339)
        case .granted(let request), .refused(let request), .withdrawn(let request), .expired(let request):
            about = request.text
        case .partyKeyChanged(let changed, let key):
            about = key.id.text
            party = changed.text
        }
    }
}
