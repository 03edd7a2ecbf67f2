import Contract
import GatewayModel

/// Messages that the home's dashboard still has to get. Pure; it keeps the newest values only.
///
/// The broker keeps the list of entities: their retained discovery messages come back on each connection, and those of
/// entities that must not be shown any more are emptied.
struct DashboardBoard: Hashable, Sendable {
    enum Message: Hashable, Sendable {
        case presence
        case config(DashboardEntity)
        case state(DashboardEntity)
        /// The value that was sent last has expired, and Home Assistant would show it for longer.
        case expired(DashboardEntity)
        case emptied(topic: String)
    }

    /// Interval of the values of a stream: what the recorder of Home Assistant can bear.
    static let interval = Duration.seconds(5)

    /// Times after a discovery message, and after the birth message of Home Assistant, at which a state is sent again.
    ///
    /// Home Assistant subscribes to the topic of a new entity only after it has read the discovery message, and loses a
    /// state that comes earlier. By its `SUBSCRIBE_COOLDOWN` and `INITIAL_SUBSCRIBE_COOLDOWN`
    /// (`components/mqtt/client.py`) that takes 0.1 to 1 s, on a slow machine more. zigbee2mqtt sends its states 30 s
    /// after the birth message.
    static let repeats: [Duration] = [.seconds(2), .seconds(10), .seconds(30)]

    /// The displayed entities with their newest values.
    private(set) var shown: [DashboardEntity: DashboardLine] = [:]
    /// Entities with a discovery message at the broker, or one on its way.
    private var known: Set<DashboardEntity> = []
    /// Oldest first, each once; the content is made when a message leaves.
    private var waiting: [Message] = []
    private let topics: DashboardTopics

    init(topics: DashboardTopics) {
        self.topics = topics
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Shows a reading, unless it is a stored record, older than the displayed one, or too old for a value of a stream.
    ///
    /// - Returns: whether there is a new message.
    mutating func heard(_ reading: Reading) -> Bool {
        guard let entity = DashboardEntity(of: reading), reading.currency != .history else { return false }
        let earlier = shown[entity]
        let line = DashboardLine(entity, reading, after: earlier)
        let now = reading.arrival.boot
        guard !line.isExpired(at: now), earlier.map({ $0.measured <= line.measured }) ?? true else {
            return false
        }
        shown[entity] = line
        known.insert(entity)
        // Home Assistant is told whether values expire before it gets one.
        let isNew = earlier?.sampling != line.sampling
        if isNew { put(.config(entity)) }
        let isSoon = line.queued.map { $0.duration(to: now) < Self.interval } ?? false
        guard isNew || reading.sampling == .spot || !isSoon else { return false }
        shown[entity]?.queued = now
        put(.state(entity))
        return true
    }

    /// Shows facts. Those that are missing stay: `takeBack` removes them.
    ///
    /// - Returns: whether there is a new message.
    mutating func show(_ facts: [DashboardFact], at now: BootInstant) -> Bool {
        let news = facts.filter { shown[$0.entity]?.value != .fact($0) }
        for fact in news {
            let earlier = shown.updateValue(
                DashboardLine(fact, at: now, after: shown[fact.entity]), forKey: fact.entity)
            if earlier == nil { put(.config(fact.entity)) }
            known.insert(fact.entity)
            put(.state(fact.entity))
        }
        return !news.isEmpty
    }

    /// Queues the states that are due again, and the end of values that Home Assistant would show for too long.
    ///
    /// - Returns: whether there is a new message.
    mutating func look(at now: BootInstant) -> Bool {
        let due = shown.keys.filter { shown[$0]?.isDue(at: now) ?? false }.sorted()
        for entity in due {
            shown[entity]?.repeats.removeAll { $0 <= now }
            put(.state(entity))
        }
        return !due.isEmpty
    }

    /// A connection begins.
    ///
    /// - Parameter isShown: false where the dashboard is only to be emptied.
    mutating func connected(isShown: Bool) {
        waiting = []
        put(isShown ? .presence : .emptied(topic: topics.availability))
        for entity in shown.keys.sorted() {
            put(.config(entity))
            put(.state(entity))
        }
    }

    /// Home Assistant has started, without any value.
    mutating func dashboardBegan(at now: BootInstant) {
        for entity in shown.keys.sorted() {
            put(.state(entity))
            shown[entity]?.repeat(from: now)
        }
    }

    /// The broker has a retained discovery message.
    mutating func found(_ topic: String) {
        if let entity = topics.entity(ofConfig: topic) {
            known.insert(entity)
        } else {
            // Of a kind that this version does not know.
            put(.emptied(topic: topic))
        }
    }

    /// Removes the entities that must not be shown any more.
    ///
    /// - Parameter mayShow: called with an entity, and the device that measured it last, where that is known.
    /// - Returns: whether there was any.
    mutating func takeBack(unless mayShow: (DashboardEntity, DeviceID?) -> Bool) -> Bool {
        let gone = known.filter { !mayShow($0, shown[$0]?.value.device) }.sorted()
        for entity in gone {
            known.remove(entity)
            shown[entity] = nil
            waiting.removeAll { $0 == .config(entity) || $0 == .state(entity) }
            put(.emptied(topic: topics.config(of: entity)))
        }
        return !gone.isEmpty
    }

    /// Returns the next message to send now. A value that has expired is none.
    mutating func next(at now: BootInstant) -> Message? {
        while !waiting.isEmpty {
            let message = waiting.removeFirst()
            switch message {
            case .presence, .expired, .emptied: return message
            case .config(let entity):
                shown[entity]?.repeat(from: now)
                return message
            case .state(let entity):
                guard let line = shown[entity] else { continue }
                guard line.isExpired(at: now) else {
                    shown[entity]?.sent = now
                    return message
                }
                shown[entity]?.sent = nil
                if line.isSentLate { return .expired(entity) }
            }
        }
        return nil
    }

    private mutating func put(_ message: Message) {
        if !waiting.contains(message) { waiting.append(message) }
    }
}
