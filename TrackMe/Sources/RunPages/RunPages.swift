import Accounts
import CloudCommands
import Contract
import GatewayModel
import HTML
import RunBeacon
public import RunService
import Runs
import Settings
import Store
public import WebPages

/// Pages of runs: for spectators without a session, for organisers and for runners.
public struct RunPages: Sendable {
    private static let mostRuns = 200
    private static let mostCommands = 60
    /// Proxies close a silent connection after 30 s as a rule.
    private static let aliveInterval = Duration.seconds(10)
    /// Expected places move without a message.
    private static let movingInterval = Duration.seconds(5)
    /// Bytes of a form with a GPX file, percent-encoded.
    private static let largestForm = 500_000

    private let parts: SiteParts
    private let service: RunService
    private let hub: RunHub
    private let frames: RunFrames

    public init(parts: SiteParts, service: RunService, hub: RunHub) {
        (self.parts, self.service, self.hub) = (parts, service, hub)
        frames = RunFrames(service.runs, clock: parts.clock, boot: parts.bootClock)
    }

    public var routes: [Route] {
        [
            Route(.get, "/runs", access: .everybody) { context in
                .page(view(context).list(try await service.runs.runs(most: Self.mostRuns)))
            },
            Route(.get, "/runs/{run}", access: .everybody) { context in
                .page(view(context).runPage(try await shown(context), search: search(context)))
            },
            Route(.get, "/runs/{run}/part", access: .everybody, answer: part),
            Route(.get, "/runs/{run}/live", access: .everybody, answer: live),
            Route(.get, "/runs/{run}/runners/{bib}", access: .everybody, answer: runner),
            Route(.get, "/runs/{run}/runners/{bib}/part", access: .everybody, answer: part),
            Route(.get, "/runs/{run}/join", access: .signedIn) { try await joinPage($0, refusal: nil) },
            Route(.post, "/runs/{run}/join", access: .signedIn, answer: join),
            Route(.post, "/runs/{run}/leave", access: .signedIn, answer: leaveOwn),
            Route(.get, "/api/v1/runs", access: .everybody, style: .api, answer: listAPI),
            Route(.get, "/api/v1/runs/{run}", access: .everybody, style: .api, answer: runAPI),
        ] + organiserRoutes
    }

    private var organiserRoutes: [Route] {
        [
            Route(.get, "/my-runs", access: .signedIn) { context in
                let account = try context.signedIn().id
                return .page(
                    view(context).mine(
                        try await service.runs.runs(of: account),
                        try await service.runs.enrolments(of: account)))
            },
            Route(.get, "/my-runs/new", access: .signedIn) { context in
                .page(view(context).newPage(RunEntry(.none), refusal: nil))
            },
            Route(.post, "/my-runs/new", access: .signedIn, largestBody: Self.largestForm, answer: create),
            Route(.get, "/my-runs/{run}", access: .signedIn) { try await manage($0, refusal: nil) },
            Route(
                .post, "/my-runs/{run}", access: .signedIn, largestBody: Self.largestForm, answer: change),
            Route(.get, "/my-runs/{run}/cancel", access: .signedIn) { context in
                .page(view(context).cancelPage(try await found(context)))
            },
            act("/my-runs/{run}/cancel") { context, run, account in
                try await service.runs.cancel(run, by: account.id, at: parts.clock())
            },
            act("/my-runs/{run}/organisers") { context, run, account in
                try await service.runs.addOrganiser(
                    try Self.user(context), to: run, by: account.id, at: parts.clock())
            },
            act("/my-runs/{run}/organisers/remove") { context, run, account in
                try await service.runs.removeOrganiser(
                    try Self.user(context), from: run, by: account.id, at: parts.clock())
            },
            Route(.post, "/my-runs/{run}/boxes", access: .signedIn, answer: addBox),
            act("/my-runs/{run}/participants") { context, run, account in
                try await service.runs.enrol(
                    try Self.participant(context.form, of: nil), in: run, isOwn: false, by: account.id,
                    at: parts.clock())
            },
            act("/my-runs/{run}/participants/leave") { context, run, account in
                guard let bib = Bib(Int(context.form["bib"] ?? "") ?? 0) else { throw RunFault.bib }
                try await service.runs.leave(bib, of: run, by: account.id, at: parts.clock())
            },
        ]
    }

    /// Route of an act of an organiser, which ends on the page of the run.
    private func act(
        _ pattern: String,
        _ act: @escaping @Sendable (RouteContext, RunID, Account) async throws -> Void
    ) -> Route {
        Route(.post, pattern, access: .signedIn) { context in
            let run = try Self.id(context)
            return try await refusing(context) {
                try await act(context, run, try context.signedIn())
                hub.changed(run)
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
        }
    }

    private func view(_ context: RouteContext) -> RunView {
        RunView(context, now: parts.clock(), calendar: parts.calendar(of: context))
    }

    private static func id(_ context: RouteContext) throws -> RunID {
        guard let run = RunID(try context.parameter("run")) else {
            throw Problem(.notFound, "there is no such run")
        }
        return run
    }

    private func found(_ context: RouteContext) async throws -> OrganisedRun {
        guard let run = try await service.runs.run(try Self.id(context)) else {
            throw Problem(.notFound, "there is no such run")
        }
        return run
    }

    private func shown(_ context: RouteContext) async throws -> RunFrames.Shown {
        guard let shown = try await frames.shown(try Self.id(context)) else {
            throw Problem(.notFound, "there is no such run")
        }
        return shown
    }

    private func search(_ context: RouteContext) -> String { String((context.query["text"] ?? "").prefix(60)) }

    // MARK: Spectators

    /// Part of a run or of a runner. It names nothing of the viewer: all share it.
    private func part(_ context: RouteContext) async throws -> WebAnswer {
        let bib = try context.parameters["bib"].map { text throws(Problem) -> Bib in
            guard let bib = Bib(Int(text) ?? 0) else { throw Problem(.notFound, "there is no such runner") }
            return bib
        }
        let search = search(context)
        let key = RunFrames.Key(
            run: try Self.id(context), language: context.language, bib: bib, search: search)
        // The calendar of the server: the part is the same for all.
        let view = RunView(context, now: parts.clock(), calendar: parts.calendar(parts.clock()))
        let bytes = try await frames.part(key) { shown in
            bib.map { view.runner(shown, $0) } ?? view.run(shown, search: search)
        }
        guard let bytes else { throw Problem(.notFound, "there is no such run") }
        return .text(bytes, type: "text/html; charset=utf-8")
    }

    private func runner(_ context: RouteContext) async throws -> WebAnswer {
        let shown = try await shown(context)
        guard let bib = Bib(Int(try context.parameter("bib")) ?? 0),
            let row = shown.picture.rows.first(where: { $0.bib == bib })
        else { throw Problem(.notFound, "there is no such runner") }
        return .page(view(context).runnerPage(shown, row))
    }

    /// Tells an open page that the run has changed. A page that is behind loads the newest state alone.
    private func live(_ context: RouteContext) async throws -> WebAnswer {
        let id = try Self.id(context)
        guard let run = try await service.runs.run(id) else {
            throw Problem(.notFound, "there is no such run")
        }
        return .events { send, isOver in
            guard hub.begin() else { return }
            defer { hub.end() }
            var (revision, told, alive): (Int, BootInstant, BootInstant?) = (
                hub.revision(of: id), parts.bootClock(), nil
            )
            while !isOver() {
                let (newest, now) = (hub.revision(of: id), parts.bootClock())
                let isMoving =
                    run.state(at: parts.clock()) == .underway
                    && told.duration(to: now) >= max(Self.movingInterval, hub.interval)
                if newest != revision || isMoving {
                    try await send(Array("event: change\ndata: none\n\n".utf8))
                    (revision, told, alive) = (newest, now, now)
                }
                if alive.map({ $0.duration(to: now) >= Self.aliveInterval }) ?? true {
                    try await send(EventStream.alive)
                    alive = now
                }
                try await Task.sleep(for: hub.interval)
            }
        }
    }

    // MARK: API

    private func listAPI(_ context: RouteContext) async throws -> WebAnswer {
        let runs = try await service.runs.runs(most: Self.mostRuns).map { Self.json($0, parts.clock()) }
        return .json(Array(#"{"runs":[\#(runs.joined(separator: ","))]}"#.utf8))
    }

    private static func json(_ run: OrganisedRun, _ now: WallTime) -> String {
        #"{"end":"\#(run.definition.outline.end.rfc3339)","participants":\#(run.participants),"#
            + #""run":"\#(run.id)","start":"\#(run.definition.start.rfc3339)","#
            + #""state":"\#(run.state(at: now).rawValue)","title":\#(JSONText.quoted(run.definition.outline.title))}"#
    }

    private func runAPI(_ context: RouteContext) async throws -> WebAnswer {
        let shown = try await shown(context)
        let rows = shown.picture.rows.map { row in
            var members = [#""bib":\#(row.bib)"#, #""state":"\#(row.state.rawValue)""#]
            if let name = row.name { members.append(#""name":\#(JSONText.quoted(name))"#) }
            if let rank = row.rank { members.append(#""rank":\#(rank)"#) }
            if let lost = shown.picture.lost[row.bib] { members.append(#""tracker_lost":"\#(lost.rfc3339)""#) }
            if let place = shown.picture.places[row.bib] {
                members.append(#""distance_m":\#(Int(place.distance.rounded()))"#)
                members.append(#""is_located":\#(place.isLocated)"#)
            }
            let splits = row.splits.map { split in
                #"{"checkpoint":"\#(split.point.checkpoint)","gun_ms":\#(Self.milliseconds(split.gun)),"#
                    + (split.bound.map { #""bound_ms":\#(Self.milliseconds($0)),"# } ?? "")
                    + #""order":\#(split.point.order),"time":"\#(split.time.rfc3339)"}"#
            }
            members.append(#""splits":[\#(splits.joined(separator: ","))]"#)
            return "{" + members.joined(separator: ",") + "}"
        }
        return .json(
            Array(
                #"{"run":\#(Self.json(shown.run, parts.clock())),"runners":[\#(rows.joined(separator: ","))]}"#
                    .utf8))
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, rest) = duration.components
        return seconds * 1_000 + rest / 1_000_000_000_000_000
    }

    // MARK: Organisers

    private func manage(_ context: RouteContext, refusal: RunWords.Text?) async throws -> WebAnswer {
        let run = try await found(context)
        guard let role = try await service.runs.role(of: try context.signedIn().id, in: run.id) else {
            throw Problem(.notAllowed, "the account organises no such run")
        }
        let view = view(context)
        let page = view.managePage(
            RunView.Managed(
                run: run, role: role,
                organisers: try await service.runs.organisers(of: run.id).map { ($0.user.text, $0.role) },
                boxes: try await service.runs.boxes(of: run.id),
                participants: try await service.runs.participants(of: run.id),
                commands: try await service.runs.commands(of: run.id, most: Self.mostCommands)),
            refusal: refusal.map(view.words.say))
        return .page(page, status: refusal == nil ? 200 : 409)
    }

    private func create(_ context: RouteContext) async throws -> WebAnswer {
        let (account, entry, view) = (try context.signedIn(), RunEntry(context.form), view(context))
        func again(_ text: RunWords.Text) -> WebAnswer {
            .page(view.newPage(entry, refusal: view.words.say(text)), status: 422)
        }
        do {
            guard let id = RunID(entry.id) else { throw RunFault.id }
            try await service.runs.create(
                try Self.definition(entry, of: id), by: account.id, at: parts.clock())
            return .redirect(to: RunView.mine(id))
        } catch let fault as RunFault { return again(.fault(fault)) } catch let refusal as RunActRefusal {
            return again(.refused(refusal))
        }
    }

    private func change(_ context: RouteContext) async throws -> WebAnswer {
        let id = try Self.id(context)
        return try await refusing(context) {
            guard let version = Int(context.form["version"] ?? "") else {
                throw Problem(.badRequest, "the form has no version")
            }
            try await service.runs.change(
                try Self.definition(RunEntry(context.form), of: id), from: version,
                by: try context.signedIn().id, at: parts.clock())
            hub.changed(id)
            return .redirect(to: RunView.mine(id))
        }
    }

    private static func definition(_ entry: RunEntry, of id: RunID) throws -> RunDefinition {
        guard let end = WallTime(rfc3339: entry.end) else { throw RunFault.end }
        guard let most = Int(entry.most) else { throw RunFault.most }
        return try RunDefinition(
            id: id, description: entry.description,
            outline: RunOutline(
                title: entry.title, end: end, waves: try RunText.waves(entry.waves),
                checkpoints: try RunText.checkpoints(entry.checkpoints), course: try course(entry.course)),
            most: most)
    }

    /// Text of a GPX file, or an encoded polyline; nil for an empty text.
    private static func course(_ text: String) throws(RunFault) -> PlannedCourse? {
        let text = text.trimmingPrefix { $0.isWhitespace }
        guard !text.isEmpty else { return nil }
        guard text.hasPrefix("<") else { return .line(try CoursePolyline.line(String(text))) }
        let course: Course
        do throws(SettingsError) {
            course = try CourseFile(bytes: Array(text.utf8), path: "GPX").course
        } catch {
            throw .course("\(error)")
        }
        return .line(try CoursePolyline.line(of: course))
    }

    private static func user(_ context: RouteContext) throws -> UserName {
        guard let user = UserName(context.form["user"] ?? "") else { throw RunActRefusal.unknownUser }
        return user
    }

    private func addBox(_ context: RouteContext) async throws -> WebAnswer {
        let (run, account) = (try Self.id(context), try context.signedIn())
        let attempt = "run-box:\(account.id.number)"
        guard parts.gate.begin(attempt, at: parts.bootClock()) else {
            return try await manage(context, refusal: .tooManyTries)
        }
        do {
            try await service.addBox(context.form["code"] ?? "", to: run, by: account)
            parts.gate.end(attempt, isGood: true, at: parts.bootClock())
            return .redirect(to: RunView.mine(run))
        } catch RunActRefusal.unknownRun {
            parts.gate.end(attempt, isGood: false, at: parts.bootClock())
            throw Problem(.notFound, "there is no such run")
        } catch let refusal as RunActRefusal {
            parts.gate.end(attempt, isGood: false, at: parts.bootClock())
            return try await manage(context, refusal: .refused(refusal))
        } catch let refusal as CommandRefusal {
            parts.gate.end(attempt, isGood: false, at: parts.bootClock())
            return try await manage(context, refusal: refusal.reason == .expired ? .oldCode : .badCode)
        }
    }

    // MARK: Runners

    /// - Parameter account: of a runner that enrols herself.
    private static func participant(_ form: FormFields, of account: AccountID?) throws(RunFault)
        -> RunParticipant
    {
        func text(_ name: String, _ range: ClosedRange<Int>, _ fault: RunFault) throws(RunFault) -> String? {
            guard let text = form[name], !text.isEmpty else { return nil }
            let isClean = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            guard range.contains(text.count), isClean else { throw fault }
            return text
        }
        guard let bib = Bib(Int(form["bib"] ?? "") ?? 0) else { throw .bib }
        var tags: [TagName] = []
        if let tag = try text("tag", 1...80, .tag) {
            do throws(TagIdentity.Flaw) { tags = [try TagName(tag)] } catch { throw .tag }
        }
        var (wave, box): (WaveID?, GatewayID?) = (nil, nil)
        if let name = try text("wave", 1...32, .wave) {
            wave = WaveID(name)
            guard wave != nil else { throw .wave }
        }
        if let name = try text("carries", 1...32, .box) {
            box = GatewayID(name)
            guard box != nil else { throw .box }
        }
        guard !tags.isEmpty || box != nil else { throw .noTracker }
        return RunParticipant(
            entrant: Entrant(
                bib: bib, name: try text("name", Entrant.nameLength, .name),
                category: try text("category", Entrant.categoryLength, .category), wave: wave, tags: tags,
                carries: box),
            account: account, showsName: form["shows"] == "yes")
    }

    private func joinPage(_ context: RouteContext, refusal: RunWords.Text?) async throws -> WebAnswer {
        let (run, account, view) = (try await found(context), try context.signedIn(), view(context))
        let bib = try await service.runs.enrolments(of: account.id).first { $0.run.id == run.id }?.bib
        let name = try parts.sealer.open(account.identity, of: account.user).name
        return .page(
            view.joinPage(run, bib: bib, name: name, refusal: refusal.map(view.words.say)),
            status: refusal == nil ? 200 : 409)
    }

    private func join(_ context: RouteContext) async throws -> WebAnswer {
        let (run, account) = (try Self.id(context), try context.signedIn())
        do {
            try await service.runs.enrol(
                try Self.participant(context.form, of: account.id), in: run, isOwn: true, by: account.id,
                at: parts.clock())
            hub.changed(run)
            return .redirect(to: RunView.place(of: run).adding("/join"))
        } catch let fault as RunFault {
            return try await joinPage(context, refusal: .fault(fault))
        } catch RunActRefusal.unknownRun {
            throw Problem(.notFound, "there is no such run")
        } catch let refusal as RunActRefusal {
            return try await joinPage(context, refusal: .refused(refusal))
        }
    }

    private func leaveOwn(_ context: RouteContext) async throws -> WebAnswer {
        let (run, account) = (try Self.id(context), try context.signedIn())
        guard let own = try await service.runs.enrolments(of: account.id).first(where: { $0.run.id == run })
        else { throw Problem(.notFound, "the account does not participate") }
        try await service.runs.leave(own.bib, of: run, by: account.id, at: parts.clock())
        hub.changed(run)
        return .redirect(to: RunView.place(of: run).adding("/join"))
    }
}
