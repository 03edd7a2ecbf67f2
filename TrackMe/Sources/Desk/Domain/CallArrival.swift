public import GatewayModel

/// Whether calls for help can reach the desk, as this server sees it.
public struct CallArrival: Hashable, Sendable {
    /// Obstacle for every call.
    public enum Obstacle: String, Hashable, Sendable {
        case broker, database
    }

    /// Age of the newest message of any house from which on the desk has to look: a house sends a heartbeat each minute.
    public static let silence = Duration.seconds(300)

    /// A session with the broker receives calls; nil in the first moments of the server.
    public let isBrokerThere: Bool?
    /// The database has answered the last question within its limit.
    public let isDatabaseThere: Bool
    /// Arrival of the newest message of a house; nil if there is none.
    public let newest: WallTime?

    public init(isBrokerThere: Bool?, isDatabaseThere: Bool, newest: WallTime?) {
        (self.isBrokerThere, self.isDatabaseThere, self.newest) = (isBrokerThere, isDatabaseThere, newest)
    }

    public var obstacles: [Obstacle] {
        (isBrokerThere == false ? [.broker] : []) + (isDatabaseThere ? [] : [.database])
    }

    /// Whether calls can arrive, as far as this server knows.
    public var isReady: Bool { isBrokerThere == true && isDatabaseThere }

    /// Whole seconds since the newest message; nil if there is none.
    public func age(at now: WallTime) -> Int64? {
        newest.map { max(0, now.millisecondsSince1970 - $0.millisecondsSince1970) / 1_000 }
    }

    /// No house has sent anything for longer than a heartbeat takes.
    public func isSilent(at now: WallTime) -> Bool {
        newest.map { $0.advanced(by: Self.silence) <= now } ?? false
    }
}
