public import GatewayModel

/// From an advertisement to the enrolled tag that sent it: the tags of the runs that are underway.
///
/// Its memory is that of the tags enrolled, and of 4,096 addresses that were tried on the keys.
public struct TagTable<Recogniser: TagRecogniser>: Sendable {
    private struct Entry {
        let identity: TagIdentity
        var owners: [Enrolment]
    }

    public private(set) var counts = TagCounts()
    private var numbers: [TagIdentity: TagNumber] = [:]
    private var entries: [TagNumber: Entry] = [:]
    private var recogniser: Recogniser
    /// Of tags with their name in the data.
    private var radios: [TagNumber: Radios] = [:]
    private var next: UInt32 = 1

    /// Empty: nothing is heard until somebody is enrolled.
    public init(recogniser: Recogniser) {
        self.recogniser = recogniser
    }

    /// Takes the place of the earlier enrolments. A tag that stays keeps its number; a number is never given
    /// again.
    /// - Parameter tags: with at least one owner each.
    /// - Returns: those that are no longer enrolled: nothing more is to be kept of them.
    @discardableResult
    public mutating func enrol(_ tags: [TagIdentity: [Enrolment]]) -> [TagNumber] {
        let gone = numbers.filter { tags[$0.key] == nil }
        for (identity, tag) in gone {
            numbers[identity] = nil
            entries[tag] = nil
            radios[tag] = nil
        }
        for (identity, owners) in tags {
            let tag = numbers[identity] ?? TagNumber(next)
            if numbers.updateValue(tag, forKey: identity) == nil { next += 1 }
            entries[tag] = Entry(identity: identity, owners: owners.sorted())
        }
        // In the order of the numbers, so that it does not hang on a hash which of two names is found first.
        recogniser.enrol(numbers.map { (identity: $0.key, tag: $0.value) }.sorted { $0.tag < $1.tag })
        return gone.values.sorted()
    }

    /// How many tags are enrolled.
    public var count: Int { entries.count }

    /// Identities of the tags enrolled.
    public var identities: some Collection<TagIdentity> { numbers.keys }

    /// Nil where no enrolled tag sent it, or nobody knows how strongly it came.
    /// - Parameter antenna: of the box's radios, the one that heard it.
    public mutating func hit(_ advert: Recogniser.Advert, antenna: UInt8 = 0) -> TagHit? {
        // A tag that is enrolled anew has other names, which count from zero.
        let before = recogniser.untried
        let found = recogniser.recognise(advert)
        counts.untried += recogniser.untried - before
        guard let found else { return nil }
        counts.heard += 1
        if found.isNameCarried, let address = found.address {
            radios[found.tag, default: Radios(address, at: found.arrival)].hear(address, at: found.arrival)
        }
        guard let rssi = found.rssi, TagHit.strengths.contains(rssi) else {
            counts.withoutStrength += 1
            return nil
        }
        return TagHit(tag: found.tag, antenna: antenna, rssi: rssi, arrival: found.arrival)
    }

    /// Returns the tag of an advertisement and the location that it states, however strongly it came. Not counted as heard.
    mutating func location(
        in advert: Recogniser.Advert
    ) -> (tag: TagNumber, location: TagLocation, arrival: BootInstant)? {
        guard let location = recogniser.location(in: advert), let found = recogniser.recognise(advert) else {
            return nil
        }
        return (found.tag, location, found.arrival)
    }

    /// Empty for a tag that is not enrolled any more.
    public func owners(of tag: TagNumber) -> [Enrolment] { entries[tag]?.owners ?? [] }

    public func identity(of tag: TagNumber) -> TagIdentity? { entries[tag]?.identity }

    public func tag(of identity: TagIdentity) -> TagNumber? { numbers[identity] }

    /// Of each runner, the tags.
    public var tagsOfRunners: [Enrolment: [TagNumber]] {
        var tags: [Enrolment: [TagNumber]] = [:]
        for (tag, entry) in entries { for owner in entry.owners { tags[owner, default: []].append(tag) } }
        return tags.mapValues { $0.sorted() }
    }

    /// Whether two radios were heard to send the tag's name at a time, at `instant` or later.
    ///
    /// That is seen of names in the data (iBeacon, Eddystone, manufacturer data), by the addresses they come from. A
    /// copied address is the address: it shows only as passings that are too soon, or at two places at once. An
    /// identity key may be at work in several addresses of one device.
    public func isCloned(_ tag: TagNumber, since instant: BootInstant) -> Bool {
        radios[tag]?.cloned.map { $0 >= instant } ?? false
    }
}

/// Advertisements of tags since the start.
public struct TagCounts: Hashable, Sendable {
    /// Advertisements of enrolled tags.
    public internal(set) var heard = 0
    /// Of these, without a strength: nobody can say when such a tag is nearest.
    public internal(set) var withoutStrength = 0
    /// Of addresses that were not tried on the keys of tags: too many new ones came at a time.
    public internal(set) var untried = 0
}

/// A runner in a run: the owner of a tag there.
public struct Enrolment: Hashable, Sendable {
    public let run: RunID
    public let bib: Bib

    public init(run: RunID, bib: Bib) {
        (self.run, self.bib) = (run, bib)
    }
}

extension Enrolment: Comparable {
    /// By the run, then by the number on the chest.
    public static func < (left: Enrolment, right: Enrolment) -> Bool {
        (left.run.text, left.bib) < (right.run.text, right.bib)
    }
}
