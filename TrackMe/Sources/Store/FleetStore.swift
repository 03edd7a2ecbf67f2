public import Accounts
public import GatewayModel

/// Box of a fleet, with the last that it told of itself.
public struct FleetBox: Hashable, Sendable {
    /// Boxes of a fleet.
    public static let mostInAFleet = 2_000

    public let gateway: GatewayID
    /// Nil for a box that has told nothing yet.
    public let state: HouseState?
    /// Of the newest heartbeat.
    public let openAlarms: Int
    /// Devices of the newest heartbeat that it has heard, with their last readings, sorted by ID.
    public let devices: [SeenDevice]
    /// Commands of installers without an answer.
    public let waitingCommands: Int

    public init(
        gateway: GatewayID, state: HouseState?, openAlarms: Int, devices: [SeenDevice], waitingCommands: Int
    ) {
        (self.gateway, self.state, self.openAlarms) = (gateway, state, openAlarms)
        (self.devices, self.waitingCommands) = (devices, waitingCommands)
    }
}

/// Command of an installer that sets the interval of a box's heartbeats, with the answer of the box.
public struct HeartbeatCommand: Hashable, Sendable {
    /// Commands that a box is sent in a day.
    public static let mostInADay = 50

    /// User name of the sender.
    public let by: UserName
    public let seconds: Int
    public let asked: WallTime
    public let state: CommandState
    /// Code of the house.
    public let reason: String?
    public let answered: WallTime?

    public init(
        by: UserName, seconds: Int, asked: WallTime, state: CommandState, reason: String?, answered: WallTime?
    ) {
        (self.by, self.seconds, self.asked) = (by, seconds, asked)
        (self.state, self.reason, self.answered) = (state, reason, answered)
    }
}

/// Reason for which an act on a box is not done.
public enum FleetRefusal: Error, Hashable, Sendable {
    /// The server knows another key of this box.
    case otherKey
    /// Another fleet has it.
    case otherFleet
    case tooMany
    /// It has left the fleet.
    case notInFleet
}

/// Fleets: boxes and the accounts of their installers.
public protocol FleetStore: Sendable {
    /// Puts an account into a fleet; it leaves the one it was in.
    func join(_ account: AccountID, _ fleet: FleetName) async throws
    /// Nil for an account without a fleet.
    func fleet(of account: AccountID) async throws -> FleetName?
    /// Fleet of each box that has one.
    func fleets() async throws -> [GatewayID: FleetName]
    /// Registers the house if it is new, and puts it into the fleet, in one commit.
    ///
    /// - Parameter by: recorded in the audit log.
    /// - Throws: `FleetRefusal`.
    func add(_ house: House, to fleet: FleetName, by: String) async throws
    /// Puts a registered house into a fleet. It leaves the one it was in. False if it is not registered.
    func give(_ gateway: GatewayID, to fleet: FleetName, by: String, at now: WallTime) async throws -> Bool
    /// Takes a box out of the fleet. It stays registered. False if it was not in it.
    func remove(_ gateway: GatewayID, from fleet: FleetName, by: String, at now: WallTime) async throws -> Bool
    /// Sorted by ID.
    func boxes(of fleet: FleetName) async throws -> [FleetBox]
    /// Nil for a box that is not in the fleet.
    func box(_ gateway: GatewayID, of fleet: FleetName) async throws -> FleetBox?
    /// Records a command and queues it in one commit.
    ///
    /// - Throws: `FleetRefusal.notInFleet`, `StoreFault.tooManyIntervals`, or the error of `make`.
    func setHeartbeat(
        _ seconds: Int, of gateway: GatewayID, in fleet: FleetName, by account: Account, at now: WallTime,
        make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws
    /// Newest first.
    func heartbeatCommands(of gateway: GatewayID, most: Int) async throws -> [HeartbeatCommand]
}
