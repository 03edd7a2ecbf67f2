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
        case emptied(topic: String)
    }

    /// Interval of the values of a stream: what the recorder of Home Assistant can bear.
    static let interval = Duration.seconds(5)

    /// The newest value of each entity.
    private(set) var newest: [DashboardEntity: DashboardValue] = [:]
    /// Entities with a discovery message at the broker, or one on its way.
    private var known: Set<DashboardEntity> = []
    private var lastTold: [DashboardEntity: BootInstant] = [:]
    /// Oldest first, each once; the content is made when a message leaves.
    private var waiting: [Message] = []
    private let topics: DashboardTopics

    init(topics: DashboardTopics) {
        self.topics = topics
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// - Returns: whether there is a new message.
    mutating func heard(_ reading: Reading) -> Bool {
        guard let entity = DashboardEntity(of: reading), reading.currency != .history else { return false }
        let isNew = newest.updateValue(.reading(reading), forKey: entity) == nil
        known.insert(entity)
        if isNew { put(.config(entity)) }
        let now = reading.arrival.boot
        let isSoon = lastTold[entity].map { $0.duration(to: now) < Self.interval } ?? false
        guard reading.sampling == .spot || !isSoon else { return isNew }
        lastTold[entity] = now
        put(.state(entity))
        return true
    }

    /// Shows facts. Those that are missing stay: `takeBack` removes them.
    ///
    /// - Returns: whether there is a new message.
    mutating func show(_ facts: [DashboardFact]) -> Bool {
        let news = facts.filter { newest[$0.entity] != .fact($0) }
        for fact in news {
            if newest.updateValue(.fact(fact), forKey: fact.entity) == nil { put(.config(fact.entity)) }
            known.insert(fact.entity)
            put(.state(fact.entity))
        }
        return !news.isEmpty
    }

    /// A connection begins.
    ///
    /// - Parameter isShown: false where the dashboard is only to be emptied.
    mutating func connected(isShown: Bool) {
        waiting = []
        put(isShown ? .presence : .emptied(topic: topics.availability))
        for entity in newest.keys.sorted() {
            put(.config(entity))
            put(.state(entity))
        }
    }

    /// Home Assistant has started, without any value.
    mutating func dashboardBegan() {
        for entity in newest.keys.sorted() { put(.state(entity)) }
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
        let gone = known.filter { !mayShow($0, newest[$0]?.device) }.sorted()
        for entity in gone {
            known.remove(entity)
            newest[entity] = nil
            lastTold[entity] = nil
            waiting.removeAll { $0 == .config(entity) || $0 == .state(entity) }
            put(.emptied(topic: topics.config(of: entity)))
        }
        return !gone.isEmpty
    }

    mutating func next() -> Message? { waiting.isEmpty ? nil : waiting.removeFirst() }

    private mutating func put(_ message: Message) {
        if !waiting.contains(message) { waiting.append(message) }
    }
}
