import GatewayModel
import HelpLine
import RealTime
import SIP

/// Calls over an account at a SIP server: a provider's, or the one of a router in the house.
final class SIPCallRoute: CallRoute {
    struct Settings: Sendable {
        let server: SIPServer
        let port: UInt16
        /// For the answer to a look.
        let reach: Duration
        /// Whether the dates of the server's certificate are checked.
        let checksDates: @Sendable () -> Bool
    }

    private let settings: Settings
    /// Starts a look-up of the server's name, whose result comes to `found`.
    private let lookUp: () throws -> Void
    /// Wakes the loop: events have come.
    private let wake: () -> Void
    private var endpoint: SIPEndpoint?
    private var isWayStale = false
    private var isLookingUp = false
    private var waiting: (number: Int, recipient: PhoneNumber)?
    private var isLookWanted = false
    private var lookLimit: BootInstant?
    private var looks = 0
    private var line: Line?
    private var events: [RouteEvent] = []

    /// The call that is on the line.
    private struct Line {
        let number: Int
        let call: SIPCall
        /// Of the next packet; nil before it is answered.
        var nextFrame: BootInstant?
        var sound: CallSound?
    }

    private static let frame = Duration.milliseconds(20)
    /// More is not made up for: the thread was held up, and nobody wants old sound.
    private static let mostFrames = 5

    init(_ settings: Settings, lookUp: @escaping () throws -> Void, wake: @escaping () -> Void) {
        self.settings = settings
        self.lookUp = lookUp
        self.wake = wake
    }

    func run(waitingFor descriptors: [Int32], step: @escaping () -> Bool) throws {
        findWay()
        try SIPLoop.run(
            waitingFor: descriptors,
            end: {
                line = nil
                endpoint = nil
            },
            step: { loop in if !step() { loop.stop() } })
    }

    // MARK: Calls

    func dial(_ number: Int, _ recipient: PhoneNumber) {
        guard let endpoint, !isWayStale, endpoint.way.isCurrent else {
            waiting = (number, recipient)
            return findWay()
        }
        call(number, recipient, over: endpoint)
    }

    private func call(_ number: Int, _ recipient: PhoneNumber, over endpoint: SIPEndpoint) {
        do throws(SIPFailure) {
            let call = try SIPCall(recipient.text, over: endpoint) { [unowned self] event in
                // Not from within libre's callback, which may hold objects that an end would free.
                came(event, of: number)
            }
            line = Line(number: number, call: call)
        } catch {
            fail(number, error.description)
        }
    }

    private func came(_ event: SIPCall.Event, of number: Int) {
        switch event {
        case .progress: events.append(.call(number, .progress))
        case .answered: events.append(.call(number, .answered))
        case .key(let key): events.append(.call(number, .key(key)))
        case .ended(let end): events.append(.call(number, .ended(self.end(end))))
        }
        wake()
    }

    private func end(_ end: SIPCall.End) -> CallEnd {
        switch end {
        case .hungUp: return .hungUp
        case .failed(let reason):
            isWayStale = true
            return .failed(.route(reason))
        case .refused(let status, let phrase):
            switch status {
            case 486, 600: return .busy
            case 603: return .declined
            case 408, 480, 487: return .noAnswer
            case 401, 407: return .failed(.route(refusal(status, phrase)))
            default: return .failed(.number("\(settings.server.name) refused the call: \(status) \(phrase)"))
            }
        }
    }

    private func refusal(_ status: Int, _ phrase: String) -> String {
        "\(settings.server.name) refused the account: \(status) \(phrase); check username, password_file and from"
    }

    private func fail(_ number: Int, _ reason: String) {
        isWayStale = true
        events.append(.call(number, .ended(.failed(.route(reason)))))
        wake()
    }

    func hangUp(_ number: Int) {
        if waiting?.number == number { waiting = nil }
        if line?.number == number { line = nil }
        events.removeAll { if case .call(number, _) = $0 { true } else { false } }
    }

    func play(_ number: Int, _ sound: CallSound) {
        if line?.number == number { line?.sound = sound }
    }

    // MARK: The way

    private func findWay() {
        guard !isLookingUp else { return }
        isLookingUp = true
        do { try lookUp() } catch {
            isLookingUp = false
            failAll("looking up \(settings.server.host): \(error)")
        }
    }

    func found(_ addresses: [String]) {
        isLookingUp = false
        // A new way would end the call that is up.
        guard line == nil else { return }
        let host = settings.server.host
        guard !addresses.isEmpty else {
            return failAll("\(host) cannot be looked up; check its spelling and the network's DNS")
        }
        // The one that failed goes last.
        let failed = isWayStale ? endpoint?.way.address : nil
        let ways = (addresses.filter { $0 != failed } + addresses.filter { $0 == failed })
            .compactMap { SIPRoute(to: $0, port: settings.port) }
        guard let way = ways.first else {
            return failAll("there is no route to \(host) (\(addresses[0])); check the network")
        }
        // Before the new one, which may want the same port. A call that is up ends with it.
        line = nil
        endpoint = nil
        do throws(SIPFailure) {
            endpoint = try SIPEndpoint(
                way: way, peers: addresses, server: settings.server, for: .calls,
                checksDates: settings.checksDates
            ) {
                [unowned self] event in came(event)
            }
        } catch {
            return failAll(error.description)
        }
        isWayStale = false
        guard let endpoint else { return }
        endpoint.register()
        if let (number, recipient) = waiting {
            waiting = nil
            call(number, recipient, over: endpoint)
        }
        if isLookWanted { look() }
    }

    private func failAll(_ reason: String) {
        isWayStale = true
        if let (number, _) = waiting {
            waiting = nil
            fail(number, reason)
        }
        if isLookWanted { looked(.fails(reason: reason)) }
    }

    // MARK: Tests

    func look() {
        if !isLookWanted { lookLimit = Clock.boot().advanced(by: settings.reach) }
        isLookWanted = true
        // A call that is up is the best proof, and a new way would end it.
        if line != nil { return looked(.works(detail: "a call is up")) }
        guard let endpoint, !isWayStale, endpoint.way.isCurrent else { return findWay() }
        looks += 1
        let server = settings.server
        endpoint.send(
            server.credentials == nil
                ? .options("\(looks)", to: server.registrar) : .bindings("\(looks)", of: server))
    }

    private func looked(_ test: ChannelTest) {
        isLookWanted = false
        lookLimit = nil
        events.append(.looked(test))
        wake()
    }

    private func came(_ event: SIPEvent) {
        switch event {
        case .registered: events.append(.note(.registered))
        case .registrationFailed(let reason): events.append(.note(.registrationFailed(reason: reason)))
        case .message: break
        case .failed(let id, let reason):
            guard isLookWanted, id == "\(looks)" else { break }
            isWayStale = true
            looked(.fails(reason: reason))
        case .answered(let id, let status, let phrase, _):
            guard isLookWanted, id == "\(looks)" else { break }
            looked(judge(status, phrase))
        }
        wake()
    }

    private func judge(_ status: Int, _ phrase: String) -> ChannelTest {
        let server = settings.server
        if server.credentials != nil {
            guard !(200..<300).contains(status) else {
                return .works(detail: "\(server.name) knows the account")
            }
            return .fails(reason: refusal(status, phrase))
        }
        // Many servers serve no OPTIONS, and say so.
        switch status {
        case 401, 407:
            return .fails(
                reason: "\(server.name) wants an account: \(status) \(phrase); write username and password_file"
            )
        case 408, 500...: return .fails(reason: "\(server.name) answers \(status) \(phrase); expected 200")
        default: return .works(detail: "\(server.name) answers")
        }
    }

    // MARK: Time

    var deadline: BootInstant? {
        events.isEmpty ? [line?.nextFrame, lookLimit].compactMap(\.self).min() : Clock.boot()
    }

    func advance(at now: BootInstant) -> [RouteEvent] {
        for case .call(let number, let event) in events where number == line?.number {
            switch event {
            case .answered: line?.nextFrame = now
            case .ended: line = nil
            case .progress, .key, .said: break
            }
        }
        sendFrames(at: now)
        if let lookLimit, lookLimit <= now {
            isWayStale = true
            looked(
                .fails(
                    reason:
                        "\(settings.server.name) did not answer within \(settings.reach.components.seconds) s; "
                        + "check its address, port and transport, and that the network lets SIP through"))
        }
        defer { events = [] }
        return events
    }

    /// From the answer on without a gap: the networks between find by it where the other side's keys have to go.
    private func sendFrames(at now: BootInstant) {
        guard var line, var next = line.nextFrame else { return }
        for _ in 0..<Self.mostFrames where next <= now {
            let wasOver = line.sound?.isOver ?? true
            line.call.send(line.sound?.next(SIPCall.frame) ?? [])
            if !wasOver, line.sound?.isOver == true { events.append(.call(line.number, .said)) }
            next = next.advanced(by: Self.frame)
        }
        line.nextFrame = max(next, now)
        self.line = line
    }
}
