import GatewayModel

// Whose turn it is to be connected.

extension WearableTracker {
    /// Between two tries of wearables that are not heard the radio listens for so long: a wearable that is back
    /// advertises each 2.5 s or faster, and three of its adverts make sure of it.
    static let listening = Duration.seconds(8)

    /// One that is heard goes first, at once; among equals, who has waited longest. One that is not heard (it
    /// may advertise in a way that discovery does not tell) waits until discovery has had its time, and while
    /// one that is heard would be due before the try is over.
    func nextToConnect(at now: BootInstant) -> Int? {
        let there = links.indices.filter { shown(links[$0]) != nil }
        let heard = there.filter { links[$0].isHeard(at: now) }
        if let next = longestDue(heard, at: now) { return next }
        let end = now.advanced(by: BlueZCall.unseenConnectLimit)
        guard now >= blindNotBefore, !heard.contains(where: { links[$0].dueSince(at: end) != nil }) else {
            return nil
        }
        return longestDue(there.filter { mayBeUnheard(links[$0]) }, at: now)
    }

    /// A cuff or a scale without a bond advertises to everybody once it is used, and is heard then. With one it may
    /// call this computer alone (directed advertising), which no discovery tells.
    private func mayBeUnheard(_ link: WearableLink) -> Bool {
        (link.wearable.rhythm ?? link.recognised) != .sleeps || shown(link)?.device.isPaired == true
    }

    private func longestDue(_ indices: [Int], at now: BootInstant) -> Int? {
        let due = indices.compactMap { index in
            links[index].dueSince(at: now).map { (index: index, since: $0) }
        }
        return due.min { $0.since < $1.since }?.index
    }
}
