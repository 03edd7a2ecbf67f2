import Contract
import GatewayModel
import Parties
import SQLDatabase
import Store

/// Webhooks that have failed until their suspension, for the operator: the server sends no mail.
enum SuspendedWebhooks {
    private static let most = 100

    /// One line for each, with the address of the company.
    static func lines(in file: DatabasePool) async throws -> [String] {
        let parties = PartyStore(file: file)
        var lines: [String] = []
        for webhook in try await SubscriptionStore(file: file).suspended(most: most) {
            let contact = try await parties.party(webhook.party)?.contact.text ?? "the company"
            lines.append(
                "webhook \(webhook.id) of \(webhook.party): \(webhook.stateInWords); write to \(contact)")
        }
        return lines
    }
}

extension Subscription {
    /// `suspended since 2026-03-01T12:00:00.000Z, 10 failures in a row, last answer 500`
    var stateInWords: String {
        let since = suspended.map { " since \($0.rfc3339)" } ?? ""
        let failed = failures == 0 ? "" : ", \(failures) failures in a row"
        let answer = lastStatus.map { $0 == 0 ? ", no answer" : ", last answer \($0)" } ?? ""
        return state.rawValue + since + failed + answer
    }
}
