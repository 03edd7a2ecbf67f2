import ContractReading
import Desk
import DeskLite
import Foundation
import GatewayModel
import SQLDatabase
import StoreLite
import StoreSamples
import TestSupport
import Testing

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
                _ = try DeskLite.receive(DeskSample.message(), from: DeskSample.house, at: DeskSample.at(0), db)
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
        let store = DeskLite(file: try desk.database.open())
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
            _ = try DeskLite.receive(
                DeskSample.message("cancelled"), from: GatewayID("house-13")!, at: DeskSample.at(1), db)
        }
        #expect(try await desk.store.openCalls().map(\.id) == [DeskSample.id()])
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
