import CloudCommands
import CommandSamples
import Foundation
import GatewayModel
import Synchronization
import TestSupport

/// Whoever signs commands to the house, and reads its receipts at the broker.
final class Cloud: Sendable {
    /// What a receipt says.
    struct Receipt: Decodable, Sendable, CustomStringConvertible {
        struct Outcome: Decodable, Sendable {
            var result: String
            var reason: String?
            var detail: String?
        }

        /// Decision of the house.
        struct Decision: Decodable, Sendable {
            var person, verdict: String
            var party, request, policy, limits: String?
            var kinds: [String]?
            var number, entry: Int64?
        }

        var iss: String
        var jti: String
        var event: String
        var message: String?
        var to: String?
        var re: String?
        var seq: Int64?
        var result: String?
        var reason: String?
        var detail: String?
        var first: Outcome?
        var decision: Decision?
        /// As it came.
        var token = ""

        private enum CodingKeys: CodingKey {
            case iss, jti, event, message, to, re, seq, result, reason, detail, first, decision
        }

        init?(_ message: WireMessage) {
            let parts = message.text.split(separator: ".").map(String.init)
            guard message.topic.hasSuffix("/receipts"), parts.count == 3,
                let claims = Base64URL.decode(parts[1]),
                let receipt = try? JSONDecoder().decode(Receipt.self, from: Data(claims))
            else { return nil }
            self = receipt
            token = message.text
        }

        var description: String {
            "\(event) \(re ?? "-") \(result ?? decision?.verdict ?? "-") \(reason ?? "") \(detail ?? "")"
        }
    }

    let issuer: TestIssuer
    private let scratch: ScratchDirectory
    private let sent = Mutex(0)
    private let statuses = Mutex<Int64>(0)

    init(_ issuer: TestIssuer = .ed25519()) throws {
        self.issuer = issuer
        scratch = try ScratchDirectory()
        _ = try scratch.write("{\"keys\":[\(issuer.jwk)]}", to: "issuer.jwks")
    }

    var keys: String { scratch.file("issuer.jwks").path }

    /// Rights without decisions for a person: an issuer with them may end alarms and move limits as well.
    static let alarmRights = CommandKind.allCases.filter { !$0.isDecisionForPerson }.map(\.rawValue)

    /// Sections for the settings.
    ///
    /// - Parameters:
    ///   - may: nil leaves the issuer the default rights.
    ///   - hasDesk: the issuer tells whether somebody is at its desk.
    func sections(may: [String]? = nil, hasDesk: Bool = false) -> String {
        let allowed = may.map { "may = [\($0.map { "\"\($0)\"" }.joined(separator: ", "))]" } ?? ""
        let desk = hasDesk ? "desk = true" : ""
        // The kernel of a test machine is seldom synchronised.
        return """
            [commands]
            clock = "assumed-right"
            [[commands.issuers]]
            id = "\(issuer.id)"
            keys = "\(keys)"
            \(allowed)
            \(desk)

            """
    }

    /// A command of now; each has a higher seq than the one before.
    func token(_ command: String, by: String? = nil, signedBy other: TestIssuer? = nil) throws -> (
        id: String, text: String
    ) {
        let number = sent.withLock { sent in
            sent += 1
            return sent
        }
        let now = Int64(Date().timeIntervalSince1970)
        let id = "c-\(number)"
        let claims = TestClaims.with {
            ($0.issued, $0.expires, $0.sequence, $0.id) = ("\(now)", "\(now + 300)", "\(number)", id)
            $0.command = command
            if let by { $0.more = #","by":"\#(by)""# }
        }
        return (id, try (other ?? issuer).token(claims))
    }

    /// Number of the next status of the desk. Its time has to rise by whole seconds.
    func nextStatus() -> Int64 {
        statuses.withLock { statuses in
            statuses += 1
            return statuses
        }
    }

    func ask(
        _ command: String, by: String? = nil, signedBy other: TestIssuer? = nil, of witness: Witness
    ) async throws -> Receipt {
        let (id, text) = try token(command, by: by, signedBy: other)
        let mark = witness.mark
        try await witness.command(text)
        return try await witness.receipt(of: id, after: mark)
    }
}

extension Witness {
    /// Anything on the topic of commands.
    func command(_ payload: String) async throws {
        try await send(payload, to: "trackme/v1/\(HouseSettings.gateway)/commands")
    }

    @discardableResult
    func receipt(
        _ what: String = "a receipt", after mark: Int = 0,
        where isIt: @escaping @Sendable (Cloud.Receipt) -> Bool
    ) async throws -> Cloud.Receipt {
        let message = try await first(what, after: mark) { Cloud.Receipt($0).map(isIt) ?? false }
        guard let receipt = Cloud.Receipt(message) else { throw Missing(description: message.description) }
        return receipt
    }

    func receipt(of id: String, after mark: Int = 0) async throws -> Cloud.Receipt {
        try await receipt("the receipt of \(id)", after: mark) { $0.re == id && $0.event == "command" }
    }
}
