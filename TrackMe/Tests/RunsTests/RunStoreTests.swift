import Accounts
import ContractReading
import Foundation
import GatewayModel
import RunBeacon
import Runs
import SQLDatabase
import Store
import StoreSamples
import TestSupport
import Testing

/// Runs of the store: roles, versions, commands, and messages of the broker.
struct RunStoreTests {
    static let run = RunID("milan")!
    static let start = WallTime(rfc3339: "2026-05-10T09:00:00Z")!
    static let before = WallTime(rfc3339: "2026-05-01T09:00:00Z")!
    static let during = WallTime(rfc3339: "2026-05-10T09:30:00Z")!

    struct World {
        let file: DatabasePool
        let stores: Stores
        let runs: RunStore
        let anna, luke: AccountID
        let database: TestDatabase

        init(_ engine: TestEngine = .standard) async throws {
            database = try TestDatabase(engine, migrations: Stores.migrations + RunStore.migrations)
            file = try database.open()
            stores = Stores(
                in: file, exports: RunStore.exports, onRun: { try RunStore.receive($0, $1) })
            runs = RunStore(file: file)
            anna = try await stores.accounts.add(.sample("anna", at: before))
            luke = try await stores.accounts.add(.sample("luke", at: before))
        }

        /// Commands that a round queues.
        func commands(at time: WallTime = before) async throws -> [(gateway: String, command: RunCommand)] {
            let sent = Recorder()
            try await runs.reconcile(at: time) { command, gateway, sequence, at in
                sent.add((gateway.text, command))
                return OutgoingCommand(
                    id: "command-\(sequence)", gateway: gateway, request: nil, token: [1], created: at,
                    expires: at.later(82_800))
            }
            return sent.all
        }
    }

    final class Recorder: @unchecked Sendable {
        // Filled within the transaction that `reconcile` awaits.
        private(set) var all: [(gateway: String, command: RunCommand)] = []
        func add(_ command: (String, RunCommand)) { all.append(command) }
    }

    static func definition(
        title: String = "Milan 10K", most: Int = 3, end: String = "2026-05-10T12:00:00Z"
    ) throws -> RunDefinition {
        try RunDefinition(
            id: run, description: "Through the park",
            outline: RunOutline(
                title: title, end: WallTime(rfc3339: end)!,
                waves: try RunText.waves("2026-05-10T09:00:00Z"),
                checkpoints: try RunText.checkpoints("start 0 house-11; finish 10000 house-13 finish")),
            most: most)
    }

    static func runner(_ bib: Int, tag: Int? = nil, name: String? = nil, account: AccountID? = nil)
        throws -> RunParticipant
    {
        let last = String(tag ?? bib, radix: 16, uppercase: true)
        return RunParticipant(
            entrant: Entrant(
                bib: Bib(bib)!, name: name,
                tags: [try TagName("C0:FF:EE:00:00:" + (last.count == 1 ? "0" : "") + last)]),
            account: account, showsName: name != nil)
    }

    /// World with the run, its two boxes and bib 17, of which the boxes know.
    static func underway() async throws -> World {
        let world = try await World()
        try await world.runs.create(try definition(), by: world.anna, at: before)
        for box in ["house-11", "house-13"] {
            try await world.runs.add(
                House(gateway: GatewayID(box)!, key: "{}", added: before), to: run, by: world.anna)
        }
        try await world.runs.enrol(try runner(17), in: run, isOwn: false, by: world.anna, at: before)
        _ = try await world.commands()
        return world
    }

    // MARK: Messages

    func passing(
        _ number: Int = 1, _ checkpoint: String = "finish", box: String = "house-13", bib: Int = 17,
        at time: String = "2026-05-10T09:29:00.000Z"
    ) throws -> (RunReport.Message, [UInt8]) {
        let id = MessageID.sample(number, at: Self.during)
        let payload = Array(
            """
            {"bib":\(bib),"bound_ms":742,"box":"\(box)","checkpoint":"\(checkpoint)","clock":"gps","clock_bound_ms":350,
            "first":"\(time)","flags":[],"hits":61,"id":"\(id)","last":"\(time)","method":"ble-peak","order":1,
            "rssi":-58,"run":"milan","time":"\(time)"}
            """.utf8)
        return (
            .passing(try PassingRecord(payload, of: Self.run, from: GatewayID(box)!)), payload
        )
    }

    func position(_ metres: Int, at time: String) throws -> (RunReport.Message, [UInt8]) {
        let payload = Array(
            """
            {"bib":17,"box":"house-13","distance_m":\(metres),"flags":[],"id":"\(MessageID.sample(metres, at: Self.during))",
            "latitude":45.4,"longitude":9.1,"measured":"\(time)","run":"milan","time":"\(time)","age_s":1}
            """.utf8)
        return (
            .position(
                try ContractReading.RunnerPosition(payload, of: Self.run, from: GatewayID("house-13")!)),
            payload
        )
    }

    func news(_ event: String, at time: String) throws -> (RunReport.Message, [UInt8]) {
        let payload = Array(
            """
            {"bib":17,"box":"house-13","event":"\(event)","id":"\(MessageID.sample(9, at: Self.during))","run":"milan",
            "time":"\(time)","last_position":"\(time)"}
            """.utf8)
        return (
            .news(try RunnerNewsRecord(payload, of: Self.run, from: GatewayID("house-13")!)), payload
        )
    }

    func keep(
        _ message: (RunReport.Message, [UInt8]), in world: World, from box: String = "house-13",
        of bib: Int = 17
    ) throws -> Int {
        let item = IntakeItem.run(
            RunReport(
                gateway: GatewayID(box)!, run: Self.run, bib: Bib(bib)!, message: message.0,
                payload: message.1))
        return try world.stores.intake.keep([item], at: Self.during).setAside[.noRun] ?? 0
    }

    @Test func `keeps a passing that comes twice once, and ranks by it`() async throws {
        let world = try await Self.underway()
        for _ in 0..<2 { #expect(try keep(passing(), in: world) == 0) }
        let messages = try await world.runs.messages(of: Self.run)
        #expect(messages.passings.count == 1)
        let run = try Self.definition().run(
            with: try await world.runs.participants(of: Self.run).map(\.entrant))
        let row = try #require(
            RunPicture(run, shape: nil, messages, at: Self.during).rows.first { $0.bib == Bib(17)! })
        #expect(row.state == .finished)
        #expect(row.rank == 1)
        #expect(row.gun == .seconds(1_740))
        #expect(row.bound == .milliseconds(742))
    }

    @Test func `keeps no message of a box, of a runner or of a checkpoint that it does not belong to`()
        async throws
    {
        let world = try await Self.underway()
        #expect(try keep(passing(box: "house-99"), in: world, from: "house-99") == 1)
        #expect(try keep(passing(bib: 18), in: world, of: 18) == 1)
        // A passing at the finish, forged by the box of the start.
        #expect(try keep(passing(box: "house-11"), in: world, from: "house-11") == 1)
        #expect(try keep(passing(2, "bridge"), in: world) == 1)
        #expect(try await world.runs.messages(of: Self.run).passings.isEmpty)
    }

    @Test func `keeps the newest position, in whichever order they come`() async throws {
        let world = try await Self.underway()
        for (metres, time) in [(500, "09:05:00"), (900, "09:09:00"), (700, "09:07:00")] {
            #expect(try keep(position(metres, at: "2026-05-10T\(time).000Z"), in: world) == 0)
        }
        #expect(try await world.runs.messages(of: Self.run).positions.map(\.distanceMetres) == [900])
    }

    @Test func `shows a lost tracker until it is back, also if the news come out of order`() async throws {
        let world = try await Self.underway()
        _ = try keep(news("tracker-lost", at: "2026-05-10T09:10:00.000Z"), in: world)
        #expect(try await world.runs.messages(of: Self.run).lost.keys.map(\.number) == [17])
        _ = try keep(news("tracker-back", at: "2026-05-10T09:20:00.000Z"), in: world)
        _ = try keep(news("tracker-lost", at: "2026-05-10T09:10:00.000Z"), in: world)
        #expect(try await world.runs.messages(of: Self.run).lost.isEmpty)
    }

    @Test func `removes everything of a runner who leaves, and keeps nothing that comes later`() async throws {
        let world = try await Self.underway()
        _ = try keep(passing(), in: world)
        _ = try keep(position(500, at: "2026-05-10T09:05:00.000Z"), in: world)
        try await world.runs.leave(Bib(17)!, of: Self.run, by: world.anna, at: Self.during)
        let messages = try await world.runs.messages(of: Self.run)
        #expect(messages.passings.isEmpty && messages.positions.isEmpty)
        #expect(try keep(passing(2), in: world) == 1)
        #expect(try await world.runs.participants(of: Self.run).isEmpty)
        let commands = try await world.commands(at: Self.during)
        #expect(commands.map(\.gateway) == ["house-11", "house-13"])
        #expect(commands.allSatisfy { $0.command == .leave(Self.run, [Bib(17)!]) })
    }

    @Test func `ends an enrolment that a box has ended, at the other boxes too`() async throws {
        let world = try await Self.underway()
        // Of an enrolment before the present one.
        _ = try keep(news("left", at: "2026-04-30T09:00:00.000Z"), in: world)
        #expect(try await world.runs.participants(of: Self.run).count == 1)
        _ = try keep(news("left", at: "2026-05-10T09:20:00.000Z"), in: world)
        #expect(try await world.runs.participants(of: Self.run).isEmpty)
        #expect(try await world.commands(at: Self.during).count == 2)
    }

    // MARK: Commands

    @Test func `sends each box the run, then its runners, then what changes`() async throws {
        let world = try await World()
        try await world.runs.create(try Self.definition(), by: world.anna, at: Self.before)
        try await world.runs.enrol(
            try Self.runner(17), in: Self.run, isOwn: false, by: world.anna, at: Self.before)
        #expect(try await world.commands().isEmpty)
        try await world.runs.add(
            House(gateway: GatewayID("house-11")!, key: "{}", added: Self.before), to: Self.run, by: world.anna)
        #expect(try await world.commands().map(\.command.type) == ["run-create", "run-enrol"])
        #expect(try await world.commands().isEmpty)
        try await world.runs.enrol(
            try Self.runner(18), in: Self.run, isOwn: false, by: world.anna, at: Self.before)
        try await world.runs.change(
            try Self.definition(title: "Milan at night"), from: 1, by: world.anna, at: Self.before)
        let commands = try await world.commands()
        #expect(commands.map(\.command.type) == ["run-change", "run-enrol"])
        if case .enrol(_, let entrants) = commands[1].command { #expect(entrants.map(\.bib.number) == [18]) }
        try await world.runs.cancel(Self.run, by: world.anna, at: Self.during)
        #expect(try await world.commands(at: Self.during).map(\.command.type) == ["run-cancel"])
    }

    @Test func `shows the receipts of the boxes`() async throws {
        let world = try await Self.underway()
        let id = try #require(
            try await world.file.read {
                try String.fetchOne($0, sql: "SELECT id FROM run_command ORDER BY asked LIMIT 1")
            })
        _ = try world.stores.intake.keep(
            [
                .answer(
                    CommandAnswer(
                        gateway: GatewayID("house-11")!, command: id, refusal: "not-allowed", at: Self.before))
            ], at: Self.before)
        let commands = try await world.runs.commands(of: Self.run, most: 10)
        #expect(commands.count == 4)
        #expect(commands.filter { $0.state == .refused }.map(\.reason) == ["not-allowed"])
    }

    // MARK: Boxes that are taken out

    /// World with a third box that stands at no checkpoint.
    static func withSpareBox() async throws -> World {
        let world = try await underway()
        try await world.runs.add(
            House(gateway: GatewayID("house-14")!, key: "{}", added: before), to: run, by: world.anna)
        return world
    }

    private func remove(_ box: String, discarding: Bool = false, in world: World) async throws {
        try await world.runs.remove(
            GatewayID(box)!, from: Self.run, discarding: discarding, by: world.anna, at: Self.during)
    }

    @Test func `ends the run at a box that is taken out, and keeps nothing that it tells later`() async throws {
        let world = try await Self.withSpareBox()
        _ = try await world.commands()
        // The finish moves to another box.
        try await world.runs.change(
            try RunDefinition(
                id: Self.run, description: "",
                outline: RunOutline(
                    title: "Milan", end: WallTime(rfc3339: "2026-05-10T12:00:00Z")!,
                    waves: try RunText.waves("2026-05-10T09:00:00Z"),
                    checkpoints: try RunText.checkpoints("start 0 house-11; finish 10000 house-14 finish")),
                most: 3), from: 1, by: world.anna, at: Self.before)
        _ = try await world.commands()
        #expect(try keep(passing(box: "house-14"), in: world, from: "house-14") == 0)
        _ = try keep(position(500, at: "2026-05-10T09:05:00.000Z"), in: world)
        try await remove("house-13", in: world)
        let commands = try await world.commands(at: Self.during)
        #expect(commands.map(\.gateway) == ["house-13"])
        #expect(commands.map(\.command) == [.cancel(Self.run)])
        #expect(try await world.commands(at: Self.during).isEmpty)
        #expect(try await world.runs.boxes(of: Self.run).map(\.text) == ["house-11", "house-14"])
        #expect(try keep(position(900, at: "2026-05-10T09:09:00.000Z"), in: world) == 1)
        let messages = try await world.runs.messages(of: Self.run)
        #expect(messages.passings.count == 1)
        #expect(messages.positions.map(\.distanceMetres) == [500])
        await #expect(throws: RunActRefusal.boxTakenOut) {
            try await world.runs.add(
                GatewayID("house-13")!, to: Self.run, by: world.anna, at: Self.during)
        }
        // Another change of the run does not reach it.
        try await world.runs.enrol(
            try Self.runner(18), in: Self.run, isOwn: false, by: world.anna, at: Self.during)
        #expect(
            try await world.commands(at: Self.during).map(\.gateway).sorted() == ["house-11", "house-14"])
    }

    @Test func `removes the messages of a box that is taken out, if the organiser wants it`() async throws {
        let world = try await Self.underway()
        _ = try keep(passing(), in: world)
        _ = try keep(position(500, at: "2026-05-10T09:05:00.000Z"), in: world)
        try await world.runs.change(
            try RunDefinition(
                id: Self.run, description: "",
                outline: RunOutline(
                    title: "Milan", end: WallTime(rfc3339: "2026-05-10T12:00:00Z")!,
                    waves: try RunText.waves("2026-05-10T09:00:00Z"),
                    checkpoints: try RunText.checkpoints("start 0 house-11; finish 10000 finish")),
                most: 3), from: 1, by: world.anna, at: Self.before)
        try await remove("house-13", discarding: true, in: world)
        let messages = try await world.runs.messages(of: Self.run)
        #expect(messages.passings.isEmpty && messages.positions.isEmpty)
    }

    @Test func `keeps a box that stands at a checkpoint or that a runner carries`() async throws {
        let world = try await Self.withSpareBox()
        await #expect(throws: RunActRefusal.boxStands) { try await remove("house-13", in: world) }
        await #expect(throws: RunActRefusal.unknownBox) { try await remove("house-99", in: world) }
        try await world.runs.enrol(
            RunParticipant(
                entrant: Entrant(bib: Bib(30)!, carries: GatewayID("house-14")!), account: nil,
                showsName: false),
            in: Self.run, isOwn: false, by: world.anna, at: Self.before)
        await #expect(throws: RunActRefusal.boxIsCarried) { try await remove("house-14", in: world) }
        await #expect(throws: RunActRefusal.notAllowed) {
            try await world.runs.remove(
                GatewayID("house-14")!, from: Self.run, discarding: false, by: world.luke, at: Self.during)
        }
        try await world.runs.leave(Bib(30)!, of: Self.run, by: world.anna, at: Self.before)
        // It has had no command yet: it can be added again.
        try await remove("house-14", in: world)
        try await world.runs.add(GatewayID("house-14")!, to: Self.run, by: world.anna, at: Self.during)
        #expect(try await world.runs.boxes(of: Self.run).count == 3)
    }

    // MARK: Idempotency

    @Test func `does an act once under a key, and refuses the key for another act`() async throws {
        let world = try await Self.underway()
        let once = world.runs.once(RunActKey("key-1", digest: [1]))
        for _ in 0..<2 {
            try await once.change(
                try Self.definition(title: "Once"), from: 1, by: world.anna, at: Self.before)
        }
        #expect(try await world.runs.run(Self.run)?.version == 2)
        await #expect(throws: RunActRefusal.keyUsed) {
            try await world.runs.once(RunActKey("key-1", digest: [2])).cancel(
                Self.run, by: world.anna, at: Self.before)
        }
        // A key is one of its account, and a refused act leaves none behind.
        let other = world.runs.once(RunActKey("key-1", digest: [3]))
        await #expect(throws: RunActRefusal.notAllowed) {
            try await other.cancel(Self.run, by: world.luke, at: Self.before)
        }
        try await world.runs.addOrganiser(UserName("luke")!, to: Self.run, by: world.anna, at: Self.before)
        try await other.change(try Self.definition(title: "Luke's"), from: 2, by: world.luke, at: Self.before)
        #expect(try await world.runs.run(Self.run)?.definition.outline.title == "Luke's")
        try await world.runs.sweep(at: Self.before.later(2 * 86_400), life: .seconds(40 * 86_400))
        try await world.runs.once(RunActKey("key-1", digest: [9])).cancel(
            Self.run, by: world.anna, at: Self.during)
        #expect(try await world.runs.run(Self.run)?.isCancelled == true)
    }

    @Test func `pages the runs of an account by their names`() async throws {
        let world = try await Self.underway()
        for name in ["alpha", "zulu"] {
            try await world.runs.create(
                try RunDefinition(
                    id: RunID(name)!, description: "", outline: try Self.definition().outline, most: 3),
                by: world.luke, at: Self.before)
        }
        try await world.runs.enrol(
            try Self.runner(30, account: world.luke), in: Self.run, isOwn: true, by: world.luke, at: Self.before
        )
        let first = try await world.runs.ownRuns(of: world.luke, after: nil, most: 2)
        #expect(first.map(\.run.id.text) == ["alpha", "milan"])
        #expect(first.map(\.role) == [.organiser, nil])
        #expect(first.map(\.bib?.number) == [nil, 30])
        let rest = try await world.runs.ownRuns(of: world.luke, after: Self.run, most: 2)
        #expect(rest.map(\.run.id.text) == ["zulu"])
    }

    // MARK: Rights

    @Test func `tells the later of two organisers that the run has changed`() async throws {
        let world = try await Self.underway()
        try await world.runs.addOrganiser(UserName("luke")!, to: Self.run, by: world.anna, at: Self.before)
        let organisers = try await world.runs.organisers(of: Self.run)
        #expect(organisers.map(\.user.text) == ["anna", "luke"])
        #expect(organisers.map(\.role) == [.organiser, .coOrganiser])
        #expect(try await world.runs.boxes(of: Self.run).map(\.text) == ["house-11", "house-13"])
        try await world.runs.change(
            try Self.definition(title: "First"), from: 1, by: world.luke, at: Self.before)
        await #expect(throws: RunActRefusal.changedMeanwhile) {
            try await world.runs.change(
                try Self.definition(title: "Second"), from: 1, by: world.anna, at: Self.before)
        }
        #expect(try await world.runs.run(Self.run)?.definition.outline.title == "First")
    }

    @Test func `lets a co-organiser change a run, and its organiser alone cancel it`() async throws {
        let world = try await Self.underway()
        await #expect(throws: RunActRefusal.notAllowed) {
            try await world.runs.change(try Self.definition(), from: 1, by: world.luke, at: Self.before)
        }
        try await world.runs.addOrganiser(UserName("luke")!, to: Self.run, by: world.anna, at: Self.before)
        for act in [
            { try await world.runs.cancel(Self.run, by: world.luke, at: Self.before) },
            {
                try await world.runs.addOrganiser(
                    UserName("anna")!, to: Self.run, by: world.luke, at: Self.before)
            },
        ] {
            await #expect(throws: RunActRefusal.notAllowed) { try await act() }
        }
        try await world.runs.removeOrganiser(UserName("luke")!, from: Self.run, by: world.anna, at: Self.before)
        #expect(try await world.runs.role(of: world.luke, in: Self.run) == nil)
    }

    @Test func `changes no run of the past, and none that is cancelled`() async throws {
        let world = try await Self.underway()
        let after = WallTime(rfc3339: "2026-05-10T12:00:01Z")!
        await #expect(throws: RunActRefusal.over) {
            try await world.runs.change(try Self.definition(), from: 1, by: world.anna, at: after)
        }
        try await world.runs.cancel(Self.run, by: world.anna, at: Self.during)
        await #expect(throws: RunActRefusal.cancelled) {
            try await world.runs.change(try Self.definition(), from: 2, by: world.anna, at: Self.during)
        }
        #expect(try keep(passing(), in: world) == 1)
        #expect(try await world.runs.run(Self.run)?.state(at: Self.during) == .cancelled)
    }

    @Test func `takes as many runners as the run has room for, each with a bib and a tag of their own`()
        async throws
    {
        let world = try await Self.underway()
        func enrol(_ bib: Int, tag: Int) async throws {
            try await world.runs.enrol(
                try Self.runner(bib, tag: tag), in: Self.run, isOwn: false, by: world.anna, at: Self.before)
        }
        await #expect(throws: RunActRefusal.inUse) { try await enrol(18, tag: 17) }
        try await enrol(18, tag: 18)
        try await enrol(19, tag: 19)
        await #expect(throws: RunActRefusal.full) { try await enrol(20, tag: 20) }
        // The same bib again is a change.
        try await enrol(19, tag: 21)
        await #expect(throws: RunFault.noTracker) {
            try await world.runs.enrol(
                RunParticipant(entrant: Entrant(bib: Bib(18)!), account: nil, showsName: false), in: Self.run,
                isOwn: false, by: world.anna, at: Self.before)
        }
    }

    @Test func `lets a person enrol herself once, and nobody else touch her enrolment but an organiser`()
        async throws
    {
        let world = try await Self.underway()
        try await world.runs.enrol(
            try Self.runner(30, account: world.luke), in: Self.run, isOwn: true, by: world.luke, at: Self.before
        )
        await #expect(throws: RunActRefusal.inUse) {
            try await world.runs.enrol(
                try Self.runner(31, account: world.luke), in: Self.run, isOwn: true, by: world.luke,
                at: Self.before)
        }
        await #expect(throws: RunActRefusal.inUse) {
            try await world.runs.enrol(
                try Self.runner(17, account: world.luke), in: Self.run, isOwn: true, by: world.luke,
                at: Self.before)
        }
        await #expect(throws: RunActRefusal.notAllowed) {
            try await world.runs.leave(Bib(17)!, of: Self.run, by: world.luke, at: Self.before)
        }
        #expect(try await world.runs.enrolments(of: world.luke).map(\.bib.number) == [30])
        try await world.runs.leave(Bib(30)!, of: Self.run, by: world.luke, at: Self.before)
        #expect(try await world.runs.enrolments(of: world.luke).isEmpty)
    }

    @Test func `ends the enrolment of a person whose account is gone, with the boxes told`() async throws {
        let world = try await Self.underway()
        try await world.runs.enrol(
            try Self.runner(30, name: "Luke", account: world.luke), in: Self.run, isOwn: true, by: world.luke,
            at: Self.before)
        _ = try await world.commands()
        try await world.stores.remove(world.luke, at: Self.before)
        #expect(try await world.runs.participants(of: Self.run).map(\.entrant.bib.number) == [17])
        try await world.runs.sweep(at: Self.before, life: .seconds(86_400))
        let commands = try await world.commands()
        #expect(commands.count == 2)
        #expect(commands.allSatisfy { $0.command == .leave(Self.run, [Bib(30)!]) })
    }

    @Test func `removes a run with everything of it when its time is over`() async throws {
        let world = try await Self.underway()
        _ = try keep(passing(), in: world)
        try await world.runs.sweep(at: Self.during, life: .seconds(86_400))
        #expect(try await world.runs.run(Self.run) != nil)
        try await world.runs.sweep(at: Self.start.later(3 * 86_400), life: .seconds(86_400))
        #expect(try await world.runs.run(Self.run) == nil)
        let left = try await world.file.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM run_passing")
        }
        #expect(left == 0)
    }
}
