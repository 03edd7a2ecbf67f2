public import Accounts
public import CloudCommands
public import GatewayModel
import Houses
public import Store

/// Acts of installers on the boxes of their fleet.
public struct FleetService: Sendable {
    /// Seconds of an interval of heartbeats that a house takes.
    public static let heartbeats = 10...86_400

    public let fleets: FleetStore
    private let signer: CommandSigner
    private let clock: @Sendable () -> WallTime

    public init(
        fleets: FleetStore, signer: IssuerSigner, issuer: IssuerID,
        clock: @escaping @Sendable () -> WallTime
    ) {
        (self.fleets, self.clock) = (fleets, clock)
        self.signer = CommandSigner(signer, as: issuer)
    }

    /// Registers the box that a code is of, and puts it into the fleet.
    ///
    /// - Parameter code: of `homegateway contract claim` in the house.
    /// - Throws: `CommandRefusal` for a code that is none or too old, `FleetRefusal`.
    public func add(_ code: String, to fleet: FleetName, by account: Account) async throws -> GatewayID {
        let now = clock()
        let claim = try await BoxClaim(code, at: now)
        try await fleets.add(
            House(gateway: claim.gateway, key: claim.jwk, added: now), to: fleet, by: account.user.text)
        return claim.gateway
    }

    /// Takes a box out of the fleet. False if it was not in it.
    public func remove(_ gateway: GatewayID, from fleet: FleetName, by account: Account) async throws -> Bool {
        try await fleets.remove(gateway, from: fleet, by: account.user.text, at: clock())
    }

    /// Queues the command that sets how often a box sends a sign of life.
    ///
    /// - Parameter seconds: of `heartbeats`.
    /// - Throws: `FleetRefusal.notInFleet`, `StoreFault.tooManyIntervals`.
    public func setHeartbeat(
        _ seconds: Int, of gateway: GatewayID, in fleet: FleetName, by account: Account
    ) async throws {
        let now = clock()
        try await fleets.setHeartbeat(seconds, of: gateway, in: fleet, by: account, at: now) {
            [signer] sequence in
            try signer.command(
                HeartbeatInterval(seconds: seconds), about: nil, to: gateway, by: account.user.text,
                sequence: sequence, at: now)
        }
    }
}

/// Command `heartbeat-interval`.
private struct HeartbeatInterval: Encodable {
    let type = "heartbeat-interval"
    let seconds: Int
}
