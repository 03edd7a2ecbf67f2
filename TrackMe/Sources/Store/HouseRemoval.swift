import Accounts
public import GatewayModel
public import SQLDatabase

/// Removal of a house, for one transaction of all capabilities.
public enum HouseRemoval {
    /// Reason of the links that end with their house.
    public static let reason = "house-removed"

    private static let tables = [
        "series", "gap", "notice", "document", "alarm", "data_view", "fact_sharing", "interval_command",
        "heartbeat_command", "fleet_box", "house_state", "house_device", "policy", "command",
    ]

    /// Removes the house with the readings and records of its persons, and ends the links. Their rows stay with the accounts,
    /// and so does the reason.
    ///
    /// - Returns: the requests of links and facts that were open; nil for a house that is not registered.
    public static func remove(_ house: GatewayID, at now: WallTime, _ db: Database) throws
        -> [OpenHouseRequest]?
    {
        try db.execute(sql: "DELETE FROM house WHERE gateway = ?", arguments: [house.text])
        guard db.changesCount == 1 else { return nil }
        let open = try Row.fetchAll(
            db,
            sql: """
                SELECT request, person FROM link WHERE gateway = :house AND state IN ('asked', 'linked')
                UNION SELECT request, person FROM fact_sharing WHERE gateway = :house AND state IN ('asked', 'shared')
                """, arguments: ["house": house.text]
        ).compactMap { OpenHouseRequest(id: $0["request"], person: $0["person"]) }
        for person in Set(open.map(\.person)) {
            try db.announce(StoreNotices.endPages(of: HousePerson(house, person)))
        }
        try db.execute(
            sql: """
                UPDATE link SET state = 'ended', reason = ?, decided = ?
                WHERE gateway = ? AND state IN ('asked', 'linked')
                """, arguments: [reason, now.millisecondsSince1970, house.text])
        for table in tables {
            try db.execute(sql: "DELETE FROM \(table) WHERE gateway = ?", arguments: [house.text])
        }
        // Topics below that of the house: "0" follows "/".
        let topic = "trackme/v1/\(house)"
        try db.execute(
            sql: "DELETE FROM dead_letter WHERE topic > ? AND topic < ?", arguments: [topic + "/", topic + "0"])
        try db.announce(StoreNotices.houses)
        return open
    }
}
