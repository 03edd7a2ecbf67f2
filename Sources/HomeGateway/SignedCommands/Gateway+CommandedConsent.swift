import CloudCommands
import Consent
import GatewayModel
import Hub
import Sealing
import Settings

// What signed commands say about a person's data.
extension Gateway {
    /// Until it is written down, and what it ended is deleted; it holds before that.
    private static let patience = Duration.seconds(5)

    /// The issuer decides, not the name that it gives: the settings name the issuers that may.
    func decide(
        _ act: ConsentAct, for person: PersonID, _ command: VerifiedCommand
    ) async -> CommandBook.Outcome {
        // Before the person is asked: granted, it would give the party nothing, and nobody would know why.
        if let key = act.sealingKey, sealer.seal([], to: key, info: []) == nil {
            return .refused(
                CommandRefusal(
                    .wrongValue,
                    "sealing_key: saw a point of small order, to which nothing can be sealed; expected the public "
                        + "key of an X25519 pair"))
        }
        let result = await Patience.first(within: Self.patience) { done in
            decide(act, for: person, by: command.name.issuer.text, means: .command, done: done)
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

    /// The party's own signature is what counts; the issuer only passes it on.
    func change(_ change: PartyKeyChange, _ command: VerifiedCommand) async -> CommandBook.Outcome {
        let grants = gate.snapshot.grants(of: change.person)
        guard let party = grants.first(where: { $0.party.id == change.party })?.party else {
            return .refused(CommandRefusal(.unknownParty, "nothing is granted to this party"))
        }
        guard party.signingKey != nil else {
            return .refused(
                CommandRefusal(.partyKeyFixed, "this party has named no key that may change its key"))
        }
        guard change.isSigned(by: party, at: settings.gateway.id) else {
            return .refused(
                CommandRefusal(.partySignature, "this is not signed by the party, for the key it has now"))
        }
        return await decide(.partyKeyChanged(change.party, change.key), for: change.person, command)
    }
}

extension ConsentAct {
    /// With which readings would be sealed by it.
    fileprivate var sealingKey: ThirdParty.SealingKey? {
        switch self {
        case .requested(let request): request.party.sealingKey
        case .partyKeyChanged(_, let key): key
        case .policy, .granted, .refused, .withdrawn, .expired: nil
        }
    }

    init(_ verdict: CloudCommand.Verdict, on request: RequestID) {
        self =
            switch verdict {
            case .granted: .granted(request)
            case .refused: .refused(request)
            case .withdrawn: .withdrawn(request)
            }
    }
}
