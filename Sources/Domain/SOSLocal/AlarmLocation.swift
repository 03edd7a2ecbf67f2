public import GatewayModel

/// Place for the help, and its certainty (T9). It always states the owner of the position and its age.
public enum AlarmLocation: Hashable, Sendable {
    public enum Bearer: Hashable, Sendable {
        /// A wearable of the person: the position is the person's own.
        case wearable(DeviceID)
        /// The box. The person was within range of its radio when the alarm began.
        case box
    }

    /// A fix no older than `freshness`.
    case fix(Fix, of: Bearer, age: Duration)
    /// The last fix there was, and how old it is now.
    case lastKnown(Fix, of: Bearer, age: Duration)
    /// Where the box was installed.
    case installed(InstalledPlace)

    /// 30 s: a runner moves some 100 m in it, the accuracy a crew on foot can search.
    public static let freshness = Duration.seconds(30)
    /// For this long an own position that is no longer renewed says where to look. A person walks 800 m in it. After
    /// it, a person with a wearable in the box's range is more probably near the box.
    public static let ownLife = Duration.seconds(600)

    /// The best that is known at `now`: the person's own fix, else the box's, else the newer of both with its age,
    /// else the address of the installation.
    ///
    /// A future fix (its instant after `now`) counts as fresh: both are of the same clock, so it can
    /// only be one that arrived while the alarm was being judged.
    public static func best(
        own: PersonFix?, box: Fix?, installed: InstalledPlace, at now: BootInstant
    ) -> AlarmLocation {
        let known = [own.map { ($0.fix, Bearer.wearable($0.device)) }, box.map { ($0, Bearer.box) }]
            .compactMap(\.self)
            .map { fix, bearer in
                (fix: fix, bearer: bearer, age: max(.zero, fix.arrival.boot.duration(to: now)))
            }
        if let fresh = known.first(where: { $0.age <= freshness }) {
            return .fix(fresh.fix, of: fresh.bearer, age: fresh.age)
        }
        let last = known.filter { $0.bearer == .box || $0.age <= ownLife }.min { $0.age < $1.age }
        return last.map { .lastKnown($0.fix, of: $0.bearer, age: $0.age) } ?? .installed(installed)
    }

    public var fix: Fix? {
        switch self {
        case .fix(let fix, _, _), .lastKnown(let fix, _, _): fix
        case .installed: nil
        }
    }

    /// Nil for the address of the installation.
    public var bearer: Bearer? {
        switch self {
        case .fix(_, let bearer, _), .lastKnown(_, let bearer, _): bearer
        case .installed: nil
        }
    }

    public var age: Duration? {
        switch self {
        case .fix(_, _, let age), .lastKnown(_, _, let age): age
        case .installed: nil
        }
    }

    /// `fix`, `last-known` or `installed`, as the formats say it.
    public var source: String {
        switch self {
        case .fix: "fix"
        case .lastKnown: "last-known"
        case .installed: "installed"
        }
    }
}

extension AlarmLocation.Bearer {
    /// `wearable` or `box`, as the formats say it.
    public var word: String {
        switch self {
        case .wearable: "wearable"
        case .box: "box"
        }
    }

    public var device: DeviceID? {
        switch self {
        case .wearable(let device): device
        case .box: nil
        }
    }
}

/// Where a person's own wearable said that it is.
public struct PersonFix: Hashable, Codable, Sendable {
    public let person: PersonID
    public let device: DeviceID
    public let fix: Fix

    public init(_ position: WearablePosition) {
        self.init(
            person: position.person, device: position.device,
            fix: Fix(
                coordinates: position.coordinates, altitude: nil, horizontalError: position.horizontalError,
                arrival: position.arrival))
    }

    public init(person: PersonID, device: DeviceID, fix: Fix) {
        (self.person, self.device, self.fix) = (person, device, fix)
    }
}
