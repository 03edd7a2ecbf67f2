import Foundation
public import GatewayModel
public import Groups
public import SQLDatabase

/// A person who is counted in, with the same daily mean on each day of a week.
public struct CrowdPerson: Sendable {
    public let number: Int
    public let profile: GroupProfile
    public let rate: Double

    public init(number: Int, profile: GroupProfile, rate: Double) {
        (self.number, self.profile, self.rate) = (number, profile, rate)
    }
}

extension DatabasePool {
    /// Writes persons with their accounts, links, consents and hours of heart rates, in one commit.
    ///
    /// - Parameter days: of the week that have readings.
    public func add(_ crowd: [CrowdPerson], in week: Week, days: Int = 3, since: WallTime? = nil) async throws {
        try await write { db in
            let since = (since ?? week.begin).millisecondsSince1970
            let account = try db.cachedStatement(
                sql: """
                    INSERT INTO account (id, "user", hash, wrapped_key, identity, role, language, agreement, agreed, created)
                    VALUES (?, ?, '', ?, ?, 'person', 'en', 1, 0, 0)
                    """)
            let link = try db.cachedStatement(
                sql: """
                    INSERT INTO link (id, account, gateway, person, request, state, asked)
                    VALUES (:id, :id, :gateway, :person, :gateway, 'linked', 0)
                    """)
            let series = try db.cachedStatement(
                sql: """
                    INSERT INTO series (id, gateway, person, kind, device)
                    VALUES (?, ?, ?, 'heart-rate', 'strap')
                    """)
            let hour = try db.cachedStatement(
                sql: "INSERT INTO hour (series, hour, count, sum, min, max) VALUES (?, ?, 2, ?, 0, 0)")
            let member = try db.cachedStatement(
                sql: """
                    INSERT INTO group_member (account, link, gateway, person, birth_year, gender, area, since)
                    VALUES (:id, :id, :gateway, :person, :year, :gender, :area, :since)
                    """)
            let first = week.begin.millisecondsSince1970 / 3_600_000
            for one in crowd {
                let (id, gateway) = (one.number, "crowd-\(one.number)")
                try account.execute(arguments: [id, "crowd\(one.number)", Data([0]), Data([0])])
                try link.execute(arguments: ["id": id, "gateway": gateway, "person": "me"])
                try series.execute(arguments: [id, gateway, "me"])
                for day in 0..<days {
                    try hour.execute(arguments: [id, first + Int64(day) * 24 + 9, one.rate * 2])
                }
                try member.execute(arguments: [
                    "id": id, "gateway": gateway, "person": "me", "year": one.profile.birthYear,
                    "gender": one.profile.gender.rawValue, "area": one.profile.area.text, "since": since,
                ])
            }
        }
    }
}

extension CrowdPerson {
    /// Persons of one cell: women of 70 years in an area, with heart rates from 45 to 93.
    public static func sameCell(_ count: Int, in area: AreaName, from number: Int = 1_000) -> [CrowdPerson] {
        (0..<count).map { index in
            CrowdPerson(
                number: number + index, profile: GroupProfile(birthYear: 1956, gender: .female, area: area),
                rate: 45 + Double(index % 9) * 6)
        }
    }

    /// Persons of all ages from 20 to 99 in these areas.
    public static func mixed(_ count: Int, in areas: [AreaName], seed: String) -> [CrowdPerson] {
        var numbers = DerivedNumbers(of: seed)
        return (0..<count).map { index in
            let age = Int.random(in: 20...99, using: &numbers)
            // The sum of six uniform values is near a normal distribution.
            let sum = (0..<6).reduce(0.0) { sum, _ in sum + Double.random(in: -8...8, using: &numbers) }
            return CrowdPerson(
                number: 1_000 + index,
                profile: GroupProfile(
                    birthYear: 2026 - age,
                    gender: Gender.allCases[Int.random(in: 0..<2, using: &numbers)],
                    area: areas[Int.random(in: 0..<areas.count, using: &numbers)]), rate: 70 + sum)
        }
    }
}
