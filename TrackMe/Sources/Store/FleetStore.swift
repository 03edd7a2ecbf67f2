public import Accounts
public import GatewayModel
import SQLDatabase

/// Fleets of installers, and their commands.
public struct FleetStore: Sendable {
    /// Area of the fleets in the audit log.
    private static let area = "fleet"

    static let migrations = [
        Migration("fleet-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE fleet_member (
                        account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE, fleet TEXT NOT NULL
                    ) STRICT;
                    CREATE TABLE fleet_box (gateway TEXT PRIMARY KEY, fleet TEXT NOT NULL) STRICT, WITHOUT ROWID;
                    CREATE INDEX fleet_box_fleet ON fleet_box (fleet, gateway);
                    CREATE TABLE heartbeat_command (
                        id TEXT PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                        gateway TEXT NOT NULL, "user" TEXT NOT NULL, seconds INTEGER NOT NULL, asked INTEGER NOT NULL,
                        state TEXT NOT NULL, reason TEXT, answered INTEGER
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX heartbeat_command_box ON heartbeat_command (gateway, asked);
                    """)
        }
    ]

    let file: DatabasePool

    // MARK: Members

    /// Puts an account into a fleet; it leaves the one it was in.
    public func join(_ account: AccountID, _ fleet: FleetName) async throws {
        try await file.write { db in
            try db.execute(
                sql: """
                    INSERT INTO fleet_member (account, fleet) VALUES (?, ?)
                    ON CONFLICT (account) DO UPDATE SET fleet = excluded.fleet
                    """, arguments: [account.number, fleet.text])
        }
    }

    /// Nil for an account without a fleet.
    public func fleet(of account: AccountID) async throws -> FleetName? {
        try await file.read { db in
            try String.fetchOne(
                db, sql: "SELECT fleet FROM fleet_member WHERE account = ?", arguments: [account.number]
            ).flatMap { FleetName($0) }
        }
    }

    /// Fleet of each box that has one.
    public func fleets() async throws -> [GatewayID: FleetName] {
        try await file.read { db in
            var found: [GatewayID: FleetName] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT gateway, fleet FROM fleet_box") {
                if let gateway = GatewayID(row["gateway"] as String), let fleet = FleetName(row["fleet"]) {
                    found[gateway] = fleet
                }
            }
            return found
        }
    }

    // MARK: Boxes

    /// Registers the house if it is new, and puts it into the fleet, in one commit.
    ///
    /// - Parameter by: recorded in the audit log.
    /// - Throws: `FleetRefusal`.
    public func add(_ house: House, to fleet: FleetName, by: String) async throws {
        try await file.write { db in
            let known = try String.fetchOne(
                db, sql: "SELECT key FROM house WHERE gateway = ?", arguments: [house.gateway.text])
            if let known, known != house.key { throw FleetRefusal.otherKey }
            let present = try Self.fleet(of: house.gateway, db)
            if let present, present != fleet.text { throw FleetRefusal.otherFleet }
            guard present == nil else { return }
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM fleet_box WHERE fleet = ?", arguments: [fleet.text])
            guard count ?? 0 < FleetBox.mostInAFleet else { throw FleetRefusal.tooMany }
            if known == nil { try HouseStore.register(house, db) }
            try Self.put(house.gateway, into: fleet, by, at: house.added, db)
        }
    }

    /// Puts a registered house into a fleet. It leaves the one it was in. False if it is not registered.
    public func give(_ gateway: GatewayID, to fleet: FleetName, by: String, at now: WallTime) async throws
        -> Bool
    {
        try await file.write { db in
            let isRegistered = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM house WHERE gateway = ?)", arguments: [gateway.text])
            guard isRegistered == true else { return false }
            try Self.put(gateway, into: fleet, by, at: now, db)
            return true
        }
    }

    private static func fleet(of gateway: GatewayID, _ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT fleet FROM fleet_box WHERE gateway = ?", arguments: [gateway.text])
    }

    private static func put(
        _ gateway: GatewayID, into fleet: FleetName, _ by: String, at now: WallTime, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO fleet_box (gateway, fleet) VALUES (?, ?)
                ON CONFLICT (gateway) DO UPDATE SET fleet = excluded.fleet
                """, arguments: [gateway.text, fleet.text])
        try AuditLog.append("added to \(fleet) by \(by)", about: gateway.text, in: area, at: now, db)
    }

    /// Takes a box out of the fleet. It stays registered. False if it was not in it.
    public func remove(
        _ gateway: GatewayID, from fleet: FleetName, by: String, at now: WallTime
    ) async throws -> Bool {
        try await file.write { db in
            try db.execute(
                sql: "DELETE FROM fleet_box WHERE gateway = ? AND fleet = ?",
                arguments: [gateway.text, fleet.text])
            guard db.changesCount == 1 else { return false }
            try AuditLog.append(
                "taken out of \(fleet) by \(by)", about: gateway.text, in: Self.area, at: now, db)
            return true
        }
    }

    /// Sorted by ID.
    public func boxes(of fleet: FleetName) async throws -> [FleetBox] { try await boxes(of: fleet, only: nil) }

    /// Nil for a box that is not in the fleet.
    public func box(_ gateway: GatewayID, of fleet: FleetName) async throws -> FleetBox? {
        try await boxes(of: fleet, only: gateway).first
    }

    private func boxes(of fleet: FleetName, only gateway: GatewayID?) async throws -> [FleetBox] {
        try await file.read { db in
            let arguments: StatementArguments = ["fleet": fleet.text, "only": gateway?.text]
            let devices = try Row.fetchAll(
                db,
                sql: """
                    SELECT house_device.* FROM fleet_box JOIN house_device USING (gateway)
                    WHERE fleet = :fleet AND (:only IS NULL OR fleet_box.gateway = :only) ORDER BY device
                    """, arguments: arguments)
            let heard = Dictionary(grouping: devices) { $0["gateway"] as String }.mapValues { rows in
                rows.compactMap { row in
                    DeviceID(row["device"] as String).map {
                        SeenDevice(device: $0, kinds: [], lastReading: WallTime(row["last"]))
                    }
                }
            }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT fleet_box.gateway AS box, house_state.*, (SELECT count(*) FROM heartbeat_command
                            WHERE gateway = fleet_box.gateway AND state = 'sent') AS waiting FROM fleet_box
                    LEFT JOIN house_state ON house_state.gateway = fleet_box.gateway
                    WHERE fleet = :fleet AND (:only IS NULL OR fleet_box.gateway = :only) ORDER BY box
                    """, arguments: arguments
            ).compactMap { row in
                guard let gateway = GatewayID(row["box"] as String) else { return nil }
                let isKnown = (row["gateway"] as String?) != nil
                return FleetBox(
                    gateway: gateway, state: isKnown ? HouseState(row, of: gateway) : nil,
                    openAlarms: isKnown ? row["alarms"] : 0, devices: heard[gateway.text] ?? [],
                    waitingCommands: row["waiting"])
            }
        }
    }

    // MARK: Commands

    /// Records a command and queues it in one commit.
    ///
    /// - Throws: `FleetRefusal.notInFleet`, `StoreFault.tooManyIntervals`, or the error of `make`.
    public func setHeartbeat(
        _ seconds: Int, of gateway: GatewayID, in fleet: FleetName, by account: Account, at now: WallTime,
        make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws {
        try await file.write { db in
            guard try Self.fleet(of: gateway, db) == fleet.text else { throw FleetRefusal.notInFleet }
            let sent = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM heartbeat_command WHERE gateway = ? AND asked > ?",
                arguments: [gateway.text, now.millisecondsSince1970 - 86_400_000])
            guard sent ?? 0 < HeartbeatCommand.mostInADay else { throw StoreFault.tooManyIntervals }
            let command = try make(try CommandOutbox.nextSequence(db, at: now))
            try CommandOutbox.enqueue(command, db)
            try db.execute(
                sql: """
                    INSERT INTO heartbeat_command (id, account, gateway, "user", seconds, asked, state)
                    VALUES (?, ?, ?, ?, ?, ?, 'sent')
                    """,
                arguments: [
                    command.id, account.id.number, gateway.text, account.user.text, seconds,
                    now.millisecondsSince1970,
                ])
        }
    }

    /// Newest first.
    public func heartbeatCommands(of gateway: GatewayID, most: Int) async throws -> [HeartbeatCommand] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT * FROM heartbeat_command WHERE gateway = ? ORDER BY asked DESC, id DESC LIMIT ?",
                arguments: [gateway.text, most]
            ).compactMap { row in
                guard let user = UserName(row["user"]), let state = CommandState(rawValue: row["state"])
                else { return nil }
                return HeartbeatCommand(
                    by: user, seconds: row["seconds"], asked: WallTime(row["asked"]), state: state,
                    reason: row["reason"], answered: (row["answered"] as Int64?).map { WallTime($0) })
            }
        }
    }
}

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
