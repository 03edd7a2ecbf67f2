public import Accounts
import Crypto
public import GatewayModel
public import Houses
import Store

/// Sends requests of third parties to the houses of their persons.
public struct RequestService: Sendable {
    /// Gateway of the commands that are signed for nobody and thrown away.
    private static let nowhere = HousePerson(.every, .missing)

    private let requests: PartyRequestStore
    private let sealer: IdentitySealer
    private let signer: CommandSigner
    private let clock: @Sendable () -> WallTime

    public init(
        requests: PartyRequestStore, sealer: IdentitySealer, signer: CommandSigner,
        clock: @escaping @Sendable () -> WallTime
    ) {
        (self.requests, self.sealer, self.signer, self.clock) = (requests, sealer, signer, clock)
    }

    /// Queues a question. Whether somebody has the fiscal code changes neither the answer nor the work.
    ///
    /// - Parameters:
    ///   - key: idempotency key of the party.
    ///   - body: the request as it came.
    /// - Throws: `PartyFault.idempotencyKeyUsed`, `PartyFault.tooManyRequests`.
    public func ask(
        for code: FiscalCode, _ terms: RequestTerms, by party: Party, key: String, body: [UInt8]
    ) async throws -> PartyRequest {
        let now = clock()
        let id = CommandSigner.newRequest("ask")
        let signer = signer
        return try await requests.ask(
            NewPartyRequest(
                id: id, party: party.id, lookUp: sealer.lookUp(code), terms: terms, idempotencyKey: key,
                digest: Array(SHA256.hash(data: body)), asked: now)
        ) { subject, sequence in
            let to = subject ?? Self.nowhere
            let command = try signer.command(
                HouseRequest(id, of: party, to: to.person, terms), about: id, to: to.gateway,
                by: party.id.text, sequence: sequence, at: now)
            return subject == nil ? nil : command
        }
    }

    /// Requests of one commit of `withdrawOwed`: each takes one signature, some 50 µs.
    private static let mostWithdrawals = 100

    /// Ends the requests of closed parties, and tells their houses. A request is owed until its
    /// withdrawal is queued, so a kill at any point loses none and doubles none.
    ///
    /// - Parameter name: of the server's operator, as the house records it.
    /// - Returns: the number of requests.
    @discardableResult
    public func withdrawOwed(by name: String) async throws -> Int {
        var count = 0
        while true {
            let (now, signer) = (clock(), signer)
            let done = try await requests.withdrawOwed(at: now, most: Self.mostWithdrawals) {
                id, subject, sequence in
                try signer.command(
                    RequestWithdrawal(of: id, by: subject.person), about: id, to: subject.gateway, by: name,
                    sequence: sequence, at: now)
            }
            count += done
            if done < Self.mostWithdrawals { return count }
        }
    }

    /// Ends a request about the person here at once, and tells the house. False if there is no such open request.
    ///
    /// - Throws: `StoreFault.notLinked` unless the account may act for the person.
    public func close(_ id: RequestID, about subject: HousePerson, by account: Account) async throws -> Bool {
        let (now, signer) = (clock(), signer)
        return try await requests.close(id, about: subject, by: account.id, at: now) { sequence in
            try signer.command(
                RequestWithdrawal(of: id, by: subject.person), about: id, to: subject.gateway,
                by: account.user.text, sequence: sequence, at: now)
        }
    }
}

/// Command `request` (docs/integrator/commands.md).
private struct HouseRequest: Encodable {
    struct Asking: Encodable {
        struct SealingKey: Encodable {
            let kid, x25519: String
        }

        let id, name: String
        let sealingKey: SealingKey?
        let signingKey: String?

        enum CodingKeys: String, CodingKey {
            case id, name
            case sealingKey = "sealing_key"
            case signingKey = "signing_key"
        }
    }

    let type = "request"
    let request, person, purpose: String
    let party: Asking
    let kinds: [String]
    let format: String
    let precision: String?
    /// Seconds since 1970.
    let from, until: Int64?

    init(_ id: RequestID, of party: Party, to person: PersonID, _ terms: RequestTerms) {
        (request, self.person, purpose) = (id.text, person.text, terms.purpose)
        self.party = Asking(
            id: party.id.text, name: party.name,
            sealingKey: terms.sealingKey.map {
                Asking.SealingKey(kid: $0.id.text, x25519: Base64URL.encode($0.bytes))
            }, signingKey: terms.signingKey.map { Base64URL.encode($0.bytes) })
        kinds = terms.kinds.map(\.rawValue).sorted()
        format = terms.format.rawValue
        precision = terms.kinds.contains(.location) ? terms.precision.rawValue : nil
        from = terms.from.map { $0.millisecondsSince1970 / 1_000 }
        until = terms.until.map { $0.millisecondsSince1970 / 1_000 }
    }
}
