public import Accounts
public import CloudCommands
public import GatewayModel
public import Store

/// Asks houses to link accounts to their persons, and withdraws links.
public struct LinkService: Sendable {
    /// Party of the requests. The gateway knows the word: a link releases no reading to a third party.
    public static let party = "trackme-account"
    private let links: LinkStore
    private let signer: CommandSigner
    /// Name of the server's operator, as the person at home reads it.
    private let operatorName: String
    private let clock: @Sendable () -> WallTime

    public init(
        links: LinkStore, signer: IssuerSigner, issuer: IssuerID, operatorName: String,
        clock: @escaping @Sendable () -> WallTime
    ) {
        (self.links, self.signer) = (links, CommandSigner(signer, as: issuer))
        (self.operatorName, self.clock) = (operatorName, clock)
    }

    /// Queues the question whether the account may be linked to the person in the role.
    ///
    /// - Parameter code: that the house shows for the person. The house compares it, and asks nobody with a wrong one.
    /// - Throws: `StoreFault.linkExists`, `StoreFault.tooManyLinks`, `StoreFault.tooManyQuestions`.
    public func ask(
        _ account: Account, for subject: HousePerson, as role: LinkRole, with code: OneTimeCode
    ) async throws -> LinkID {
        let now = clock()
        let request = CommandSigner.newRequest("link")
        let command = DataRequest(
            request, from: Self.party, named: "\(operatorName): \(account.user)", of: subject.person,
            purpose: "Link the account \(account.user) at \(operatorName) to \(subject.person)", kinds: [],
            role: role, code: code)
        return try await links.ask(
            NewLink(account: account.id, subject: subject, role: role, request: request, asked: now)
        ) { sequence in
            try signer.command(
                command, about: request, to: subject.gateway, by: account.user.text, sequence: sequence, at: now
            )
        }
    }

    /// Removes the account, and withdraws its links in the houses. The withdrawals name the operator alone: nothing about the
    /// user stays.
    public func remove(_ account: AccountID, from accounts: AccountStore) async throws {
        let now = clock()
        try await accounts.remove(account, at: now) { link, sequence in
            try signer.command(
                RequestWithdrawal(of: link.request, by: link.subject.person), about: link.request,
                to: link.subject.gateway, by: operatorName, sequence: sequence, at: now)
        }
    }

    /// Withdrawal of a request in a house that is removed, in the name of the operator. It is not signed anew after its life: the
    /// server takes no answer of the house any more.
    public func lastWithdrawal(
        of request: OpenHouseRequest, in house: GatewayID, sequence: Int64
    ) throws -> OutgoingCommand {
        let command = try signer.command(
            RequestWithdrawal(of: request.id, by: request.person), about: request.id, to: house,
            by: operatorName, sequence: sequence, at: clock())
        return OutgoingCommand(
            id: command.id, gateway: house, request: request.id, token: command.token,
            created: command.created, expires: command.expires)
    }

    /// Seconds of an interval that a house takes.
    public static let intervals = 0...3_600

    /// Queues the command that sets how often readings of a kind leave the house.
    ///
    /// - Parameter seconds: of `intervals`; 0 goes back to the settings of the house.
    /// - Throws: `StoreFault.notLinked`, `StoreFault.tooManyIntervals`.
    public func setInterval(
        _ seconds: Int, for kind: QuantityKind, of subject: HousePerson, by account: Account,
        in intervals: IntervalStore
    ) async throws {
        let now = clock()
        let command = SampleInterval(kind: kind.rawValue, person: subject.person.text, seconds: seconds)
        try await intervals.set(seconds, for: kind, of: subject, by: account.id, at: now) { sequence in
            try signer.command(
                command, about: nil, to: subject.gateway, by: account.user.text, sequence: sequence, at: now)
        }
    }

    // MARK: Facts

    /// Party of the requests to show readings of a runner to the spectators of a run.
    public static let spectators = "trackme-spectators"
    /// Parties of the requests of this server itself.
    public static let ownParties: Set<String> = Set(
        [party, spectators] + FactKind.allCases.map(\.party))

    /// Queues the question whether the house may share a fact about the person with this server.
    ///
    /// - Throws: `StoreFault.notLinked`, `StoreFault.factAsked`, `StoreFault.tooManyFactRequests`.
    public func ask(
        for kind: FactKind, of subject: HousePerson, by account: Account, in store: FactStore
    ) async throws {
        let now = clock()
        let request = CommandSigner.newRequest(kind.prefix)
        let command = DataRequest(
            request, from: kind.party, named: operatorName, of: subject.person,
            purpose: kind.purpose(of: subject.person).in(account.language), kinds: [kind.rawValue])
        try await store.ask(request, about: kind, of: subject, by: account.id, at: now) { sequence in
            try signer.command(
                command, about: request, to: subject.gateway, by: account.user.text, sequence: sequence, at: now
            )
        }
    }

    /// Ends the sharing of a fact here at once, and tells the house. False if there is none.
    ///
    /// - Parameter account: that acts for the person; nil for the operator.
    /// - Throws: `StoreFault.notLinked`.
    public func end(
        _ kind: FactKind, of subject: HousePerson, by account: Account? = nil, in store: FactStore
    ) async throws -> Bool {
        let now = clock()
        return try await store.end(kind, of: subject, by: account?.id, at: now) { request, sequence in
            try signer.command(
                RequestWithdrawal(of: request, by: subject.person), about: request, to: subject.gateway,
                by: account?.user.text ?? operatorName, sequence: sequence, at: now)
        }
    }

    /// Ends the sharing of facts about persons to whom no account is linked any more.
    public func endUnlinkedFacts(in store: FactStore) async throws {
        for (kind, subject) in try await store.unlinked(most: 100) {
            _ = try await end(kind, of: subject, in: store)
        }
    }

    /// Ends the link here at once, and tells the house. False if the account has no such open link.
    public func end(_ link: LinkID, of account: Account) async throws -> Bool {
        let now = clock()
        return try await links.end(link, of: account.id, at: now) { link, sequence in
            try signer.command(
                RequestWithdrawal(of: link.request, by: link.subject.person), about: link.request,
                to: link.subject.gateway, by: account.user.text, sequence: sequence, at: now)
        }
    }
}

extension FactKind {
    /// Party of the requests for the fact: the server itself.
    public var party: String {
        switch self {
        case .limits: "trackme-limits"
        case .fiscalCode: "trackme-identity"
        }
    }

    /// Beginning of the IDs of the requests.
    fileprivate var prefix: StaticString {
        switch self {
        case .limits: "limit"
        case .fiscalCode: "code"
        }
    }

    /// As the person at home reads it, in the language of the account that asks.
    fileprivate func purpose(of person: PersonID) -> Text {
        switch self {
        case .limits:
            Text(
                en: "Show the alarm limits in the charts of the accounts that are linked to \(person)",
                it: "Mostrare le soglie degli allarmi nei grafici degli account collegati a \(person)")
        case .fiscalCode:
            Text(
                en:
                    "Companies that know this fiscal code can then ask \(person) for data. Each of them needs a yes of its own",
                it:
                    "Le aziende che conoscono questo codice fiscale potranno chiedere dati a \(person). Per ognuna serve un altro sì"
            )
        }
    }
}

/// Command `sample-interval`.
private struct SampleInterval: Encodable {
    let type = "sample-interval"
    let kind: String
    let person: String
    let seconds: Int
}

/// Command `request` of the server itself. That of a link asks for no kinds.
public struct DataRequest: Encodable, Sendable {
    private struct Party: Encodable {
        let id: String
        let name: String
    }

    private let type = "request"
    private let party: Party
    private let person: String
    private let purpose: String
    private let request: String
    private let kinds: [String]
    /// Nil for `looks`, the role of every link of a house before contract 1.10. Such a house refuses the member.
    private let role: String?
    /// Seconds since 1970.
    private let until: Int64?
    /// Digits.
    private let code: String?

    /// - Parameters:
    ///   - party: one of `LinkService.ownParties`.
    ///   - name: of the party, as the person at home reads it.
    ///   - role: of the account, where the party is `LinkService.party`.
    ///   - until: end of the grant; nil for one that lasts until it is withdrawn.
    ///   - code: of a request to link an account; nil for another one.
    public init(
        _ request: RequestID, from party: String, named name: String, of person: PersonID, purpose: String,
        kinds: [String], role: LinkRole = .looks, until: WallTime? = nil, code: OneTimeCode? = nil
    ) {
        (self.party, self.purpose, self.kinds) = (Party(id: party, name: name), purpose, kinds)
        (self.person, self.request) = (person.text, request.text)
        self.role = role == .looks ? nil : role.rawValue
        self.until = until.map { $0.millisecondsSince1970 / 1_000 }
        self.code = code?.description
    }
}
