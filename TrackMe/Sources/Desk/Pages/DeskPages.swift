public import Accounts
import ContractReading
public import GatewayModel
import HTML
import PageSecurity
import SOSLocal
public import WebPages

/// Pages of the emergency desk, for accounts with the role of a dispatcher.
public struct DeskPages: Sendable {
    /// Ended calls on the board.
    private static let mostEnded = 20

    private let store: DeskStore
    private let hub: DeskHub
    private let clock: @Sendable () -> WallTime
    private let name: @Sendable (Account) throws -> String
    private let isSignedIn: @Sendable (RouteContext) async throws -> Bool

    /// - Parameters:
    ///   - name: name of the account's person, which the house hears.
    ///   - isSignedIn: whether the session of a stream lasts; asked at each sign of life.
    public init(
        store: DeskStore, hub: DeskHub, clock: @escaping @Sendable () -> WallTime,
        name: @escaping @Sendable (Account) throws -> String,
        isSignedIn: @escaping @Sendable (RouteContext) async throws -> Bool
    ) {
        (self.store, self.hub, self.clock) = (store, hub, clock)
        (self.name, self.isSignedIn) = (name, isSignedIn)
    }

    public var routes: [Route] {
        [
            Route(DeskFiles.style),
            Route(.get, "/desk", access: .role(.dispatcher), answer: desk),
            Route(.get, "/desk/board", access: .role(.dispatcher), answer: board),
            Route(.get, "/desk/live", access: .role(.dispatcher), answer: live),
            Route(.get, "/desk/houses/{gateway}", access: .role(.dispatcher), answer: house),
            Route(.get, "/desk/houses/{gateway}/part", access: .role(.dispatcher)) { context in
                let view = try view(context)
                return Self.part(view.fold(try await fold(of: try Self.house(context), view, upTo: nil)))
            },
            Route(.post, "/desk/houses/{gateway}/close", access: .role(.dispatcher), answer: closeFold),
            Route(.get, "/desk/calls/{gateway}/{alarm}", access: .role(.dispatcher)) {
                try await call($0, refusal: nil)
            },
            Route(.get, "/desk/calls/{gateway}/{alarm}/part", access: .role(.dispatcher), answer: part),
            Route(.post, "/desk/calls/{gateway}/{alarm}/take", access: .role(.dispatcher)) {
                try await act(.take, $0)
            },
            Route(.post, "/desk/calls/{gateway}/{alarm}/release", access: .role(.dispatcher)) { context in
                try await act(.release, context)
            },
            Route(.post, "/desk/calls/{gateway}/{alarm}/take-over", access: .role(.dispatcher)) { context in
                let holder = try await found(context).holder
                let isAway = holder.map { hub.isAway($0) } ?? false
                return try await act(
                    .takeOver(reason: context.form["reason"] ?? "", isHolderAway: isAway), context)
            },
            Route(.post, "/desk/calls/{gateway}/{alarm}/keep-on", access: .role(.dispatcher)) { context in
                try await act(.keepOn, context)
            },
            Route(.post, "/desk/calls/{gateway}/{alarm}/note", access: .role(.dispatcher)) { context in
                try await act(.note(context.form["note"] ?? ""), context)
            },
            Route(.post, "/desk/calls/{gateway}/{alarm}/close", access: .role(.dispatcher)) { context in
                try await act(.close(try Self.outcome(context), note: context.form["note"] ?? ""), context)
            },
        ]
    }

    private func dispatcher(_ context: RouteContext) throws -> Dispatcher {
        let account = try context.signedIn()
        guard let dispatcher = Dispatcher(user: account.user.text, name: try name(account)) else {
            throw Problem(.failed, "the name of the account cannot be told to a house")
        }
        return dispatcher
    }

    private func view(_ context: RouteContext) throws -> DeskView {
        DeskView(
            words: Words(context.language), viewer: try dispatcher(context), formToken: context.formToken,
            now: clock(), present: hub.present, arrival: hub.arrival)
    }

    private static func outcome(_ context: RouteContext) throws -> EmergencyCall.Outcome {
        guard let outcome = EmergencyCall.Outcome(rawValue: context.form["outcome"] ?? "") else {
            throw Problem(.badRequest, "the desk has no such outcome")
        }
        return outcome
    }

    private static func house(_ context: RouteContext) throws -> GatewayID {
        guard let gateway = GatewayID(try context.parameter("gateway")) else {
            throw Problem(.notFound, "the desk has no such house")
        }
        return gateway
    }

    // MARK: Calls of one house that the board folds

    /// - Parameter last: newest arrival that counts: later calls are on no page that was looked at.
    private func fold(
        of house: GatewayID, _ view: DeskView, upTo last: WallTime?
    ) async throws -> CallList.Fold {
        let open = try await store.openCalls().filter { call in last.map { call.since <= $0 } ?? true }
        return CallList(open, for: view.viewer, at: view.now).folds.first { $0.house == house }
            ?? CallList.Fold(house: house, calls: [])
    }

    private func house(_ context: RouteContext) async throws -> WebAnswer {
        let (house, view) = (try Self.house(context), try view(context))
        let fold = try await fold(of: house, view, upTo: nil)
        return .page(
            view.page(
                title: view.words.say(.furtherOf(house.text)), part: view.fold(fold),
                at: DeskView.place(of: house).adding("/part"), rest: view.closing(of: fold)))
    }

    private func closeFold(_ context: RouteContext) async throws -> WebAnswer {
        let (house, view) = (try Self.house(context), try view(context))
        guard let milliseconds = Int64(context.form["until"] ?? "") else {
            throw Problem(.badRequest, "the form has no time")
        }
        let fold = try await fold(of: house, view, upTo: WallTime(millisecondsSince1970: milliseconds))
        do {
            _ = try await store.closeUntaken(
                fold.untaken, by: view.viewer, try Self.outcome(context), note: context.form["note"] ?? "",
                at: clock())
        } catch is DeskRefusal {
            throw Problem(
                .badRequest, reason: "the note is longer than \(EmergencyCall.longestNote) characters")
        }
        hub.changed()
        return .redirect(to: DeskView.root)
    }

    private static func id(_ context: RouteContext) throws -> CallID {
        guard let gateway = GatewayID(try context.parameter("gateway")),
            let alarm = AlarmID(try context.parameter("alarm"))
        else { throw Problem(.notFound, "the desk has no such call") }
        return CallID(gateway: gateway, alarm: alarm)
    }

    // MARK: Board

    private func boardPart(_ view: DeskView) async throws -> HTML {
        let (open, ended) = (try await store.openCalls(), try await store.endedCalls(most: Self.mostEnded))
        let list = CallList(open, for: view.viewer, at: view.now)
        let since = view.now.advanced(by: .seconds(-TakingTimes.days * 86_400))
        return view.board(
            list, ended: ended, forwardings: try await store.forwardings(of: (list.shown + ended).map(\.id)),
            times: try await store.takingTimes(since: since, at: view.now))
    }

    private func desk(_ context: RouteContext) async throws -> WebAnswer {
        let view = try view(context)
        return .page(
            view.page(title: view.words.say(.desk), part: try await boardPart(view), at: DeskView.board))
    }

    private func board(_ context: RouteContext) async throws -> WebAnswer {
        Self.part(try await boardPart(try view(context)))
    }

    private static func part(_ html: HTML) -> WebAnswer {
        .text(Array(html.source.utf8), type: "text/html; charset=utf-8")
    }

    // MARK: One call

    /// The look is in the audit log before the answer leaves. A log that cannot be written withholds no call that waits for help.
    private func callPart(
        _ call: EmergencyCall, _ view: DeskView
    ) async throws -> HTML {
        do { try await store.recordReading(of: call.id, by: view.viewer, at: view.now) } catch {
            guard call.isOpen else { throw error }
        }
        let log = try await store.log(of: call.id)
        return view.call(
            call, log: log, others: try await store.openCalls(), isDelivered: Self.isDelivered(log),
            forwarding: try await store.forwardings(of: [call.id])[call.id],
            isHolderAway: call.holder.map { hub.isAway($0) } ?? false)
    }

    /// Whether the broker has the newest acceptance; nil if there is none.
    private static func isDelivered(_ log: [LoggedEntry]) -> Bool? {
        log.reversed().lazy.compactMap { line -> Bool? in
            switch line.entry {
            case .acceptanceDelivered: true
            case .taken, .takenOver, .acceptanceRefused: false
            case .message, .released, .keptOn, .noted, .closed, .reopened, .forwarded, .forwardingFailed,
                .forwardingGivenUp, .acceptedOutside:
                nil
            }
        }.first
    }

    private func found(_ context: RouteContext) async throws -> EmergencyCall {
        guard let call = try await store.call(try Self.id(context)) else {
            throw Problem(.notFound, "the desk has no such call")
        }
        return call
    }

    private func call(_ context: RouteContext, refusal: DeskRefusal?) async throws -> WebAnswer {
        let (call, view) = (try await found(context), try view(context))
        let page = view.page(
            title: view.title(of: call), part: try await callPart(call, view),
            at: DeskView.place(of: call.id).adding("/part"), rest: view.forms(for: call),
            notice: refusal.map { view.warning($0) } ?? .none)
        return .page(page, status: refusal == nil ? 200 : 409)
    }

    private func part(_ context: RouteContext) async throws -> WebAnswer {
        Self.part(try await callPart(try await found(context), try view(context)))
    }

    private func act(_ act: DeskAct, _ context: RouteContext) async throws -> WebAnswer {
        let id = try Self.id(context)
        do {
            let (_, alerts) = try await store.carryOut(act, on: id, by: try dispatcher(context), at: clock())
            hub.changed(alerts)
            return .redirect(to: DeskView.place(of: id))
        } catch DeskRefusal.unknownCall {
            throw Problem(.notFound, "the desk has no such call")
        } catch let refusal as DeskRefusal {
            return try await call(context, refusal: refusal)
        }
    }

    // MARK: Stream

    /// Changes of the desk as server-sent events, and each second whether calls can arrive. The open stream of a tab in view is
    /// the attendance of its dispatcher.
    private func live(_ context: RouteContext) async throws -> WebAnswer {
        let dispatcher = try dispatcher(context)
        let (queue, words) = (EventQueue<Void>(newest: 8), Words(context.language))
        let isInView = context.query["unseen"] == nil
        return .events(queue) { send in
            // Inside of the stream: a reader that leaves before it begins has not opened a page.
            guard try await isSignedIn(context),
                let page = hub.open(by: dispatcher, isInView: isInView, wake: { queue.put(()) })
            else { return }
            defer { page.close() }
            try await send(EventStream.alive)
            for await event in queue.events {
                switch event {
                case .alive:
                    // A database that does not answer ends no stream: the stream has to tell of it.
                    guard (try? await isSignedIn(context)) ?? true else { return }
                    try await send(EventStream.alive)
                case .news:
                    let (text, isFault) = words.arrival(hub.arrival, at: clock())
                    try await send(Array("event: arrival\ndata: \(isFault ? 1 : 0) \(text)\n\n".utf8))
                    guard let news = page.news() else { continue }
                    let alert = news.alert?.rawValue ?? "none"
                    try await send(Array("id: \(news.revision)\nevent: change\ndata: \(alert)\n\n".utf8))
                }
            }
        }
    }
}

extension Text {
    static func furtherOf(_ house: String) -> Text {
        Text(
            en: "More open calls of the house \(house)",
            it: "Altre chiamate aperte della casa \(house)")
    }
    static func acceptanceRefused(_ reason: String) -> Text {
        Text(
            en: "The broker refuses the acceptance: \(reason). Call the house by telephone.",
            it: "Il broker rifiuta l'accettazione: \(reason). Telefona alla casa.")
    }
}
