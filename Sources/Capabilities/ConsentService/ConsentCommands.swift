import CloudCommands
import Consent
import GatewayModel
import Hub
import RealTime
import Sealing

/// Carries out commands about a person's data.
struct ConsentCommands: Sendable {
    /// Limit for the write to the disk and the deletion of messages; the decision holds before that.
    private static let timeout = Duration.seconds(5)

    private let register: ConsentRegister
    private let gate: ConsentGate
    private let linkCodes: LinkCodes
    private let sealer: HPKESealer
    private let gateway: GatewayID
    private let areLocationsSampled: @Sendable () -> Bool

    /// - Parameter areLocationsSampled: asked for each request.
    init(
        _ register: ConsentRegister, gate: ConsentGate, linkCodes: LinkCodes, sealer: HPKESealer,
        gateway: GatewayID,
        areLocationsSampled: @escaping @Sendable () -> Bool
    ) {
        (self.register, self.gate, self.linkCodes) = (register, gate, linkCodes)
        (self.sealer, self.gateway) = (sealer, gateway)
        self.areLocationsSampled = areLocationsSampled
    }

    var handlers: [CommandKind: CommandHandler] {
        [
            .policy: carryOut, .automatedSOS: carryOut, .request: carryOut, .decide: carryOut,
            .withdraw: carryOut, .partyKey: carryOut,
        ]
    }

    private func carryOut(_ command: VerifiedCommand) async -> CommandJournal.Outcome {
        switch command.command {
        case .policy(let person, let isAccepted):
            await decide(.policy(.dataPolicy, isAccepted ? .accepted : .withdrawn), for: person, command)
        case .automatedSOS(let person, let isAccepted):
            await decide(.policy(.automatedSOS, isAccepted ? .accepted : .withdrawn), for: person, command)
        case .request(let request, _) where request.kinds.contains(.location) && !areLocationsSampled():
            // The person would let something be seen that does not exist.
            .refused(
                CommandRefusal(
                    .notPossible,
                    "kinds: saw location, and this house does not sample positions; ask without it"))
        case .request(let request, let code):
            if request.linksAccount,
                let refusal = linkCodes.refusal(
                    of: code, for: request.person, from: request.party.name, at: Clock.boot())
            {
                // Before the ledger is asked: a guess learns nothing of the house, and nobody in the room hears of it.
                .refused(refusal)
            } else {
                await decide(.requested(request), for: request.person, command)
            }
        case .decide(let person, let request, let verdict):
            await decide(ConsentAct(verdict, on: request), for: person, command)
        case .partyKey(let change): await changeKey(change, command)
        default: .refused(.unsupported(command.kind))
        }
    }

    /// The issuer decides; the name that the command gives does not count: the settings name the issuers that may.
    private func decide(
        _ act: ConsentAct, for person: PersonID, _ command: VerifiedCommand
    ) async -> CommandJournal.Outcome {
        // Before the person is asked: a grant with this key would give the party nothing, and show no reason.
        if let key = act.sealingKey, sealer.seal([], to: key, info: []) == nil {
            return .refused(
                CommandRefusal(
                    .wrongValue,
                    "sealing_key: saw a point of small order, to which nothing can be sealed; expected the public "
                        + "key of an X25519 pair"))
        }
        let result = await withTimeout(Self.timeout) { done in
            register.decide(act, for: person, by: command.name.issuer.text, means: .command, done: done)
        }
        switch result {
        case .success(let outcome)?: return .done(outcome.lines.joined(separator: "; "))
        case .failure(let refusal)?:
            return .refused(
                CommandRefusal(
                    CommandRefusal.Reason(rawValue: refusal.code.rawValue) ?? .notPossible, "\(refusal)"))
        case nil: return .done("it holds; IT IS NOT WRITTEN DOWN yet, for the disk does not answer")
        }
    }

    /// The party's own signature counts; the issuer only passes the change on.
    private func changeKey(_ change: PartyKeyChange, _ command: VerifiedCommand) async -> CommandJournal.Outcome
    {
        let grants = gate.snapshot.grants(of: change.person)
        guard let party = grants.first(where: { $0.party.id == change.party })?.party else {
            return .refused(CommandRefusal(.unknownParty, "nothing is granted to this party"))
        }
        guard party.signingKey != nil else {
            return .refused(
                CommandRefusal(.partyKeyFixed, "this party has named no key that may change its key"))
        }
        guard change.isSigned(by: party, at: gateway) else {
            return .refused(
                CommandRefusal(.partySignature, "this is not signed by the party, for the key it has now"))
        }
        return await decide(.partyKeyChanged(change.party, change.key), for: change.person, command)
    }
}

extension ConsentAct {
    /// Key that the readings of this grant would be sealed with.
    fileprivate var sealingKey: ThirdParty.SealingKey? {
        switch self {
        case .requested(let request): request.party.sealingKey
        case .partyKeyChanged(_, let key): key
        case .policy, .granted, .refused, .withdrawn, .expired: nil
        }
    }

    fileprivate init(_ verdict: CloudCommand.Verdict, on request: RequestID) {
        self =
            switch verdict {
            case .granted: .granted(request)
            case .refused: .refused(request)
            case .withdrawn: .withdrawn(request)
            }
    }
}
