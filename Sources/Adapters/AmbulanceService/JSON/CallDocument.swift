import FoundationEssentials
import GatewayModel
import SOSLocal

/// The call as JSON; its shape is described in docs/channels/https.md and held by a test.
struct CallDocument: Encodable {
    /// `actual`, `drill` or `test`: as loud as CAP's status.
    let status: String
    /// `pending`, `confirmed`; of a call that no longer holds `aborted`, `accepted`, `resolved`, `lapsed`.
    let state: String
    /// The same for every attempt of this message.
    let id: String
    /// The same in all messages of an alarm.
    var alarm: String?
    let sender: String
    let addresses: [String]
    let sent: String
    var firstSent: String?
    /// Nothing of this alarm is known to have reached the service before.
    var first: Bool?
    var round: Int?
    var priority: String?
    var headline: String?
    var instruction: String?
    var person: PersonDocument?
    var cause: CauseDocument?
    var newest: ValueDocument?
    var trend: [TrendDocument]?
    var location: LocationDocument?
    var timeline: Timeline?
    var ending: Ending?

    struct Timeline: Encodable {
        let crossing: String
        let confirmedAfterMs: Int64
        let orderedAfterMs: Int64
    }

    struct Ending: Encodable {
        let how: String
        let by: String
        let means: String
    }

    /// Keys in snake case and sorted, so that equal calls are equal bytes.
    func bytes() throws(AmbulanceServiceError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        do {
            return [UInt8](try encoder.encode(self))
        } catch {
            throw .system("the call cannot be written as JSON: \(error)")
        }
    }
}
