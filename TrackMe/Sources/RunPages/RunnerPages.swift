import Accounts
import GatewayModel
import HTML
import RunBeacon
import RunService
import Runs
import WebPages

/// Pages of persons who participate.
struct RunnerPages: Sendable {
    let parts: RunParts

    var routes: [Route] {
        [
            Route(.get, "/runs/{run}/join", access: .signedIn) { try await joinPage($0, refusal: nil) },
            Route(.post, "/runs/{run}/join", access: .signedIn, answer: join),
            Route(.post, "/runs/{run}/leave", access: .signedIn, answer: leave),
        ]
    }

    private func joinPage(_ context: RouteContext, refusal: RunWords.Text?) async throws -> WebAnswer {
        let (run, account, view) = (try await parts.found(context), try context.signedIn(), parts.view(context))
        let bib = try await parts.service.runs.enrolments(of: account.id).first { $0.run.id == run.id }?.bib
        let name = try parts.site.sealer.open(account.identity, of: account.user).name
        return .page(
            view.joinPage(run, bib: bib, name: name, refusal: refusal.map(view.words.say)),
            status: refusal == nil ? 200 : 409)
    }

    private func join(_ context: RouteContext) async throws -> WebAnswer {
        let (run, account) = (try RunParts.id(context), try context.signedIn())
        do {
            try await parts.service.runs.enrol(
                try RunForms.participant(context.form, of: account.id), in: run, isOwn: true, by: account.id,
                at: parts.site.clock())
            parts.hub.changed(run)
            return .redirect(to: RunView.place(of: run).adding("/join"))
        } catch let fault as RunFault {
            return try await joinPage(context, refusal: .fault(fault))
        } catch RunActRefusal.unknownRun {
            throw Problem(.notFound, "there is no such run")
        } catch let refusal as RunActRefusal {
            return try await joinPage(context, refusal: .refused(refusal))
        }
    }

    private func leave(_ context: RouteContext) async throws -> WebAnswer {
        let (run, account) = (try RunParts.id(context), try context.signedIn())
        guard
            let own = try await parts.service.runs.enrolments(of: account.id).first(where: { $0.run.id == run })
        else { throw Problem(.notFound, "the account does not participate") }
        try await parts.service.runs.leave(own.bib, of: run, by: account.id, at: parts.site.clock())
        parts.hub.changed(run, isWithdrawal: true)
        return .redirect(to: RunView.place(of: run).adding("/join"))
    }
}
