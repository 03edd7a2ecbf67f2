import Accounts
import GatewayModel
import HTML
import PageSecurity
import RunBeacon
import WebPages

/// Pages of organisers.
struct OrganiserPages: Sendable {
    private static let mostCommands = 60
    /// Bytes of a form with a GPX file, percent-encoded.
    static let largestForm = 500_000

    let parts: RunParts

    var routes: [Route] {
        [
            Route(.get, "/my-runs", access: .signedIn) { context in
                let account = try context.signedIn().id
                return .page(
                    parts.view(context).mine(
                        try await parts.service.runs.runs(of: account),
                        try await parts.service.runs.enrolments(of: account)))
            },
            Route(.get, "/my-runs/new", access: .signedIn) { context in
                .page(parts.view(context).newPage(RunEntry(.none), refusal: nil))
            },
            Route(.post, "/my-runs/new", access: .signedIn, largestBody: Self.largestForm, answer: create),
            Route(.get, "/my-runs/{run}", access: .signedIn) { try await manage($0, refusal: nil) },
            Route(
                .post, "/my-runs/{run}", access: .signedIn, largestBody: Self.largestForm, answer: change),
            Route(.get, "/my-runs/{run}/cancel", access: .signedIn) { context in
                .page(parts.view(context).cancelPage(try await parts.found(context)))
            },
            act("/my-runs/{run}/cancel") { context, run, account in
                try await parts.service.runs.cancel(run, by: account.id, at: parts.site.clock())
            },
            act("/my-runs/{run}/organisers") { context, run, account in
                try await parts.service.runs.addOrganiser(
                    try RunForms.user(context), to: run, by: account.id, at: parts.site.clock())
            },
            act("/my-runs/{run}/organisers/remove") { context, run, account in
                try await parts.service.runs.removeOrganiser(
                    try RunForms.user(context), from: run, by: account.id, at: parts.site.clock())
            },
            act("/my-runs/{run}/boxes") { context, run, account in
                try await parts.addBox(context.form["code"] ?? "", to: run, by: account, parts.service)
            },
            Route(.get, "/my-runs/{run}/boxes/{box}/remove", access: .signedIn) { context in
                .page(
                    parts.view(context).takeOutPage(try await parts.found(context), try RunParts.box(context)))
            },
            act("/my-runs/{run}/boxes/{box}/remove") { context, run, account in
                try await parts.service.runs.remove(
                    try RunParts.box(context), from: run, discarding: context.form["discard"] == "yes",
                    by: account.id, at: parts.site.clock())
            },
            act("/my-runs/{run}/participants") { context, run, account in
                try await parts.service.runs.enrol(
                    try RunForms.participant(context.form, of: nil), in: run, isOwn: false, by: account.id,
                    at: parts.site.clock())
            },
            act("/my-runs/{run}/participants/leave") { context, run, account in
                guard let bib = Bib(Int(context.form["bib"] ?? "") ?? 0) else { throw RunFault.bib }
                try await parts.service.runs.leave(bib, of: run, by: account.id, at: parts.site.clock())
            },
        ]
    }

    /// Route of an act of an organiser, which ends on the page of the run.
    private func act(
        _ pattern: String,
        _ act: @escaping @Sendable (RouteContext, RunID, Account) async throws -> Void
    ) -> Route {
        Route(.post, pattern, access: .signedIn) { context in
            let run = try RunParts.id(context)
            return try await refusing(context) {
                try await act(context, run, try context.signedIn())
                // An act may take a runner or her name away.
                parts.hub.changed(run, isWithdrawal: true)
                return .redirect(to: RunView.mine(run))
            }
        }
    }

    private func refusing(
        _ context: RouteContext, _ act: () async throws -> WebAnswer
    ) async throws -> WebAnswer {
        do { return try await act() } catch let fault as RunFault {
            return try await manage(context, refusal: .fault(fault))
        } catch RunActRefusal.unknownRun {
            throw Problem(.notFound, "there is no such run")
        } catch let refusal as RunActRefusal {
            return try await manage(context, refusal: .refused(refusal))
        } catch let fault as BoxCodeFault {
            return try await manage(context, refusal: fault.text)
        }
    }

    private func manage(_ context: RouteContext, refusal: Text?) async throws -> WebAnswer {
        let managed = try await parts.managed(
            try RunParts.id(context), by: try context.signedIn(), mostCommands: Self.mostCommands)
        let view = parts.view(context)
        let page = view.managePage(managed, refusal: refusal.map(view.words.say))
        return .page(page, status: refusal == nil ? 200 : 409)
    }

    private func create(_ context: RouteContext) async throws -> WebAnswer {
        let (account, entry, view) = (try context.signedIn(), RunEntry(context.form), parts.view(context))
        func again(_ text: Text) -> WebAnswer {
            .page(view.newPage(entry, refusal: view.words.say(text)), status: 422)
        }
        do {
            guard let id = RunID(entry.id) else { throw RunFault.id }
            try await parts.service.runs.create(
                try RunForms.definition(entry, of: id), by: account.id, at: parts.site.clock())
            return .redirect(to: RunView.mine(id))
        } catch let fault as RunFault { return again(.fault(fault)) } catch let refusal as RunActRefusal {
            return again(.refused(refusal))
        }
    }

    private func change(_ context: RouteContext) async throws -> WebAnswer {
        let id = try RunParts.id(context)
        return try await refusing(context) {
            guard let version = Int(context.form["version"] ?? "") else {
                throw Problem(.badRequest, "the form has no version")
            }
            try await parts.service.runs.change(
                try RunForms.definition(RunEntry(context.form), of: id), from: version,
                by: try context.signedIn().id, at: parts.site.clock())
            parts.hub.changed(id)
            return .redirect(to: RunView.mine(id))
        }
    }
}
