import GatewayModel
import Testing

@testable import Groups

/// 20,000 persons of a fixed seed, and the answers about them.
struct GroupAnswerTests {
    private struct Person {
        let cell: GroupCell
        let rate: Double
    }

    private static let areas = ["Centro", "Nord", "Sud"].map { AreaName($0)! }
    private static let week = Week("2026-11-16")!

    /// Ages from 20 to 99 and resting heart rates from about 45 to 95, which fall by area.
    private static func people(_ count: Int, seed: String = "20,000 persons") -> [Person] {
        var numbers = DerivedNumbers(of: seed)
        return (0..<count).map { _ in
            let area = Int.random(in: 0..<areas.count, using: &numbers)
            let cell = GroupCell(
                area: areas[area], age: AgeBand(age: Int.random(in: 20...99, using: &numbers)),
                gender: Gender.allCases[Int.random(in: 0..<2, using: &numbers)])
            // The sum of six uniform values is near a normal distribution.
            let sum = (0..<6).reduce(0.0) { sum, _ in sum + Double.random(in: -8...8, using: &numbers) }
            return Person(cell: cell, rate: 70 + sum - Double(area) * 3)
        }
    }

    private static func table(
        _ people: [Person], rule: GroupRule = .margin, noise seed: String = "noise"
    ) -> WeekTable {
        var tally = Tally()
        for person in people {
            tally.add([.heartRate: GroupKind.heartRate.bucket(of: person.rate)], in: person.cell)
        }
        var numbers = DerivedNumbers(of: seed)
        return WeekTable(
            week: week, rule: rule, rows: TableNoise(for: areas, using: &numbers).rows(over: tally))
    }

    private static func figures(_ question: GroupQuestion, _ table: WeekTable) -> GroupAnswer.Figures? {
        guard case .figures(let figures) = GroupAnswer(question, of: table).outcome else { return nil }
        return figures
    }

    private static func question(
        _ areas: [AreaName]? = nil, ages: [AgeBand]? = nil, genders: [Gender]? = nil
    ) throws -> GroupQuestion {
        try GroupQuestion(
            kind: .heartRate, areas: areas, ages: ages, genders: genders,
            isEverybody: areas == nil && ages == nil && genders == nil)
    }

    private static let questions: [GroupQuestion] =
        [try! question()] + areas.map { try! question([$0]) }
        + Gender.allCases.prefix(2).map {
            try! question(genders: [$0])
        }

    @Test func `each figure lies within its error of the truth`() throws {
        let people = Self.people(20_000)
        let table = Self.table(people)
        for question in Self.questions {
            let rates = people.filter { question.contains($0.cell) }.map(\.rate).sorted()
            let figures = try #require(Self.figures(question, table))
            // Twice the error is about four standard deviations.
            #expect(abs(figures.count.value - Double(rates.count)) <= 2 * figures.count.error)
            #expect(figures.count.value.truncatingRemainder(dividingBy: 10) == 0)
            let mean = try #require(figures.mean)
            #expect(abs(mean.value - rates.reduce(0, +) / Double(rates.count)) <= mean.error)
            #expect(mean.noise < 1 && mean.error < 8)
            for percent in [10, 50, 90] {
                let figure = try #require(figures.quantiles[percent])
                #expect(abs(figure.value - rates[rates.count * percent / 100]) <= figure.error)
            }
        }
    }

    /// 95 % of the counts have to lie within their error: below 100 of 120 has a probability of 10^-6 then.
    @Test func `the error of the count holds as often as it says`() throws {
        let people = Self.people(5_000)
        let question = try Self.question(genders: [.female])
        let truth = people.count { question.contains($0.cell) }
        let inside = try (0..<120).count { number in
            let figures = try #require(Self.figures(question, Self.table(people, noise: "noise \(number)")))
            return abs(figures.count.value - Double(truth)) <= figures.count.error
        }
        #expect(inside >= 100)
    }

    /// Persons of one cell alone, so that its nine buckets are the whole group.
    private static func oneCell(_ count: Int) -> [Person] {
        let cell = GroupCell(area: areas[0], age: AgeBand(age: 70), gender: .female)
        return (0..<count).map { Person(cell: cell, rate: 45 + Double($0 % 9) * 6) }
    }

    private static func oneCellQuestion() throws -> GroupQuestion {
        try question([areas[0]], ages: [AgeBand(age: 70)], genders: [.female])
    }

    @Test func `by the letter 1,000 persons are refused and 1,001 accepted`() throws {
        let question = try Self.oneCellQuestion()
        for number in 0..<50 {
            let noise = "letter \(number)"
            let few = Self.table(Self.oneCell(1_000), rule: .letter, noise: noise)
            let many = Self.table(Self.oneCell(1_001), rule: .letter, noise: noise)
            #expect(GroupAnswer(question, of: few).outcome == .refused(.tooSmall))
            #expect(Self.figures(question, many) != nil)
        }
    }

    @Test func `with the margin neither 1,000 nor 1,001 persons get through, and 1,100 do`() throws {
        let question = try Self.oneCellQuestion()
        for number in 0..<200 {
            for count in [1_000, 1_001] {
                let table = Self.table(Self.oneCell(count), noise: "margin \(number)")
                #expect(GroupAnswer(question, of: table).outcome == .refused(.tooSmall))
            }
            #expect(Self.figures(question, Self.table(Self.oneCell(1_100), noise: "margin \(number)")) != nil)
        }
    }

    /// Noise that would let a small group through meets the floor.
    @Test func `the true count holds a group back whatever the noise`() throws {
        let question = try Self.oneCellQuestion()
        let cell = GroupCell(area: Self.areas[0], age: AgeBand(age: 70), gender: .female)
        func table(exact: Int) -> WeekTable {
            WeekTable(
                week: Self.week, rule: .margin,
                rows: [
                    TableRow(
                        cell: cell, kind: .heartRate, counts: [Int](repeating: 500, count: 9), exact: exact)
                ])
        }
        #expect(GroupAnswer(question, of: table(exact: 1_000)).outcome == .refused(.tooSmall))
        #expect(Self.figures(question, table(exact: 1_001)) != nil)
    }

    /// Two groups that differ by one person: the difference of their figures is the noise of a cell, not the person.
    @Test func `an overlap by one person gives the noise of a cell and not the person`() throws {
        let target = Person(
            cell: GroupCell(area: Self.areas[0], age: AgeBand(age: 10), gender: .other), rate: 93)
        let others = Self.people(20_000)
        let with = try Self.question([Self.areas[0]])
        let without = try Self.question(
            [Self.areas[0]], ages: AgeBand.all.filter { $0 != AgeBand(age: 10) })
        var differences: [Bool: Set<Double>] = [:]
        for isCounted in [true, false] {
            for number in 0..<40 {
                let table = Self.table(
                    others + (isCounted ? [target] : []), noise: "overlap \(isCounted) \(number)")
                let whole = try #require(Self.figures(with, table)).count.value
                let part = try #require(Self.figures(without, table)).count.value
                differences[isCounted, default: []].insert(whole - part)
            }
        }
        // Exact figures would give 1 and 0 each time. The noise gives the same numbers whether the person is there or not.
        let both = differences[true, default: []].intersection(differences[false, default: []])
        #expect(both.count >= 3, "\(differences)")
    }

    @Test func `the same question has the same answer each time`() throws {
        let table = Self.table(Self.people(20_000))
        let question = try GroupQuestion(kind: .heartRate, areas: Self.areas, ages: nil, genders: nil)
        let turned = try GroupQuestion(kind: .heartRate, areas: Self.areas.reversed(), ages: nil, genders: nil)
        #expect(GroupAnswer(question, of: table) == GroupAnswer(turned, of: table))
    }

    @Test func `parts add up to their whole, so asking in parts averages nothing`() throws {
        let table = Self.table(Self.people(20_000))
        let whole = try #require(Self.figures(try Self.question(), table)).count.value
        let parts = try Self.areas.map {
            try #require(Self.figures(try Self.question([$0]), table)).count.value
        }
        // Each is rounded to 10.
        #expect(abs(parts.reduce(0, +) - whole) <= 20)
    }

    @Test func `a table has noise in each bucket, also where nobody is`() {
        let rows = Self.table([]).rows
        #expect(rows.count == 3 * 16 * 3 * 4)
        #expect(rows.allSatisfy { $0.counts.count == 9 && $0.exact == 0 })
        let zeros = rows.reduce(0) { $0 + $1.counts.count { $0 == 0 } }
        // 24.5 % of 5,184 buckets, within five standard deviations.
        #expect((1_114...1_425).contains(zeros), "\(zeros)")
    }

    @Test func `a group without an area of the table is refused`() throws {
        let question = try Self.question([Self.areas[0], AreaName("Ovest")!])
        #expect(GroupAnswer(question, of: Self.table(Self.people(5_000))).outcome == .refused(.unknownArea))
    }

    @Test func `a question is restricted, or means everybody, and no list repeats`() throws {
        #expect(throws: GroupQuestion.Flaw.unrestricted) {
            try GroupQuestion(kind: .glucose, areas: nil, ages: nil, genders: nil)
        }
        #expect(throws: GroupQuestion.Flaw.contradiction) {
            try GroupQuestion(kind: .glucose, areas: nil, ages: nil, genders: [.male], isEverybody: true)
        }
        for list in [[], [Gender.male, .male]] {
            #expect(throws: GroupQuestion.Flaw.list) {
                try GroupQuestion(kind: .glucose, areas: nil, ages: nil, genders: list)
            }
        }
    }
}
