import Accounts
import GatewayModel
import HTML
import PageSecurity
import RunBeacon
import Store
import WebPages

/// Pages of persons who participate.
struct RunnerPages: Sendable {
    let parts: RunParts

    var routes: [Route] {
        [
            Route(.get, "/runs/{run}/join", access: .signedIn) { try await joinPage($0, refusal: nil) },
            Route(.post, "/runs/{run}/join", access: .signedIn, answer: join),
            Route(.post, "/runs/{run}/leave", access: .signedIn, answer: leave),
            Route(.post, "/runs/{run}/share", access: .signedIn, answer: share),
            Route(.post, "/runs/{run}/unshare", access: .signedIn, answer: unshare),
        ]
    }

    private func joinPage(_ context: RouteContext, refusal: Text?) async throws -> WebAnswer {
        let (run, account, view) = (try await parts.found(context), try context.signedIn(), parts.view(context))
        let bib = try await parts.service.runs.enrolments(of: account.id).first { $0.run.id == run.id }?.bib
        let name = try parts.site.sealer.open(account.identity, of: account.user).name
        let links = try await parts.site.stores.links.links(of: account.id).filter(\.mayAct)
        var own: RunView.OwnEnrolment?
        if let bib {
            own = RunView.OwnEnrolment(
                bib: bib, persons: links.map(\.subject),
                sharing: try await parts.service.runs.sharing(of: bib, in: run.id))
        }
        return .page(
            view.joinPage(run, own: own, name: name, refusal: refusal.map(view.words.say)),
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

    /// Own bib in the run of the path.
    private func bib(_ context: RouteContext) async throws -> Bib {
        let (run, account) = (try RunParts.id(context), try context.signedIn())
        guard
            let own = try await parts.service.runs.enrolments(of: account.id).first(where: { $0.run.id == run })
        else { throw Problem(.notFound, "the account does not participate") }
        return own.bib
    }

    private func share(_ context: RouteContext) async throws -> WebAnswer {
        let (run, account, bib) = (try RunParts.id(context), try context.signedIn(), try await bib(context))
        let link = try await parts.site.stores.links.links(of: account.id).first {
            $0.mayAct && "\($0.subject.gateway) \($0.subject.person)" == context.form["person"]
        }
        guard let link else { throw Problem(.notFound, "the account is not linked to this person") }
        do {
            try await parts.service.share(link.subject, of: bib, in: run, by: account)
        } catch let refusal as RunActRefusal {
            return try await joinPage(context, refusal: .refused(refusal))
        }
        return .redirect(to: RunView.place(of: run).adding("/join"))
    }

    private func unshare(_ context: RouteContext) async throws -> WebAnswer {
        let (run, account, bib) = (try RunParts.id(context), try context.signedIn(), try await bib(context))
        try await parts.service.endSharing(of: bib, in: run, by: account)
        parts.hub.changed(run, isWithdrawal: true)
        return .redirect(to: RunView.place(of: run).adding("/join"))
    }

    private func leave(_ context: RouteContext) async throws -> WebAnswer {
        let (run, account, bib) = (try RunParts.id(context), try context.signedIn(), try await bib(context))
        try await parts.service.runs.leave(bib, of: run, by: account.id, at: parts.site.clock())
        parts.hub.changed(run, isWithdrawal: true)
        return .redirect(to: RunView.place(of: run).adding("/join"))
    }
}
