import Accounts
import ContractReading
import Desk
import Foundation
import GatewayModel
import SOSLocal
import SQLDatabase
import SiteSamples
import Store
import StoreSamples
import TestSupport
import Testing
import WebPages

@Suite struct `The store of the desk` {
    private let desk: DeskSample

    init() throws { desk = try DeskSample() }

    @Test func `keeps a call once, however often its message comes`() async throws {
        #expect(try desk.receive(DeskSample.message()) == [.newCall])
        #expect(try desk.receive(DeskSample.message(), at: 1).isEmpty)
        let calls = try await desk.store.openCalls()
        #expect(calls.count == 1)
        #expect(calls.first?.newest?.profile?.name == "Maria Rossi")
        #expect(try await desk.store.log(of: DeskSample.id()).count == 1)
    }

    @Test func `keeps nothing of a batch that is not committed`() async throws {
        struct Fault: Error {}
        #expect(throws: Fault.self) {
            try desk.file.writeBlocking { db in
                _ = try DeskStore.receive(
                    DeskSample.message(), from: DeskSample.house, at: DeskSample.at(0),
                    sealer: DeskSample.sealer, db)
                throw Fault()
            }
        }
        #expect(try await desk.store.openCalls().isEmpty)
        #expect(try await desk.store.log(of: DeskSample.id()).isEmpty)
    }

    @Test func `gives a call to one of many dispatchers who take it at once`() async throws {
        try desk.receive(DeskSample.message())
        let (store, id) = (desk.store, try DeskSample.id())
        let results = await withTaskGroup(of: Result<Dispatcher, any Error>.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let dispatcher = Dispatcher(user: "d\(number)", name: "Dispatcher \(number)")!
                    do {
                        _ = try await store.carryOut(.take, on: id, by: dispatcher, at: DeskSample.at(1))
                        return .success(dispatcher)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let winners = results.compactMap { try? $0.get() }
        #expect(winners.count == 1)
        let holder = try #require(try await store.call(id)?.holder)
        #expect(holder == winners.first)
        for case .failure(let error) in results {
            #expect(error as? DeskRefusal == .taken(by: holder, since: DeskSample.at(1)))
        }
        #expect(try await store.dueAcceptances(at: DeskSample.at(2), most: 9).count == 1)
    }

    @Test func `keeps an acceptance over a restart until the broker has it`() async throws {
        try desk.receive(DeskSample.message())
        _ = try await desk.store.carryOut(.take, on: DeskSample.id(), by: DeskSample.anna, at: DeskSample.at(3))
        try desk.file.close()
        let store = DeskStore(file: try desk.database.open(), sealer: DeskSample.sealer)
        let due = try await store.dueAcceptances(at: DeskSample.at(4), most: 9)
        #expect(try due.map(\.call) == [DeskSample.id()])
        #expect(due.first?.by.name == "Anna, desk 1")
        try await store.markRefused(
            due[0], reason: "not authorized", at: DeskSample.at(4), next: DeskSample.at(14))
        #expect(try await store.dueAcceptances(at: DeskSample.at(13), most: 9).isEmpty)
        #expect(try await store.dueAcceptances(at: DeskSample.at(14), most: 9) == due)
        try await store.markDelivered(due[0], at: DeskSample.at(15))
        try await store.markDelivered(due[0], at: DeskSample.at(16))
        #expect(try await store.dueAcceptances(at: DeskSample.at(99), most: 9).isEmpty)
        let log = try await store.log(of: DeskSample.id()).map(\.entry)
        #expect(
            log.suffix(2) == [.acceptanceRefused("not authorized"), .acceptanceDelivered(to: DeskSample.anna)])
    }

    @Test func `moves a closed call to the ended ones`() async throws {
        try desk.receive(DeskSample.message())
        let id = try DeskSample.id()
        _ = try await desk.store.carryOut(.take, on: id, by: DeskSample.anna, at: DeskSample.at(1))
        _ = try await desk.store.carryOut(
            .close(.helpSent, note: "ambulance 7"), on: id, by: DeskSample.anna, at: DeskSample.at(9))
        #expect(try await desk.store.openCalls().isEmpty)
        #expect(try await desk.store.endedCalls(most: 5).map(\.id) == [id])
        await #expect(throws: DeskRefusal.unknownCall) {
            let other = CallID(gateway: GatewayID("house-13")!, alarm: id.alarm)
            _ = try await desk.store.carryOut(.take, on: other, by: DeskSample.anna, at: DeskSample.at(9))
        }
    }

    @Test func `does not let one house touch the alarm of another`() async throws {
        try desk.receive(DeskSample.message())
        try desk.file.writeBlocking { db in
            _ = try DeskStore.receive(
                DeskSample.message("cancelled"), from: GatewayID("house-13")!, at: DeskSample.at(1),
                sealer: DeskSample.sealer, db)
        }
        #expect(try await desk.store.openCalls().map(\.id) == [DeskSample.id()])
    }
}

/// Calls end after their time, and each look at one is in the audit log.
@Suite struct `The calls that are kept` {
    private static let year: Int64 = 365 * 86_400

    /// Rows of the call in each table of the desk.
    private func rows(_ desk: DeskSample) throws -> [Int?] {
        try desk.file.readBlocking { db in
            try ["desk_call", "acceptance", "desk_forwarding"].map {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)")
            }
        }
    }

    @Test(arguments: TestEngine.allCases) func `a call is removed when its time after its end is over`(
        _ engine: TestEngine
    ) async throws {
        let desk = try DeskSample(on: engine)
        let store = DeskStore(
            file: desk.file, sealer: DeskSample.sealer,
            forwarding: ForwardingRule(wait: .zero, includesDrills: true))
        let id = try DeskSample.id()
        _ = try await store.receive(DeskSample.message(), from: DeskSample.house, at: DeskSample.at(0))
        _ = try await store.carryOut(.take, on: id, by: DeskSample.anna, at: DeskSample.at(1))
        #expect(try rows(desk) == [1, 1, 1])
        // Nobody may lose a call that somebody works on.
        #expect(try await store.removeCalls(endedBefore: DeskSample.at(Self.year), most: 9) == 0)
        _ = try await store.receive(
            DeskSample.message("cancelled"), from: DeskSample.house, at: DeskSample.at(600))
        _ = try await store.carryOut(
            .close(.spokenTo, note: "well"), on: id, by: DeskSample.anna, at: DeskSample.at(700))
        #expect(try await store.removeCalls(endedBefore: DeskSample.at(600), most: 9) == 0)
        #expect(try await store.call(id) != nil)
        #expect(try await store.removeCalls(endedBefore: DeskSample.at(601), most: 9) == 1)
        #expect(try rows(desk) == [0, 0, 0])
        #expect(try await store.endedCalls(most: 9).isEmpty)
        guard case .sound = try desk.file.readBlocking({ try AuditLog.check($0) }) else {
            Issue.record("the audit log is not sound")
            return
        }
    }

    @Test func `the page of a call writes its reader into the audit log, once an hour`() async throws {
        let trial = try await TrialSite(migrations: AuditLog.migrations + DeskStore.migrations) { parts, file in
            DeskPages(
                store: DeskStore(file: file, sealer: DeskSample.sealer), hub: DeskHub { parts.bootClock() },
                clock: parts.clock,
                name: { $0.user.text }, isSignedIn: { _ in true }
            ).routes
        }
        let id = try DeskSample.id()
        _ = try await DeskStore(file: trial.file, sealer: DeskSample.sealer).receive(
            DeskSample.message(), from: DeskSample.house, at: TrialSite.noon)
        func readers() throws -> [String] {
            try trial.file.readBlocking { db in
                try String.fetchAll(
                    db, sql: "SELECT entry FROM audit WHERE area = ? AND subject = ? ORDER BY number",
                    arguments: [DeskStore.readingArea, "\(id.gateway)/\(id.alarm)"])
            }
        }
        let path = "/desk/calls/\(id.gateway)/\(id.alarm)"
        let (anna, bruno) = (trial.browser(), trial.browser())
        for (browser, user) in [(anna, "anna"), (bruno, "bruno")] { await browser.register(user) }
        #expect(await anna.get(path).status == 403)
        #expect(try readers().isEmpty)
        try trial.file.writeBlocking { try $0.execute(sql: "UPDATE account SET role = 'dispatcher'") }
        #expect(await anna.get("/desk").status == 200)
        #expect(try readers().isEmpty)
        for _ in 1...3 {
            #expect(await anna.get(path).status == 200)
            #expect(await anna.get(path + "/part").status == 200)
        }
        #expect(try readers() == [#"{"name":"anna","user":"anna"}"#])
        #expect(await bruno.get(path + "/part").status == 200)
        trial.advance(3_601)
        #expect(await anna.get(path).status == 200)
        #expect(try readers().count == 3 && readers().last?.contains("anna") == true)

        // A full disk: a call that waits for help is shown all the same, and no look at an ended one is unrecorded.
        trial.advance(3_601)
        try trial.file.addFault("BEFORE INSERT", on: "audit")
        #expect(await anna.get(path).status == 200)
        try trial.file.removeFault(of: "audit")
        _ = try await DeskStore(file: trial.file, sealer: DeskSample.sealer).receive(
            DeskSample.message("cancelled"), from: DeskSample.house, at: TrialSite.noon)
        try trial.file.addFault("BEFORE INSERT", on: "audit")
        #expect(await anna.get(path).status == 500)
    }
}

/// The content of calls is sealed under a key of each call.
@Suite struct `The seal of the calls` {
    private static let words = ["Maria Rossi", "Via dei Tigli", "beside the stairs", "desk 1"]

    /// Texts of the call in its table, its document for an outside service, and the audit log.
    private func texts(_ desk: DeskSample) throws -> String {
        try desk.file.readBlocking { db in
            let lines = try String.fetchAll(
                db, sql: "SELECT state FROM desk_call UNION ALL SELECT entry FROM audit WHERE area = 'desk'")
            let bodies = try Data.fetchAll(db, sql: "SELECT body FROM desk_forwarding WHERE body IS NOT NULL")
            return (lines + bodies.map { String(decoding: $0, as: UTF8.self) }).joined(separator: "\n")
        }
    }

    /// A call that Anna has taken, handed on, and noted on.
    private func call(_ desk: DeskSample) async throws -> DeskStore {
        let rule = ForwardingRule(wait: .zero, includesDrills: true)
        let store = DeskStore(file: desk.file, sealer: DeskSample.sealer, forwarding: rule)
        let id = try DeskSample.id()
        _ = try await store.receive(DeskSample.message(), from: DeskSample.house, at: DeskSample.at(0))
        let attempt = try await ForwardingStore(file: desk.file, sealer: DeskSample.sealer, rule: rule)
            .beginForwarding(of: id, at: DeskSample.at(1)) { call, _ in
                Array("\(call.newest?.profile?.name ?? ""), Via dei Tigli".utf8)
            }
        #expect(attempt?.body == Array("Maria Rossi, Via dei Tigli".utf8))
        _ = try await store.carryOut(.take, on: id, by: DeskSample.anna, at: DeskSample.at(2))
        _ = try await store.carryOut(
            .note("beside the stairs"), on: id, by: DeskSample.anna, at: DeskSample.at(3))
        return store
    }

    @Test(arguments: TestEngine.allCases)
    func `names, readings and notes are in the database for the holder of the master key alone`(
        _ engine: TestEngine
    ) async throws {
        let desk = try DeskSample(on: engine)
        let (store, id) = (try await call(desk), try DeskSample.id())
        let texts = try texts(desk)
        for word in Self.words { #expect(!texts.contains(word), "\(word)") }
        #expect(try await store.call(id)?.newest?.profile?.name == "Maria Rossi")
        #expect(
            try await store.log(of: id).map(\.entry).contains(.noted(DeskSample.anna, "beside the stairs")))
        try await store.checkKey()
        let stranger = DeskStore(
            file: desk.file, sealer: CallSealer(masterKey: [UInt8](repeating: 8, count: 32))!)
        await #expect(throws: CallSealer.Fault.self) { try await stranger.call(id) }
        await #expect(throws: CallSealer.Fault.self) { try await stranger.log(of: id) }
        await #expect(throws: CallSealer.Fault.self) { try await stranger.checkKey() }
    }

    @Test(arguments: TestEngine.allCases)
    func `after its time nobody can open the lines of a call that the audit log keeps`(
        _ engine: TestEngine
    ) async throws {
        let desk = try DeskSample(on: engine)
        let (store, id) = (try await call(desk), try DeskSample.id())
        let state = try desk.file.readBlocking { try String.fetchOne($0, sql: "SELECT state FROM desk_call") }
        _ = try await store.receive(
            DeskSample.message("cancelled"), from: DeskSample.house, at: DeskSample.at(9))
        _ = try await store.carryOut(
            .close(.spokenTo, note: ""), on: id, by: DeskSample.anna, at: DeskSample.at(10))
        #expect(try await store.removeCalls(endedBefore: DeskSample.at(11), most: 9) == 1)
        // The lines are there, and the chain is whole.
        let lines = try texts(desk).split(separator: "\n")
        #expect(lines.count >= 4 && lines.contains { $0.hasPrefix("sealed ") })
        guard case .sound = try desk.file.readBlocking({ try AuditLog.check($0) }) else {
            Issue.record("the audit log is not sound")
            return
        }
        await #expect(throws: CallSealer.Fault.self) { try await store.log(of: id) }
        // A copy of the row from elsewhere opens as little.
        try desk.file.writeBlocking { db in
            try db.execute(
                sql: "INSERT INTO desk_call (gateway, alarm, is_open, since, state) VALUES (?, ?, 0, 0, ?)",
                arguments: [id.gateway.text, id.alarm.description, state])
        }
        await #expect(throws: CallSealer.Fault.self) { try await store.call(id) }
    }

    @Test(arguments: TestEngine.allCases)
    func `calls of the version before are read, and sealed by the first round`(_ engine: TestEngine)
        async throws
    {
        let desk = try DeskSample(on: engine)
        let (store, id) = (try await call(desk), try DeskSample.id())
        let call = try #require(try await store.call(id))
        let clear = String(decoding: try JSONEncoder().encode(call), as: UTF8.self)
        try desk.file.writeBlocking { db in
            try db.execute(sql: "UPDATE desk_call SET state = ?", arguments: [clear])
            try db.execute(sql: "DELETE FROM desk_key")
            try db.execute(
                sql: "UPDATE desk_forwarding SET body = ?",
                arguments: [Data("Maria Rossi, Via dei Tigli".utf8)])
        }
        #expect(try texts(desk).contains("Maria Rossi"))
        #expect(try await store.call(id) == call)
        #expect(try await store.sealCalls(most: 9) == 1)
        #expect(try await store.sealCalls(most: 9) == 0)
        let sealed = try texts(desk)
        for word in ["Maria Rossi", "Via dei Tigli"] { #expect(!sealed.contains(word), "\(word)") }
        #expect(try await store.call(id) == call)
        let rule = ForwardingRule(wait: .zero, includesDrills: true)
        let attempt = try await ForwardingStore(file: desk.file, sealer: DeskSample.sealer, rule: rule)
            .beginForwarding(of: id, at: DeskSample.at(4)) { _, _ in Array("written again".utf8) }
        #expect(attempt?.body == Array("Maria Rossi, Via dei Tigli".utf8))

        // A server of the version before was still running, and wrote a newer call.
        try desk.file.writeBlocking { db in
            try db.execute(
                sql: """
                    INSERT INTO desk_call (gateway, alarm, is_open, since, state)
                        SELECT 'house-99', alarm, 0, since + 1000, ? FROM desk_call
                    """, arguments: [clear])
        }
        let stranger = DeskStore(
            file: desk.file, sealer: CallSealer(masterKey: [UInt8](repeating: 8, count: 32))!)
        let fault = await #expect(throws: CallSealer.Fault.self) { try await stranger.checkKey() }
        #expect(fault?.description.contains("\(id.gateway)/\(id.alarm)") == true)
        try desk.file.writeBlocking {
            try $0.execute(
                sql: "UPDATE desk_call SET state = ? WHERE gateway <> 'house-99'", arguments: [clear])
        }
        #expect(try await store.sealCalls(most: 9) == 2, "also one that has its key already")
        #expect(try await store.call(id) == call)
        #expect(try !texts(desk).contains("Maria Rossi"))
    }
}

@Suite struct `The audit log` {
    private let desk: DeskSample

    init() throws {
        desk = try DeskSample()
        try desk.file.writeBlocking { db in
            for number in 0..<5 {
                try AuditLog.append(
                    "act \(number)", about: "house-12", in: "desk", at: DeskSample.at(Int64(number)), db)
            }
        }
    }

    private func verdict() throws -> AuditLog.Verdict { try desk.file.readBlocking { try AuditLog.check($0) } }

    /// Changes the file as somebody does who has it, past the triggers.
    private func tamper(_ sql: String) throws {
        for trigger in ["audit_delete", "audit_update"] { try desk.file.dropTrigger(trigger, of: "audit") }
        try desk.file.writeBlocking { db in try db.execute(sql: sql) }
    }

    @Test func `is sound, and its head names the last line`() throws {
        guard case .sound(let head) = try verdict() else {
            Issue.record("\(try verdict())")
            return
        }
        #expect(head.number == 5)
        #expect(head.description.hasPrefix("5 "))
        #expect(head.description.count == 2 + 64)
    }

    @Test(arguments: [
        "UPDATE audit SET entry = 'other' WHERE number = 3", "UPDATE audit SET at = at + 1 WHERE number = 3",
        "UPDATE audit SET subject = 'house-13' WHERE number = 3", "DELETE FROM audit WHERE number = 3",
        "UPDATE audit SET area = 'des', subject = 'khouse-12' WHERE number = 3",
        "UPDATE audit SET number = 33 WHERE number = 3",
    ])
    func `shows the first line that was changed`(_ sql: String) throws {
        try tamper(sql)
        #expect(try verdict() == .changed(at: 3))
    }

    @Test(arguments: ["UPDATE audit SET entry = 'other'", "DELETE FROM audit WHERE number = 5"])
    func `does not take a change by the server`(_ sql: String) throws {
        #expect(throws: DatabaseError.self) { try desk.file.writeBlocking { try $0.execute(sql: sql) } }
        guard case .sound = try verdict() else {
            Issue.record("the log was changed")
            return
        }
    }
}
