import GatewayModel
import HTML
import PageSecurity
import RunBeacon
import WebPages

/// Pages of spectators, without a session.
struct SpectatorPages: Sendable {
    private static let mostRuns = 200

    let parts: RunParts
    let frames: RunFrames

    var routes: [Route] {
        [
            Route(.get, "/runs", access: .everybody) { context in
                .page(parts.view(context).list(try await parts.service.runs.runs(most: Self.mostRuns)))
            },
            Route(.get, "/runs/{run}", access: .everybody) { context in
                .page(parts.view(context).runPage(try await frames.shown(context), search: search(context)))
            },
            Route(.get, "/runs/{run}/part", access: .everybody, answer: part),
            Route(.get, "/runs/{run}/live", access: .everybody, answer: live),
            Route(.get, "/runs/{run}/runners/{bib}", access: .everybody, answer: runner),
            Route(.get, "/runs/{run}/runners/{bib}/part", access: .everybody, answer: part),
        ]
    }

    private func search(_ context: RouteContext) -> String { String((context.query["text"] ?? "").prefix(60)) }

    /// Part of a run or of a runner. It names nothing of the viewer: all share it.
    private func part(_ context: RouteContext) async throws -> WebAnswer {
        let bib = try context.parameters["bib"].map { text throws(Problem) -> Bib in
            guard let bib = Bib(Int(text) ?? 0) else { throw Problem(.notFound, "there is no such runner") }
            return bib
        }
        let search = search(context)
        let key = RunFrames.Key(
            run: try RunParts.id(context), language: context.language, bib: bib, search: search)
        // The calendar of the server: the part is the same for all.
        let view = RunView(context, now: parts.site.clock(), calendar: parts.site.calendar(parts.site.clock()))
        let bytes = try await frames.part(key) { shown in
            bib.map { view.runner(shown, $0) } ?? view.run(shown, search: search)
        }
        guard let bytes else { throw Problem(.notFound, "there is no such run") }
        return .text(bytes, type: "text/html; charset=utf-8")
    }

    private func runner(_ context: RouteContext) async throws -> WebAnswer {
        let shown = try await frames.shown(context)
        guard let bib = Bib(Int(try context.parameter("bib")) ?? 0),
            let row = shown.picture.rows.first(where: { $0.bib == bib })
        else { throw Problem(.notFound, "there is no such runner") }
        return .page(parts.view(context).runnerPage(shown, row))
    }

    /// Places of the runners, a frame a second, and changes of the standings, upon which a page loads its part. A page gets the
    /// newest frame first, and one that is behind gets the newest alone.
    private func live(_ context: RouteContext) async throws -> WebAnswer {
        let id = try await parts.found(context).id
        let queue = EventQueue<Void>(newest: 2)
        return .events(queue) { send in
            // Inside of the stream: a reader that leaves before it begins has not opened a page.
            guard let page = parts.hub.open(id, wake: { queue.put(()) }) else { return }
            defer { page.close() }
            try await send(EventStream.alive)
            for await event in queue.events {
                switch event {
                case .alive: try await send(EventStream.alive)
                case .news:
                    guard let news = page.news() else { continue }
                    if let frame = news.frame { try await send(frame) }
                    guard news.isChanged else { continue }
                    let seconds = parts.hub.spread.components.seconds
                    try await send(Array("event: change\ndata: \(seconds)\n\n".utf8))
                }
            }
        }
    }
}
