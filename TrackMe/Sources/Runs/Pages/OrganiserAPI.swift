import Accounts
import Crypto
import Foundation
import GatewayModel
import JSONReading
import PageSecurity
import RunBeacon
import WebPages

/// Acts of organisers and runners on runs, for programs with the session of an account.
struct OrganiserAPI: Sendable {
    private static let path = "/api/v1/runs"
    private static let most = 200
    private static let mostCommands = 60

    let parts: RunParts

    var routes: [Route] {
        [
            Route(.get, "/api/v1/me/runs", access: .signedIn, style: .api, answer: own),
            Route(
                .post, Self.path, access: .signedIn, style: .api, largestBody: OrganiserPages.largestForm,
                answer: create),
            Route(.get, Self.path + "/{run}/organise", access: .signedIn, style: .api) { context in
                try await answer(try RunParts.id(context), context)
            },
            act("/organise", largestBody: OrganiserPages.largestForm) { context, run, by, runs in
                let entered: Definition = try Self.body(context)
                guard let version = entered.version else {
                    throw Problem(.badRequest, "expected version: the one that the change is based on")
                }
                try await runs.change(
                    try entered.definition(of: run), from: version, by: by, at: parts.site.clock())
            },
            act("/cancel") { _, run, by, runs in try await runs.cancel(run, by: by, at: parts.site.clock()) },
            act("/organisers") { context, run, by, runs in
                let named: Named = try Self.body(context)
                try await runs.addOrganiser(
                    try Self.user(named.user), to: run, by: by, at: parts.site.clock())
            },
            act("/organisers/{user}/remove") { context, run, by, runs in
                try await runs.removeOrganiser(
                    try Self.user(try context.parameter("user")), from: run, by: by, at: parts.site.clock())
            },
            Route(.post, Self.path + "/{run}/boxes", access: .signedIn, style: .api, answer: addBox),
            act("/boxes/{box}/remove") { context, run, by, runs in
                let removal: Removal =
                    context.request.body.isEmpty ? Removal(discard: nil) : try Self.body(context)
                try await runs.remove(
                    try RunParts.box(context), from: run, discarding: removal.discard ?? false, by: by,
                    at: parts.site.clock())
            },
            Route(
                .get, Self.path + "/{run}/participants", access: .signedIn, style: .api, answer: participants),
            enrolment("/participants", isOwn: false), enrolment("/join", isOwn: true),
            Route(
                .post, Self.path + "/{run}/participants/{bib}/leave", access: .signedIn, style: .api,
                answer: leave),
        ]
    }

    // MARK: Requests

    private struct Named: Decodable {
        let user: String
    }

    private struct Removal: Decodable {
        let discard: Bool?
    }

    private struct NewBox: Decodable {
        let box: String
    }

    private struct Definition: Decodable {
        struct Start: Decodable {
            let id, start: String
        }

        struct Place: Decodable {
            let id: String
            let distancesM: [Double]
            let finish: Bool?
            let box: String?
        }

        let run: String?
        let title, end: String
        let waves: [Start]
        let checkpoints: [Place]
        let description, course: String?
        let most: Int
        let version: Int?

        func definition(of id: RunID) throws -> RunDefinition {
            guard let end = WallTime(rfc3339: end) else {
                throw Problem(.badRequest, "end is no time of RFC 3339 with its offset")
            }
            guard (1...20).contains(waves.count), (1...50).contains(checkpoints.count) else {
                throw Problem(.badRequest, "expected 1 to 20 waves and 1 to 50 checkpoints")
            }
            return try RunDefinition(
                id: id, description: description ?? "",
                outline: RunOutline(
                    title: title, end: end, waves: try waves.map(wave),
                    checkpoints: try checkpoints.map(checkpoint), course: try RunForms.course(course ?? "")),
                most: most)
        }

        private func wave(_ start: Start) throws(Problem) -> Wave {
            guard let id = WaveID(start.id), let time = WallTime(rfc3339: start.start) else {
                throw Problem(
                    .badRequest, "a wave has an id of 1 to 32 of a-z, 0-9 and -, and a start of RFC 3339")
            }
            return Wave(id: id, start: time)
        }

        private func checkpoint(_ place: Place) throws(Problem) -> Checkpoint {
            let box = try place.box.map { text throws(Problem) -> GatewayID in
                guard let box = GatewayID(text) else { throw Problem(.badRequest, "box is no name of a box") }
                return box
            }
            guard let id = CheckpointID(place.id),
                let checkpoint = Checkpoint(
                    id: id, distances: place.distancesM, isFinish: place.finish ?? false, box: box)
            else {
                throw Problem(
                    .badRequest,
                    "a checkpoint has an id of 1 to 32 of a-z, 0-9 and -, and ascending distances_m")
            }
            return checkpoint
        }
    }

    private struct Enrolment: Decodable {
        let bib: Int
        let name, category, wave, carries: String?
        let tags: [String]?
        let showsName: Bool?

        func participant(of account: AccountID?) throws -> RunParticipant {
            guard tags?.count ?? 0 <= Entrant.mostTags else {
                throw Problem(.badRequest, "a runner has four tags at most")
            }
            return try RunForms.participant(
                bib: bib, name: name, category: category, wave: wave, tags: tags ?? [], carries: carries,
                showsName: showsName ?? false, of: account)
        }
    }

    private static func body<Body: Decodable>(_ context: RouteContext) throws -> Body {
        try context.checkJSON()
        do {
            return try JSONReader.decode(
                from: context.request.body, limit: OrganiserPages.largestForm, names: .snakeCase)
        } catch {
            throw Problem(.badRequest, "the body is not the JSON that is expected")
        }
    }

    private static func user(_ text: String) throws(RunActRefusal) -> UserName {
        guard let user = UserName(text) else { throw .unknownUser }
        return user
    }

    // MARK: Acts

    /// The service whose acts are done once under the key of the request.
    private func service(_ context: RouteContext) throws -> RunService {
        let key = try context.idempotencyKey()
        let digest = SHA256.hash(data: Data(context.request.path.utf8) + [0] + context.request.body)
        return parts.service.once(RunActKey(key, digest: Array(digest)))
    }

    /// Route of an act of an organiser, which answers with the run.
    private func act(
        _ pattern: String, largestBody: Int = WebRequest.largestBody,
        _ act: @escaping @Sendable (RouteContext, RunID, AccountID, RunStore) async throws -> Void
    ) -> Route {
        Route(
            .post, Self.path + "/{run}" + pattern, access: .signedIn, style: .api, largestBody: largestBody
        ) { context in
            let run = try RunParts.id(context)
            try await refusing {
                try await act(context, run, try context.signedIn().id, try service(context).runs)
            }
            parts.hub.changed(run, isWithdrawal: true)
            return try await answer(run, context)
        }
    }

    private func refusing(_ act: () async throws -> Void) async throws {
        let words = Words(.english)
        do { try await act() } catch let fault as RunFault {
            throw Problem(.badRequest, reason: words.say(.fault(fault)))
        } catch let refusal as RunActRefusal {
            throw Problem(Self.kind(refusal), reason: words.say(.refused(refusal)))
        } catch let fault as BoxCodeFault {
            throw Problem(
                fault == .tooManyTries ? .busy : .badRequest, reason: words.say(fault.text))
        }
    }

    private static func kind(_ refusal: RunActRefusal) -> Problem.Kind {
        switch refusal {
        case .unknownRun, .unknownUser, .unknownRunner, .unknownBox: .notFound
        case .notAllowed: .notAllowed
        case .taken, .changedMeanwhile, .over, .cancelled, .begun, .inUse, .full, .tooMany, .otherKey,
            .boxStands, .boxIsCarried, .boxTakenOut, .keyUsed:
            .conflict
        }
    }

    /// The run as its organisers see it.
    private func answer(_ id: RunID, _ context: RouteContext, status: Int = 200) async throws -> WebAnswer {
        let managed = try await parts.managed(id, by: try context.signedIn(), mostCommands: Self.mostCommands)
        var answer = WebAnswer.json(Array(RunJSON.text(managed, parts.site.clock()).utf8), status: status)
        if status == 201 { answer.headers.append(("Location", "\(Self.path)/\(id)/organise")) }
        return answer
    }

    private func create(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        let service = try service(context)
        let entered: Definition = try Self.body(context)
        guard let id = entered.run.flatMap({ RunID($0) }) else {
            throw Problem(.badRequest, "run is no name of 1 to 32 of a-z, 0-9 and -")
        }
        try await refusing {
            try await service.runs.create(
                try entered.definition(of: id), by: account.id, at: parts.site.clock())
        }
        return try await answer(id, context, status: 201)
    }

    private func addBox(_ context: RouteContext) async throws -> WebAnswer {
        let (run, account, service) = (
            try RunParts.id(context), try context.signedIn(), try service(context)
        )
        let new: NewBox = try Self.body(context)
        try await refusing { try await parts.addBox(new.box, to: run, by: account, service) }
        return try await answer(run, context)
    }

    /// Paged by the name of the run.
    private func own(_ context: RouteContext) async throws -> WebAnswer {
        let after = try context.query["after"].map { text throws(Problem) -> RunID in
            guard let run = RunID(text) else { throw Problem(.badRequest, "after is no name of a run") }
            return run
        }
        let runs = try await parts.service.runs.ownRuns(
            of: try context.signedIn().id, after: after, most: try Self.limit(context)
        ).map { RunJSON.text($0, parts.site.clock()) }
        return .json(Array(#"{"runs":[\#(runs.joined(separator: ","))]}"#.utf8))
    }

    private static func limit(_ context: RouteContext) throws(Problem) -> Int {
        guard let limit = Int(context.query["limit"] ?? "\(most)"), (1...most).contains(limit) else {
            throw Problem(.badRequest, "limit is not from 1 to 200")
        }
        return limit
    }

    /// Paged by the bib.
    private func participants(_ context: RouteContext) async throws -> WebAnswer {
        let id = try RunParts.id(context)
        _ = try await parts.role(of: try context.signedIn(), in: id)
        guard let after = Int(context.query["after"] ?? "0"), after >= 0 else {
            throw Problem(.badRequest, "after is no bib")
        }
        let rows = try await parts.service.runs.participants(of: id).filter {
            $0.entrant.bib.number > after
        }.prefix(try Self.limit(context)).map { RunJSON.text($0) }
        return .json(Array(#"{"participants":[\#(rows.joined(separator: ","))]}"#.utf8))
    }

    private func enrolment(_ pattern: String, isOwn: Bool) -> Route {
        Route(.post, Self.path + "/{run}" + pattern, access: .signedIn, style: .api) { context in
            let (run, account, service) = (
                try RunParts.id(context), try context.signedIn(), try service(context)
            )
            let enrolment: Enrolment = try Self.body(context)
            try await refusing {
                try await service.runs.enrol(
                    try enrolment.participant(of: isOwn ? account.id : nil), in: run, isOwn: isOwn,
                    by: account.id, at: parts.site.clock())
            }
            parts.hub.changed(run)
            return Self.answer(enrolment.bib, run)
        }
    }

    private static func answer(_ bib: Int, _ run: RunID) -> WebAnswer {
        .json(Array(#"{"bib":\#(bib),"run":"\#(run)"}"#.utf8))
    }

    private func leave(_ context: RouteContext) async throws -> WebAnswer {
        let (run, account, service) = (
            try RunParts.id(context), try context.signedIn(), try service(context)
        )
        guard let bib = Bib(Int(try context.parameter("bib")) ?? 0) else {
            throw Problem(.notFound, "there is no such runner")
        }
        try await refusing {
            try await service.runs.leave(bib, of: run, by: account.id, at: parts.site.clock())
        }
        parts.hub.changed(run, isWithdrawal: true)
        return Self.answer(bib.number, run)
    }
}
