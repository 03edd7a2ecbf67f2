import Accounts
import CloudCommands
import GatewayModel
import RunBeacon
import WebPages

/// Parts that the routes of runs share.
struct RunParts: Sendable {
    let site: SiteParts
    let service: RunService
    let hub: RunHub

    func view(_ context: RouteContext) -> RunView {
        RunView(context, now: site.clock(), calendar: site.calendar(of: context))
    }

    static func id(_ context: RouteContext) throws -> RunID {
        guard let run = RunID(try context.parameter("run")) else {
            throw Problem(.notFound, "there is no such run")
        }
        return run
    }

    func found(_ context: RouteContext) async throws -> OrganisedRun {
        guard let run = try await service.runs.run(try Self.id(context)) else {
            throw Problem(.notFound, "there is no such run")
        }
        return run
    }

    /// Role of an organiser in a run.
    func role(of account: Account, in id: RunID) async throws -> (OrganisedRun, RunRole) {
        guard let run = try await service.runs.run(id) else {
            throw Problem(.notFound, "there is no such run")
        }
        guard let role = try await service.runs.role(of: account.id, in: id) else {
            throw Problem(.notAllowed, "the account organises no such run")
        }
        return (run, role)
    }

    /// A run as its organisers see it.
    func managed(_ id: RunID, by account: Account, mostCommands: Int) async throws -> RunView.Managed {
        let (run, role) = try await role(of: account, in: id)
        return RunView.Managed(
            run: run, role: role,
            organisers: try await service.runs.organisers(of: id).map { ($0.user.text, $0.role) },
            boxes: try await service.runs.boxes(of: id),
            participants: try await service.runs.participants(of: id),
            commands: try await service.runs.commands(of: id, most: mostCommands))
    }

    /// Box of the path.
    static func box(_ context: RouteContext) throws(Problem) -> GatewayID {
        guard let box = GatewayID(try context.parameter("box")) else {
            throw Problem(.notFound, "the run has no such box")
        }
        return box
    }

    /// Adds a box by its code, or by its name in the fleet of the account. Limits attempts with wrong codes.
    ///
    /// - Throws: `BoxCodeFault`, `RunActRefusal`.
    func addBox(_ text: String, to run: RunID, by account: Account, _ service: RunService) async throws {
        let attempt = Attempt.signedIn(account, "box of a run")
        guard site.gate.begin(attempt, at: site.bootClock()) else { throw BoxCodeFault.tooManyTries }
        do {
            try await service.addBox(text, to: run, by: account)
        } catch {
            site.gate.end(attempt, isGood: false)
            guard let refusal = error as? CommandRefusal else { throw error }
            throw refusal.reason == .expired ? BoxCodeFault.old : BoxCodeFault.bad
        }
        site.gate.end(attempt, isGood: true)
    }
}

/// Fault of a code of a box.
enum BoxCodeFault: Error {
    case bad, old, tooManyTries

    var text: Text {
        switch self {
        case .bad: .badCode
        case .old: .oldCode
        case .tooManyTries: .tooManyTries
        }
    }
}

extension Text {
    static let badCode = Text(
        en: "This is no code of a box. Copy the whole line that the command prints.",
        it: "Questo non è il codice di una centralina. Copia tutta la riga che il comando scrive.")
    static let oldCode = Text(
        en: "This code is older than an hour. Run the command again.",
        it: "Questo codice ha più di un'ora. Esegui di nuovo il comando.")
}
