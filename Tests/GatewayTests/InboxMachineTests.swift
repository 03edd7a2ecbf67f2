import DataSources
import GatewayModel
import ModelSamples
import Observations
import Testing

@Suite struct `An inbox` {
    private func mark(_ name: String, size: Int = 1) -> FileMark {
        FileMark(name: name, inode: 1, size: size, modified: 1, changed: 1)
    }

    private func items(_ lines: String...) throws -> [ObservationItem] {
        try ObservationParser.items(
            in: Array((["time,kind,value,unit"] + lines).joined(separator: "\n").utf8), .csv)
    }

    private let good = "2026-03-01T08:30:00Z,body-weight,70,kg"
    private let fault = ObservationFault(seen: "x", expected: "y", remedy: "z")

    private func read(_ machine: InboxMachine) -> FileMark? {
        if case .read(let mark) = machine.next { mark } else { nil }
    }

    private func hands(_ machine: InboxMachine) -> String? {
        if case .hand(let item, let file) = machine.next { "\(file) \(item.place)" } else { nil }
    }

    private func isKeeping(_ machine: InboxMachine) -> Bool {
        if case .keep = machine.next { true } else { false }
    }

    private func isIdle(_ machine: InboxMachine) -> Bool {
        if case .nothing = machine.next { true } else { false }
    }

    /// A machine with these files, shown unchanged by two listings.
    private func machine(_ names: String...) -> InboxMachine {
        var machine = InboxMachine()
        for _ in 1...2 { machine.listed(names.map { mark($0) }) }
        return machine
    }

    @Test func `reads a file that two listings have shown unchanged, by name`() {
        var machine = InboxMachine()
        machine.listed([mark("b.csv"), mark("a.csv")])
        #expect(isIdle(machine))
        machine.listed([mark("b.csv"), mark("a.csv", size: 2)])
        #expect(read(machine) == mark("b.csv"))
        machine.listed([mark("b.csv"), mark("a.csv", size: 2)])
        #expect(read(machine)?.name == "a.csv")
    }

    @Test func `is done with a file when its readings are kept, and not before`() throws {
        var machine = machine("a.csv")
        machine.parsed(mark("a.csv"), .success(try items(good, good)))
        #expect(hands(machine) == "a.csv line 2")
        machine.judged(nil)
        #expect(hands(machine) == "a.csv line 3")
        machine.judged(nil)
        #expect(isKeeping(machine))
        machine.listed([mark("a.csv")])
        #expect(isKeeping(machine), "the file is not read again meanwhile")
        let outcomes = machine.kept()
        #expect(outcomes.map(\.mark) == [mark("a.csv")] && outcomes.allSatisfy { $0.why == nil })
        #expect(isIdle(machine))
    }

    @Test func `keeps several files together`() throws {
        var machine = machine("a.csv", "b.csv")
        machine.parsed(mark("a.csv"), .success(try items(good)))
        machine.judged(nil)
        #expect(read(machine)?.name == "b.csv")
        machine.parsed(mark("b.csv"), .success(try items(good)))
        machine.judged(nil)
        let outcomes = machine.kept()
        #expect(outcomes.map(\.mark.name) == ["a.csv", "b.csv"])
    }

    @Test func `ends the files of a thousand entries before it reads the next one`() throws {
        var machine = machine("a.csv", "b.csv", "c.csv")
        machine.parsed(mark("a.csv"), .failure(fault))
        let text = (["time,kind,value,unit"] + [String](repeating: good, count: 1_000)).joined(separator: "\n")
        machine.parsed(mark("b.csv"), .success(try ObservationParser.items(in: Array(text.utf8), .csv)))
        for _ in 1...1_000 { machine.judged(nil) }
        #expect(isKeeping(machine))
        let outcomes = machine.kept()
        #expect(outcomes.map(\.mark.name) == ["a.csv", "b.csv"])
        #expect(read(machine)?.name == "c.csv")
    }

    @Test func `sets a file aside beside the reasons of its wrong entries, and takes the others`() throws {
        var machine = machine("a.csv", "b.json")
        machine.parsed(mark("a.csv"), .success(try items(good, good, good)))
        machine.judged(nil)
        machine.judged(fault)
        machine.judged(nil)
        machine.parsed(mark("b.json"), .failure(fault))
        let outcomes = machine.kept()
        let why = try #require(outcomes.first?.why)
        #expect(why.hasPrefix("1 of 3 entries of a.csv were refused; the others are taken."))
        #expect(why.hasSuffix("\nline 3: saw x, expected y: z\n"))
        #expect(outcomes.last?.why == "b.json was refused.\nb.json: saw x, expected y: z\n")
    }

    @Test func `tells a hundred reasons and the number of the others`() throws {
        var machine = machine("a.csv")
        let lines = [String](repeating: good, count: 150)
        let text = (["time,kind,value,unit"] + lines).joined(separator: "\n")
        machine.parsed(mark("a.csv"), .success(try ObservationParser.items(in: Array(text.utf8), .csv)))
        for _ in lines { machine.judged(fault) }
        let outcomes = machine.kept()
        let why = try #require(outcomes.first?.why)
        #expect(why.hasPrefix("150 of 150 entries"))
        #expect(why.split(separator: "\n").count == 102 && why.hasSuffix("and 50 more\n"))
    }

    @Test func `leaves a file alone that cannot be removed, until it changes`() throws {
        var machine = machine("a.csv")
        machine.parsed(mark("a.csv"), .success(try items(good)))
        machine.judged(nil)
        _ = machine.kept()
        machine.failed(mark("a.csv"))
        machine.listed([mark("a.csv")])
        #expect(isIdle(machine) && machine.stuckFile == "a.csv")
        for _ in 1...2 { machine.listed([mark("a.csv", size: 2)]) }
        #expect(read(machine)?.size == 2 && machine.stuckFile == nil)
    }

    @Test func `that cannot be listed asks for nothing, and goes on later`() throws {
        var machine = machine("a.csv")
        machine.listed([])
        #expect(isIdle(machine))
        for _ in 1...2 { machine.listed([mark("a.csv")]) }
        #expect(read(machine)?.name == "a.csv")
    }
}

@Suite struct `The entries of a source` {
    private func id(_ number: Int64) -> MessageID {
        var numbers = DerivedNumbers(of: "\(number)")
        return MessageID(wall: WallTime(millisecondsSince1970: number), using: &numbers)
    }

    /// Returns for each ID whether it is new.
    private func news(_ numbers: [Int64], to recent: inout RecentEntries) -> [Bool] {
        numbers.map { recent.insert(id($0)) }
    }

    @Test func `are new once, also after a restart`() {
        var recent = RecentEntries([])
        #expect(news([1, 2, 1], to: &recent) == [true, true, false])
        var next = RecentEntries(recent.marks)
        #expect(news([1, 2, 3], to: &next) == [false, false, true])
    }

    @Test func `are remembered up to a bound, the newest`() {
        var recent = RecentEntries([])
        let first = news(Array(0...Int64(RecentEntries.most)), to: &recent)
        #expect(!first.contains(false))
        #expect(recent.marks.count == RecentEntries.most)
        #expect(news([1, 0], to: &recent) == [false, true])
    }

    private static let (first, second) = (DeviceID(sample: "app"), DeviceID(sample: "watch"))

    /// Uses up the allowance of a source, and returns the number of its entries.
    private func drain(_ allowance: inout EntryAllowance, _ source: DeviceID = first) -> Int {
        var taken = 0
        while allowance.isOpen(for: source) {
            allowance.use(by: source)
            taken += 1
        }
        return taken
    }

    @Test func `are handed over at a bounded rate`() {
        var allowance = EntryAllowance()
        let start = BootInstant(nanoseconds: 1)
        allowance.divide(among: [Self.first])
        allowance.refill(at: start)
        #expect(drain(&allowance) == Int(EntryAllowance.burst))
        allowance.refill(at: start.advanced(by: .milliseconds(20)))
        #expect(drain(&allowance) == 2)
        allowance.refill(at: start.advanced(by: .seconds(3_600)))
        #expect(
            drain(&allowance) == Int(EntryAllowance.burst), "an hour of silence gives no more than the burst")
    }

    @Test func `have an equal share for each source, and the part of a silent source goes to the others`() {
        var allowance = EntryAllowance()
        let start = BootInstant(nanoseconds: 1)
        allowance.divide(among: [Self.first, Self.second])
        allowance.refill(at: start)
        #expect(drain(&allowance) == 100, "half of the burst")
        #expect(allowance.isOpen(for: Self.second))
        allowance.refill(at: start.advanced(by: .milliseconds(500)))
        #expect(drain(&allowance) == 50, "the whole rate beside a silent source")
        #expect(drain(&allowance, Self.second) == 100)
        allowance.refill(at: start.advanced(by: .milliseconds(1_500)))
        #expect(drain(&allowance) == 50 && drain(&allowance, Self.second) == 50)
        allowance.divide(among: [Self.first, Self.second])
        #expect(!allowance.isOpen(for: Self.first), "a reload of the settings fills no share")
    }
}
