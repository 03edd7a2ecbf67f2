import ControlContract
import ControlLink
import Glibc
package import Hub
import RealTime
import Synchronization

/// Server of the control socket, a Unix socket for the commands of this computer. It runs on a thread of its own.
///
/// It works without D-Bus, disk and network, because cancelling an alarm must. The mode of the socket's file admits its
/// owner and its group.
package final class ControlServer: Sendable {
    /// Sends a new watcher its first events; from any thread, once.
    package typealias Greeting = @Sendable (@escaping @Sendable ([FeedEvent]) -> Void) -> Void

    private struct Reply: Sendable {
        enum Content: Sendable {
            /// Makes the line on the control thread; nil for a reply that cannot be written.
            case answer(@Sendable () -> [UInt8]?)
            case greeting([FeedEvent])
            /// For all followers.
            case state(@Sendable () -> ControlReply<HouseSnapshot>)
        }

        let content: Content
        /// Nil for a state.
        let connection: Int?
        /// Of the request that is answered.
        var recording: PoisonGuard.Recording?
    }

    private static let mostConnections = 32

    private let listener: Int32
    private let path: String
    /// Socket of the console; nil where it could not be made.
    private let console: (door: ConsoleDoor, listener: Int32)?
    private let feed: Feed
    private let poison: PoisonGuard
    private let replies: Mailbox<Reply>
    private let greeting: Greeting
    private let router: ControlRouter
    private let isStopping = Atomic(false)

    /// Listens from now on.
    /// - Parameters:
    ///   - console: socket of the console. One that cannot be made is told to `onConsoleFailure`: pages are missing then, and
    ///     the command line is not.
    ///   - feed: the events for watchers.
    ///   - greeting: called on the control thread; sends a new watcher the present state, at once or later. Earlier events
    ///     are held back until then.
    ///   - router: called on the control thread; answers now or later.
    package init(
        path: String, console: ConsoleDoor? = nil, feed: Feed, poison: PoisonGuard,
        greeting: @escaping Greeting, onConsoleFailure: (any Error) -> Void = { _ in },
        router: ControlRouter
    ) throws {
        self.path = path
        self.greeting = greeting
        self.router = router
        self.feed = feed
        self.poison = poison
        replies = try Mailbox()
        listener = try UnixSocket.listen(at: path)
        UnixSocket.setNonBlocking(listener)
        do {
            self.console = try console.map { ($0, try $0.listen()) }
        } catch {
            self.console = nil
            onConsoleFailure(error)
        }
        if let console = self.console { UnixSocket.setNonBlocking(console.listener) }
    }

    package var service: ThreadService { ThreadService(run: run, stop: stop) }

    /// Once; closes the socket at its end.
    private func run() async throws {
        await (try NamedThread("control") { [self] in loop() }).finished()
    }

    private func stop() {
        isStopping.store(true, ordering: .releasing)
        replies.wakeup.signal()
    }

    private func loop() {
        var connections: [Int: ControlConnection] = [:]
        var schedule = StateSchedule()
        var nextNumber = 0
        while !isStopping.load(ordering: .acquiring) {
            let numbers = Array(connections.keys)
            let ready = wait(
                for: numbers.compactMap { connections[$0] }, atMost: schedule.pause(at: Clock.boot()))
            let events = feed.take()
            publish(events, to: &connections)
            answer(replies.take().values, to: &connections, &schedule)
            if ready.readable[2] { accept(listener, nil, into: &connections, number: &nextNumber) }
            if let console, ready.readable[3] {
                accept(console.listener, console.door, into: &connections, number: &nextNumber)
            }
            let own = console == nil ? 3 : 4
            for (index, number) in numbers.enumerated() where ready.readable[index + own] {
                receive(number, &connections)
            }
            schedule.followers = connections.values.count(where: \.isFollowing)
            for event in events { schedule.record(event) }
            if schedule.isDue(at: Clock.boot()) { askForState() }
            flush(&connections)
            dropIdle(&connections)
            feed.isWatched = schedule.followers > 0 || connections.values.contains(where: \.isWatching)
        }
        flush(&connections)
        for connection in connections.values { close(connection.descriptor) }
        close(listener)
        unlink(path)
        if let console {
            close(console.listener)
            unlink(console.door.path)
        }
    }

    /// Also looks after idle callers once a second, while there are callers.
    private func wait(for connections: [ControlConnection], atMost pause: Duration?) -> PollResult {
        let own =
            [
                Poll.Interest(feed.descriptor), Poll.Interest(replies.wakeup.descriptor),
                Poll.Interest(listener),
            ] + (console.map { [Poll.Interest($0.listener)] } ?? [])
        let callers = connections.map { connection in
            let read = connection.isHalfClosed ? 0 : POLLIN
            return Poll.Interest(
                connection.descriptor, events: connection.wantsToWrite ? read | POLLOUT : read)
        }
        return Poll.wait(own + callers, timeout: callers.isEmpty ? nil : min(pause ?? .seconds(1), .seconds(1)))
    }

    /// The state comes as the answer to `status`: its owner collects the parts.
    private func askForState() {
        router.answer(
            Verb.Status(),
            ControlAnswer { [replies] make in replies.put(Reply(content: .state(make), connection: nil)) })
    }

    /// - Parameter door: nil for the control socket.
    private func accept(
        _ listener: Int32, _ door: ConsoleDoor?, into connections: inout [Int: ControlConnection],
        number: inout Int
    ) {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else {
            // Out of descriptors, for one: not to be asked again thousands of times a second.
            _ = Poll.wait([], timeout: .milliseconds(100))
            return
        }
        if let door, !door.isAdmitted(descriptor) {
            close(descriptor)
            return
        }
        // Whoever comes may want to cancel an alarm: a watcher gives way, the one there the longest.
        if connections.count >= Self.mostConnections {
            let oldest = connections.filter { !$0.value.awaitsAnswer }.keys.min() ?? connections.keys.min()
            if let oldest { drop(oldest, &connections) }
        }
        connections[number] = ControlConnection(
            descriptor: descriptor, isOfConsole: door != nil, at: Clock.boot())
        number += 1
    }

    private func publish(_ waiting: [FeedEvent], to connections: inout [Int: ControlConnection]) {
        let watchers = connections.filter(\.value.isWatching).keys
        guard !watchers.isEmpty else { return }
        for event in waiting {
            guard let record = FeedRecord(event), let line = try? ControlJSON.line(record) else { continue }
            for number in watchers { connections[number]?.queue(event: line) }
        }
    }

    private func answer(
        _ waiting: [Reply], to connections: inout [Int: ControlConnection], _ schedule: inout StateSchedule
    ) {
        for reply in waiting {
            switch (reply.content, reply.connection) {
            case (.answer(let line), let number?):
                defer { reply.recording?.end() }
                guard let line = line() else { continue }
                connections[number]?.queue(line)
                connections[number]?.awaitsAnswer = false
                connections[number]?.isClosing = true
            case (.greeting(let events), let number?):
                connections[number]?.greet(
                    events.compactMap { FeedRecord($0).flatMap { try? ControlJSON.line($0) } })
            case (.state(let reply), _):
                schedule.arrived(at: Clock.boot())
                guard let state = reply().document, let line = try? ControlJSON.line(state) else { continue }
                for number in connections.filter(\.value.isFollowing).keys {
                    connections[number]?.queue(state: line)
                }
            case (_, nil): break
            }
        }
    }

    private func receive(_ number: Int, _ connections: inout [Int: ControlConnection]) {
        switch connections[number]?.receive() {
        case .line(let line):
            if poison.isSetAside(.request, line) {
                connections[number]?.awaitsAnswer = true
                refuse(
                    ControlError(
                        "this request ended the gateway twice, and is not handled again: ask in another way"),
                    number)
            } else {
                serve(line, of: number, poison.record(request: line), &connections)
            }
        case .closed: drop(number, &connections)
        case .nothingYet, nil: break
        }
    }

    private func serve(
        _ line: [UInt8], of number: Int, _ recording: PoisonGuard.Recording,
        _ connections: inout [Int: ControlConnection]
    ) {
        connections[number]?.awaitsAnswer = true
        var (request, session): (any ControlVerb, ControlSession?)
        do throws(ControlError) {
            (request, session) = try ControlJSON.request(
                from: line, limit: ControlConnection.longestRequest, router.verb)
            if let console, connections[number]?.isOfConsole == true {
                request = try console.door.admit(request, of: session)
            } else {
                session = nil
            }
        } catch {
            return refuse(error, number, recording)
        }
        if session != nil {
            answer(request, of: session, number, recording)
        } else if request is Verb.Watch {
            // Before the greeting is made: what changes after it is told as news.
            feed.isWatched = true
            connections[number]?.beginWatching()
            greeting { [replies] events in replies.put(Reply(content: .greeting(events), connection: number)) }
        } else if request is Verb.Follow {
            feed.isWatched = true
            connections[number]?.beginFollowing()
        } else {
            answer(request, of: nil, number, recording)
        }
    }

    private func answer<Request: ControlVerb>(
        _ request: Request, of session: ControlSession?, _ number: Int, _ recording: PoisonGuard.Recording
    ) {
        let answer = ControlAnswer<Request.Document> { [replies] make in
            let line: @Sendable () -> [UInt8]? = {
                try? ControlJSON.line(session.map { make().seen(by: $0) } ?? make())
            }
            replies.put(Reply(content: .answer(line), connection: number, recording: recording))
        }
        router.answer(request, answer)
    }

    private func refuse(_ error: ControlError, _ number: Int, _ recording: PoisonGuard.Recording? = nil) {
        let line: @Sendable () -> [UInt8]? = { try? ControlJSON.line(ControlReply<NoDocument>.refused(error)) }
        replies.put(Reply(content: .answer(line), connection: number, recording: recording))
    }

    private func flush(_ connections: inout [Int: ControlConnection]) {
        for number in connections.keys {
            let isThere = connections[number]?.flush() ?? false
            if !isThere || connections[number]?.isDone ?? true { drop(number, &connections) }
        }
    }

    private func dropIdle(_ connections: inout [Int: ControlConnection]) {
        let now = Clock.boot()
        for number in connections.filter({ $0.value.isIdle(at: now) }).keys { drop(number, &connections) }
    }

    private func drop(_ number: Int, _ connections: inout [Int: ControlConnection]) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        close(connection.descriptor)
    }
}
