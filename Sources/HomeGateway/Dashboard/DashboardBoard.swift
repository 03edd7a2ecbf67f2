import Contract
import GatewayModel
import Hub

/// What the home's dashboard has still to be told. Pure; it keeps no past: a dashboard shows now.
///
/// The broker itself is the memory of which entities there are: their retained discovery messages come back on each
/// connection, and those that are to be shown no more are emptied.
struct DashboardBoard: Hashable, Sendable {
    enum Word: Hashable, Sendable {
        case presence
        case config(DashboardEntity)
        case state(DashboardEntity)
        case emptied(topic: String)
    }

    /// Of what streams: as often as an eye wants it, and the recorder of Home Assistant bears.
    static let interval = Duration.seconds(5)

    /// The newest reading of each entity.
    private(set) var newest: [DashboardEntity: Reading] = [:]
    /// Those that are told of at the broker, or will be.
    private var known: Set<DashboardEntity> = []
    private var lastTold: [DashboardEntity: BootInstant] = [:]
    /// Oldest first, each once: what a word says is found when it leaves.
    private var waiting: [Word] = []
    private let topics: DashboardTopics

    init(topics: DashboardTopics) {
        self.topics = topics
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// - Returns: whether there is something new to be told.
    mutating func heard(_ reading: Reading) -> Bool {
        guard let entity = DashboardEntity(of: reading), reading.currency != .history else { return false }
        let isNew = newest.updateValue(reading, forKey: entity) == nil
        known.insert(entity)
        if isNew { put(.config(entity)) }
        let now = reading.arrival.boot
        let isSoon = lastTold[entity].map { $0.duration(to: now) < Self.interval } ?? false
        guard reading.sampling == .spot || !isSoon else { return isNew }
        lastTold[entity] = now
        put(.state(entity))
        return true
    }

    /// A connection begins.
    /// - Parameter isShown: false where all is only to be taken back.
    mutating func connected(isShown: Bool) {
        waiting = []
        put(isShown ? .presence : .emptied(topic: topics.availability))
        for entity in newest.keys.sorted() {
            put(.config(entity))
            put(.state(entity))
        }
    }

    /// Home Assistant has started, and knows no value any more.
    mutating func dashboardBegan() {
        for entity in newest.keys.sorted() { put(.state(entity)) }
    }

    /// A discovery message lies at the broker.
    mutating func found(_ topic: String) {
        if let entity = topics.entity(ofConfig: topic) {
            known.insert(entity)
        } else {
            // Of a kind that this version does not know.
            put(.emptied(topic: topic))
        }
    }

    /// Takes back what is not to be shown any more.
    /// - Parameter mayShow: of an entity, and the device that measured it last, where that is known.
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

    mutating func next() -> Word? { waiting.isEmpty ? nil : waiting.removeFirst() }

    private mutating func put(_ word: Word) {
        if !waiting.contains(word) { waiting.append(word) }
    }
}
