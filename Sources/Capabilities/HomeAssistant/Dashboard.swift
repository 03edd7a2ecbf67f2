import Consent
import Contract
import GatewayModel
import MQTTBridge
import OutboxService
import RealTime
import Settings
import Synchronization

/// Messages for the home's own dashboard: the threads that receive readings and the care thread add them, and the thread of
/// its broker takes them.
///
/// No call waits. Nothing of it survives a stop.
final class Dashboard: OutboundSource {
    private struct State {
        var board: DashboardBoard
        var inFlight = 0
        /// Time of the subscription of this connection: the broker sends its retained messages from then on.
        var subscribed: BootInstant?
        /// Nothing is shown, and no retained message is left at the broker.
        var isClean = false
    }

    /// Longest time in which a broker sends its retained messages after the subscription.
    private static let retainedLimit = Duration.seconds(5)

    let topics: DashboardTopics
    private let isEnabled: Bool
    private let showsStates: Bool
    private let names: [PersonID: String]
    private let version: String
    private let gate: ConsentGate
    private let state: Mutex<State>
    /// Switch of the session with the dashboard's broker.
    let broker: BrokerSwitch

    /// Drain of the session: little time is left between the ways to help and the end of the process.
    private static let drain = Duration.milliseconds(200)

    init(
        _ settings: GatewaySettings.HomeAssistant, of house: GatewaySettings, version: String, gate: ConsentGate
    ) {
        topics = DashboardTopics(gateway: house.gateway.id, prefix: settings.prefix.text)
        isEnabled = settings.isEnabled
        showsStates = settings.isEnabled && settings.showsStates
        names = Dictionary(house.persons.map { ($0.id, $0.profile.name) }) { first, _ in first }
        self.version = version
        self.gate = gate
        state = Mutex(State(board: DashboardBoard(topics: topics)))
        // Open also where nothing is to be shown: an earlier run may have shown something.
        broker = BrokerSwitch(isOpen: true, drain: Self.drain)
    }

    /// Whether anything is to be shown.
    var isShown: Bool { isEnabled && gate.holds(.homeDashboard) }

    /// Whether a session with its broker is needed: to show readings, or to remove those that an earlier run showed.
    var wantsSession: Bool { isShown || !state.withLock(\.isClean) }

    var subscriptions: [String] { [topics.configFilter, topics.birth] }

    var will: Cleared<Envelope>? {
        guard isShown else { return nil }
        return try? gate.clear(.dashboardPresence(.offline, id: .random(at: Clock.wall()), topics: topics))
    }

    /// Shows a reading, where its person allows that.
    func heard(_ reading: Reading) {
        guard isEnabled, gate.holds(.homeDashboard, for: reading.person) else { return }
        change { $0.board.heard(reading) }
    }

    /// Shows the facts, where their persons allow that, removes the entities that must not be shown any more, and queues the
    /// states that are due again. Call it once a second.
    ///
    /// - Parameter facts: all that hold now; called only where they may be shown.
    func look(
        at now: BootInstant, wearables: [GatewaySettings.Wearable], facts: () -> [DashboardFact]
    ) {
        let wearers = Dictionary(wearables.map { ($0.id, $0.person) }) { first, _ in first }
        let shown = showsStates && isShown ? facts().filter { mayShow($0.entity) } : []
        let current = Set(shown.map(\.entity))
        change { state in
            let hasNews = state.board.show(shown, at: now)
            let hasTakenBack = state.board.takeBack { entity, device in
                guard isEnabled, mayShow(entity) else { return false }
                guard case .reading(let person, _) = entity else { return current.contains(entity) }
                return device.map { wearers[$0] == person } ?? wearers.values.contains(person)
            }
            let isDue = state.board.look(at: now)
            let isHeardOut = state.subscribed.map { $0.duration(to: now) >= Self.retainedLimit } ?? false
            state.isClean = !isShown && isHeardOut && state.board.isEmpty && state.inFlight == 0
            return hasNews || hasTakenBack || isDue
        }
    }

    /// Whether the person of an entity allows it; of the box, whether any person does.
    private func mayShow(_ entity: DashboardEntity) -> Bool {
        entity.person.map { gate.holds(.homeDashboard, for: $0) } ?? gate.holds(.homeDashboard)
    }

    /// Does `body`, and wakes the broker's thread where it says that there is something new.
    private func change(_ body: (inout State) -> Bool) {
        if state.withLock({ body(&$0) }) { broker.wake(isUrgent: false) }
    }

    // MARK: On the broker's thread

    func connected() {
        let isShown = isShown
        change { state in
            state.board.connected(isShown: isShown)
            state.subscribed = nil
            return true
        }
    }

    func subscribed(at now: BootInstant) {
        state.withLock { $0.subscribed = now }
    }

    func received(_ message: InboundMessage, at now: BootInstant) {
        change { state in
            if message.topic == topics.birth {
                guard message.payload.elementsEqual("online".utf8) else { return false }
                state.board.dashboardBegan(at: now)
            } else if message.isRetained, !message.payload.isEmpty {
                state.board.found(message.topic)
            }
            return true
        }
    }

    func next() -> Cleared<Envelope>? {
        let now = Clock.boot()
        return state.withLock { state in
            while let message = state.board.next(at: now) {
                // What may not leave at this instant is forgotten: the next reading comes.
                guard let envelope = envelope(message, state.board), let cleared = try? gate.clear(envelope)
                else {
                    continue
                }
                state.inFlight += 1
                return cleared
            }
            return nil
        }
    }

    private func envelope(_ message: DashboardBoard.Message, _ board: DashboardBoard) -> Envelope? {
        let id = MessageID.random(at: Clock.wall())
        switch message {
        case .presence: return .dashboardPresence(.online, id: id, topics: topics)
        case .emptied(let topic): return .dashboardEmptied(topic, id: id)
        case .state(let entity):
            return board.shown[entity].map {
                .dashboardState($0.value, of: entity, id: id, topics: topics)
            }
        case .expired(let entity): return .dashboardExpired(entity, id: id, topics: topics)
        case .config(let entity):
            guard let line = board.shown[entity] else { return nil }
            return .dashboardConfig(
                entity, named: entity.person.map { names[$0] ?? $0.text }, sampling: line.sampling,
                version: version, id: id, topics: topics)
        }
    }

    func acknowledged(_ id: MessageID) {
        state.withLock { $0.inFlight -= 1 }
    }

    /// Nothing is tried again: the log says so, and the next connection begins anew.
    func refused(_ id: MessageID, _ code: ReasonCode, reason: String) {
        state.withLock { $0.inFlight -= 1 }
    }

    func connectionLost() {
        state.withLock { state in
            state.inFlight = 0
            state.subscribed = nil
        }
    }
}
