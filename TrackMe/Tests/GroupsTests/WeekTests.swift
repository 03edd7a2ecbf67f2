import GatewayModel
import Groups
import Testing

/// Weeks, cells and buckets.
struct WeekTests {
    private static func time(_ text: String) -> WallTime { WallTime(rfc3339: text)! }

    @Test(arguments: [
        ("2026-11-16T00:00:00Z", "2026-11-16"), ("2026-11-22T23:59:59Z", "2026-11-16"),
        ("2026-11-23T00:00:00Z", "2026-11-23"), ("1970-01-01T00:00:00Z", "1969-12-29"),
        ("1969-12-28T23:59:59Z", "1969-12-22"), ("2027-01-01T12:00:00Z", "2026-12-28"),
    ])
    func `a week begins on Monday in UTC`(_ time: String, _ monday: String) {
        let week = Week(containing: Self.time(time))
        #expect(week.description == monday)
        #expect(Week(monday) == week)
        #expect(week.begin <= Self.time(time) && Self.time(time) < week.end)
    }

    @Test(arguments: ["2026-11-17", "2026-11-6", "", "2026-11-16 ", "26-11-16", "2026-13-01", "+026-11-16"])
    func `other texts are no week`(_ text: String) { #expect(Week(text) == nil) }

    @Test(arguments: [Int64.min, Int64.max]) func `no time traps`(_ milliseconds: Int64) {
        let week = Week(containing: WallTime(millisecondsSince1970: milliseconds))
        #expect(week.begin < week.end)
        #expect(Week(number: milliseconds) == nil)
    }

    @Test func `a week is due when its days of waiting are over`() {
        let wait = Duration.seconds(3 * 86_400)
        #expect(Week.due(at: Self.time("2026-11-25T23:59:59Z"), wait: wait)?.description == "2026-11-09")
        #expect(Week.due(at: Self.time("2026-11-26T00:00:00Z"), wait: wait)?.description == "2026-11-16")
    }

    @Test func `each age has one band, and the last one is open`() {
        #expect(AgeBand.all.count == 16)
        #expect(AgeBand.all.map(\.description).prefix(3) == ["0-17", "18-24", "25-29"])
        #expect(AgeBand.all.last?.description == "90+")
        for age in 0...130 {
            let bands = AgeBand.all.filter { $0.from <= age && age <= $0.through ?? .max }
            #expect(bands == [AgeBand(age: age)])
        }
        #expect(AgeBand(age: -1) == AgeBand.all[0])
        #expect(AgeBand.all.map { AgeBand($0.description) } == AgeBand.all)
        #expect(AgeBand("18-25") == nil)
    }

    @Test(arguments: GroupKind.allCases) func `nine buckets of rising bounds take each value`(kind: GroupKind) {
        #expect(kind.edges.count == GroupKind.buckets + 1)
        #expect(zip(kind.edges, kind.edges.dropFirst()).allSatisfy { $0 < $1 })
        #expect(kind.bucket(of: -.infinity) == 0)
        #expect(kind.bucket(of: .infinity) == GroupKind.buckets - 1)
        for bucket in 0..<GroupKind.buckets { #expect(kind.bucket(of: kind.edges[bucket]) == bucket) }
        #expect(kind.bucket(of: kind.edges[1].nextDown) == 0)
    }

    @Test func `a person with readings on fewer than three days is not counted`() {
        #expect(GroupKind.heartRate.bucket(ofDailyMeans: [60, 61]) == nil)
        #expect(GroupKind.heartRate.bucket(ofDailyMeans: [60, .nan, 61]) == nil)
        // One day of fever moves the median little, and the mean of the week much.
        #expect(GroupKind.heartRate.bucket(ofDailyMeans: [63, 140, 64]) == 3)
        #expect(GroupKind.heartRate.bucket(ofDailyMeans: [55, 56, 58, 200]) == 2)
    }

    @Test(arguments: [
        "", " ", " Nord", "Nord ", "a\u{0}b", "a\nb", "\u{202E}drow", String(repeating: "a", count: 61),
    ])
    func `a hostile name is no area`(_ text: String) { #expect(AreaName(text) == nil) }

    @Test(arguments: [
        "Milano centro", "<script>alert(1)</script>", "Sant'Angelo \"Lodigiano\"", "L'Aquila; DROP TABLE",
    ])
    func `a name of plain characters is an area`(_ text: String) { #expect(AreaName(text)?.text == text) }

    @Test func `the year of birth decides the band in the year of the week's Monday`() {
        let area = AreaName("Nord")!
        let now = Self.time("2026-11-25T00:00:00Z")
        let profile = GroupProfile(birthYear: 2001, gender: .female, area: area, now: now)!
        #expect(profile.cell(in: Week("2026-11-16")!).age.description == "25-29")
        #expect(profile.cell(in: Week("2025-12-29")!).age.description == "18-24")
        #expect(GroupProfile(birthYear: 2027, gender: .female, area: area, now: now) == nil)
        #expect(GroupProfile(birthYear: 1899, gender: .female, area: area, now: now) == nil)
    }
}
