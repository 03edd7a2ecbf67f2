public import GatewayModel

/// Attendance of the desk: which dispatchers have its page open. Decisions only.
///
/// An open page reports itself by its stream. A page counts as open for `patience` after its last report, since a
/// reload, a change of the network and a sleeping tablet interrupt the stream. Other servers of the same desk report theirs at
/// an interval.
public struct DeskAttendance: Sendable {
    /// A browser connects again after 3 s; a stream that ended without an end is noticed within 15 s, the interval of
    /// its comments.
    public static let patience = Duration.seconds(30)
    /// Interval at which a server reports its pages to the others.
    public static let reportInterval = Duration.seconds(2)
    /// Time after which a page of another server is not shown as open any more: three reports were missing.
    private static let reportLife = Duration.seconds(7)

    /// Change of the condition "nobody is at the desk".
    public enum Change: Hashable, Sendable {
        case unattended
        case attended
    }

    private struct Presence {
        var pages = 0
        var last: BootInstant
    }

    private let start: BootInstant
    private var presences: [String: Presence] = [:]
    /// Dispatchers with pages at other servers, with the instants of the last reports.
    private var elsewhere: [String: BootInstant] = [:]
    /// Last reported state; nil before the first.
    private var reported: Bool?

    /// - Parameter start: of the server. A desk that nobody has opened yet gets the same patience.
    public init(start: BootInstant) {
        self.start = start
    }

    public mutating func opened(by dispatcher: Dispatcher, at now: BootInstant) {
        presences[dispatcher.user, default: Presence(last: now)].pages += 1
        presences[dispatcher.user]?.last = now
    }

    public mutating func closed(by dispatcher: Dispatcher, at now: BootInstant) {
        guard var presence = presences[dispatcher.user] else { return }
        presence.pages = max(0, presence.pages - 1)
        presence.last = now
        presences[dispatcher.user] = presence
    }

    /// Another server reports that dispatchers have a page open there.
    public mutating func reported(_ users: [String], at now: BootInstant) {
        for user in users { elsewhere[user] = now }
    }

    /// Dispatchers with an open page of this server, by their user names.
    public var users: [String] { presences.filter { $0.value.pages > 0 }.keys.sorted() }

    public func isAttended(at now: BootInstant) -> Bool {
        presences.values.contains { $0.pages > 0 || $0.last.duration(to: now) < Self.patience }
            || elsewhere.values.contains { $0.duration(to: now) < Self.patience }
    }

    /// Returns whether somebody is at the desk; nil in the first seconds of a server, until the browsers have had the time
    /// to connect again.
    public func presence(at now: BootInstant) -> Bool? {
        if isAttended(at: now) { return true }
        return start.duration(to: now) >= Self.patience ? false : nil
    }

    /// Whether a dispatcher has had no page in view for `patience`; false in the first moments of a server.
    public func isAway(_ dispatcher: Dispatcher, at now: BootInstant) -> Bool {
        guard start.duration(to: now) >= Self.patience else { return false }
        let presence = presences[dispatcher.user]
        let isHere = presence.map { $0.pages > 0 || $0.last.duration(to: now) < Self.patience } ?? false
        return !isHere && (elsewhere[dispatcher.user].map { $0.duration(to: now) >= Self.patience } ?? true)
    }

    /// Number of dispatchers with an open page, at any server.
    public func present(at now: BootInstant) -> Int {
        Set(users).union(elsewhere.filter { $0.value.duration(to: now) < Self.reportLife }.keys).count
    }

    /// Returns the change since the last call, if there is one. To be called at least once a second.
    public mutating func change(at now: BootInstant) -> Change? {
        guard let isAttended = presence(at: now) else { return nil }
        presences = presences.filter { $0.value.pages > 0 || $0.value.last.duration(to: now) < Self.patience }
        elsewhere = elsewhere.filter { $0.value.duration(to: now) < Self.patience }
        guard isAttended != reported else { return nil }
        defer { reported = isAttended }
        // Nothing to report of a desk that is attended from the start.
        if reported == nil, isAttended { return nil }
        return isAttended ? .attended : .unattended
    }
}
