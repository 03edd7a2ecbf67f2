public import GatewayModel

/// Fiscal code of a person, as a house shares it with one party.
public struct SharedFiscalCode: Hashable, Sendable {
    public let person: PersonID
    public let request: RequestID
    /// Nil where the house has none.
    public let code: FiscalCode?
    /// When the gateway found it.
    public let time: WallTime

    public init(_ payload: [UInt8], for party: PartyID, of person: PersonID) throws(ContractFault) {
        let fields: Fields = try WirePayload.read(from: payload)
        guard fields.party == party else { throw .elsewhere(member: "party") }
        guard fields.person == person else { throw .elsewhere(member: "person") }
        guard fields.kind == DataKind.profile(.fiscalCode).rawValue else { throw .elsewhere(member: "kind") }
        (self.person, request, time) = (person, fields.request, fields.time.wall)
        do throws(FiscalCode.Flaw) {
            code = try fields.value.text.map { text throws(FiscalCode.Flaw) in try FiscalCode(text) }
        } catch {
            throw .form("the member 'value' is not a fiscal code")
        }
    }

    private struct Fields: Decodable {
        /// Null where the house tells none. A message without it tells nothing.
        struct Value: Decodable {
            let text: String?

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                text = container.decodeNil() ? nil : try container.decode(String.self)
            }
        }

        let id: MessageID
        let party: PartyID
        let person: PersonID
        let request: RequestID
        let kind: String
        let time: WireTime
        let value: Value
    }
}
