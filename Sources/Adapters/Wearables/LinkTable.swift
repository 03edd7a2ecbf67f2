import GatewayModel

/// The links to the wearables of the settings, and the turn to be connected. Pure.
struct LinkTable: Sendable {
    private var links: [WearableLink] = []
    private var indexes: [DeviceAddress: Int] = [:]
    /// Persons with wanted positions.
    private var followed: Set<PersonID> = []
    /// Until then discovery has the radio: a wearable that is not heard is not tried.
    private var blindNotBefore: BootInstant

    /// Between two tries of wearables that are not heard the radio listens for this time: a wearable that is back
    /// advertises each 2.5 s or faster, and three of its adverts make sure of it.
    static let listening = Duration.seconds(8)

    /// - Parameter wearables: of two with the same address, the first is kept.
    init(_ wearables: [Wearable], at now: BootInstant) {
        blindNotBefore = now
        add(wearables, at: now)
    }

    var indices: Range<Int> { links.indices }
    var areAllUp: Bool { links.allSatisfy(\.isUp) }
    var isAnyUp: Bool { links.contains(where: \.isUp) }
    var isAnyConnecting: Bool { links.contains(where: \.isConnecting) }

    subscript(index: Int) -> WearableLink {
        get { links[index] }
        _modify { yield &links[index] }
    }

    func index(of address: DeviceAddress) -> Int? { indexes[address] }

    /// When time alone changes a link or the turns.
    var deadlines: [BootInstant] { links.flatMap(\.deadlines) + [blindNotBefore] }

    mutating func add(_ wearables: [Wearable], at now: BootInstant) {
        for wearable in wearables where !links.contains(where: { $0.wearable.address == wearable.address }) {
            var link = WearableLink(wearable, at: now)
            link.wantPositions(followed.contains(wearable.person))
            links.append(link)
        }
        count()
    }

    mutating func remove(at index: Int) {
        links.remove(at: index)
        count()
    }

    private mutating func count() {
        indexes = Dictionary(uniqueKeysWithValues: zip(links.map(\.wearable.address), links.indices))
    }

    /// The wearables of these persons are asked for their positions, and no others.
    mutating func followPositions(of persons: Set<PersonID>) {
        followed = persons
        for index in links.indices {
            links[index].wantPositions(persons.contains(links[index].wearable.person))
        }
    }

    /// A try without a sign of the wearable is over.
    mutating func blindTryEnded(at now: BootInstant) {
        blindNotBefore = now.advanced(by: Self.listening)
    }

    mutating func startOver(at now: BootInstant) {
        blindNotBefore = now
    }

    /// Returns the index of the wearable to connect next, if any. One that is heard goes first, at once; among
    /// equals, the one that has waited longest. One that is not heard (it may advertise in a way that discovery does
    /// not tell) waits until discovery has had its time, and while one that is heard would be due before the try is
    /// over.
    /// - Parameter shown: the wearable's device at bluetoothd.
    func nextToConnect(at now: BootInstant, shown: (WearableLink) -> BlueZObjects.Device?) -> Int? {
        let there = links.indices.filter { shown(links[$0]) != nil }
        let heard = there.filter { links[$0].isHeard(at: now) }
        if let next = longestDue(heard, at: now) { return next }
        let end = now.advanced(by: BlueZCall.unseenConnectLimit)
        guard now >= blindNotBefore, !heard.contains(where: { links[$0].dueSince(at: end) != nil }) else {
            return nil
        }
        // A cuff or a scale without a bond advertises to everybody once it is used, and is heard then. With one it
        // may call this computer alone (directed advertising), which no discovery tells.
        let unheard = there.filter { !links[$0].isSleeper || shown(links[$0])?.isPaired == true }
        return longestDue(unheard, at: now)
    }

    private func longestDue(_ indices: [Int], at now: BootInstant) -> Int? {
        let due = indices.compactMap { index in
            links[index].dueSince(at: now).map { (index: index, since: $0) }
        }
        return due.min { $0.since < $1.since }?.index
    }
}
