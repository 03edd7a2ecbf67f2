import ContractReading
import Desk
import Foundation
import GatewayModel
import Logging
import RealTime
import Store
import StoreSamples
import Synchronization
import TestSupport
import Testing

/// Whether calls can arrive, and the figures of the desk.
@Suite struct `The watch over the desk` {
    private let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private let never: @Sendable () async throws -> WallTime? = { nil }
    private let lately: @Sendable () async throws -> WallTime? = { DeskSample.at(990) }

    /// Runs the watch until the condition holds. Returns the time that it took; nil where it never does: the bound is
    /// for a test that fails, and far above what a busy machine needs.
    private func wait(
        _ hub: DeskHub, _ broker: BrokerPresence, calls: [EmergencyCall] = [],
        newest: @escaping @Sendable () async throws -> WallTime?, _ condition: @Sendable () -> Bool
    ) async throws -> Duration? {
        let service = ArrivalService(
            hub: hub, broker: broker, logger: logger, clock: { DeskSample.at(1_000) }, newest: newest,
            openCalls: { calls })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            defer { group.cancelAll() }
            let begin = ContinuousClock.now
            while !condition() {
                guard ContinuousClock.now - begin < .seconds(120) else { return nil }
                try await Task.sleep(for: .milliseconds(20))
            }
            return ContinuousClock.now - begin
        }
    }

    @Test func `tells the pages that the database fails or hangs`() async throws {
        struct Fault: Error {}
        let newest: [@Sendable () async throws -> WallTime?] = [
            { throw Fault() },
            {
                try await Task.sleep(for: .seconds(600))
                return nil
            },
        ]
        for newest in newest {
            let (hub, broker) = (DeskHub { Clock.boot() }, BrokerPresence())
            broker.report("calls", receives: true)
            let woken = Mutex(0)
            let page = try #require(hub.open(by: DeskSample.anna) { woken.withLock { $0 += 1 } })
            defer { page.close() }
            let took = try await wait(hub, broker, newest: newest) {
                hub.arrival.obstacles == [.database] && woken.withLock { $0 } > 1
            }
            #expect(took != nil)
            #expect(!hub.arrival.isReady)
        }
    }

    @Test func `tells the pages that no session of calls is at the broker, and that one is back`() async throws
    {
        let (hub, broker) = (DeskHub { Clock.boot() }, BrokerPresence())
        broker.report("calls", receives: false)
        broker.report("others", receives: true)
        #expect(try await wait(hub, broker, newest: lately) { hub.arrival.isReady } != nil)
        #expect(hub.arrival.age(at: DeskSample.at(1_000)) == 10)
        broker.report("others", receives: false)
        #expect(
            try await wait(hub, broker, newest: never) { hub.arrival.obstacles == [.broker] } != nil)
        broker.report("calls", receives: true)
        #expect(try await wait(hub, broker, newest: never) { hub.arrival.isReady } != nil)
    }

    @Test func `sounds for a taken call that its holder has left alone`() async throws {
        let (hub, broker) = (DeskHub { Clock.boot() }, BrokerPresence())
        var call = EmergencyCall.received(
            try DeskSample.message(), from: DeskSample.house, at: DeskSample.at(0)
        ).call
        _ = try call.take(by: DeskSample.anna, at: DeskSample.at(1))
        let page = try #require(hub.open(by: DeskSample.bruno) {})
        defer { page.close() }
        _ = page.news()
        let alert = Mutex<EmergencyCall.Alert?>(nil)
        let took = try await wait(hub, broker, calls: [call], newest: never) {
            if let news = page.news() { alert.withLock { $0 = news.alert ?? $0 } }
            return alert.withLock { $0 } == .untouched
        }
        #expect(took != nil)
    }

    @Test func `knows who is away: a tab in the background is no attendance`() throws {
        let seconds = Mutex<Int64>(0)
        let hub = DeskHub { BootInstant(nanoseconds: seconds.withLock { $0 } * 1_000_000_000) }
        #expect(!hub.isAway(DeskSample.anna), "a new server does not know it")
        let page = try #require(hub.open(by: DeskSample.anna) {})
        let hidden = try #require(hub.open(by: DeskSample.bruno, isInView: false) {})
        defer { hidden.close() }
        seconds.withLock { $0 = 31 }
        #expect(!hub.isAway(DeskSample.anna) && hub.isAway(DeskSample.bruno) && hub.present == 1)
        page.close()
        #expect(!hub.isAway(DeskSample.anna))
        seconds.withLock { $0 = 62 }
        #expect(hub.isAway(DeskSample.anna))
        hub.reported(["anna"])
        #expect(!hub.isAway(DeskSample.anna), "another server has her page")
    }

    @Test(arguments: TestEngine.allCases) func `counts the calls that were taken in time`(_ engine: TestEngine)
        async throws
    {
        let desk = try DeskSample(on: engine)
        func call(_ number: Int, at second: Int64, taken: Int64?, ended: Int64? = nil, drill: Bool = false)
            async throws
        {
            let alarm = "019caa1b-3c40-7d10-8a01-00000000000\(number)"
            func message(_ state: String, _ id: Int) throws -> EmergencyMessage {
                let text =
                    #"{"alarm":"\#(alarm)","id":"019caa1b-3c40-7d10-8a0\#(id)-00000000000\#(number)","person":"maria","#
                    + #""state":"\#(state)","drill":\#(drill),"round":1,"time":"2026-03-01T08:30:00.000Z"}"#
                return try EmergencyMessage(Array(text.utf8), of: DeskSample.maria)
            }
            try desk.receive(try message("confirmed", 2), at: second)
            let id = CallID(gateway: DeskSample.house, alarm: try message("confirmed", 2).alarm)
            if let taken {
                _ = try await desk.store.carryOut(
                    .take, on: id, by: DeskSample.anna, at: DeskSample.at(second + taken))
            }
            if let ended { try desk.receive(try message("cancelled", 3), at: second + ended) }
        }
        try await call(1, at: 0, taken: 60)
        try await call(2, at: 0, taken: 180, ended: 400)
        try await call(3, at: 0, taken: 181)
        try await call(4, at: 0, taken: nil)
        // Not counted: ended before it was late, a rehearsal, too new, too old.
        try await call(5, at: 0, taken: nil, ended: 100)
        try await call(6, at: 0, taken: 1, drill: true)
        try await call(7, at: 900, taken: nil)
        try await call(8, at: -100, taken: 1)
        let times = try await desk.store.takingTimes(since: DeskSample.at(-50), at: DeskSample.at(1_000))
        #expect(times == TakingTimes(calls: 4, withinMinute: 1, withinThree: 2))
        #expect(TakingTimes.percent(199, of: 200) == 99)
    }

    @Test(arguments: TestEngine.allCases) func `closes the untaken calls of a house together`(
        _ engine: TestEngine
    )
        async throws
    {
        let desk = try DeskSample(on: engine)
        let ids = try (100..<140).map { number in
            let text =
                #"{"alarm":"019caa1b-3c40-7d10-8a01-000000000\#(number)","person":"maria","state":"confirmed","#
                + #""id":"019caa1b-3c40-7d10-8a02-000000000\#(number)","round":1,"time":"2026-03-01T08:30:00.000Z"}"#
            let message = try EmergencyMessage(Array(text.utf8), of: DeskSample.maria)
            try desk.receive(message)
            return CallID(gateway: DeskSample.house, alarm: message.alarm)
        }
        _ = try await desk.store.carryOut(.take, on: ids[0], by: DeskSample.bruno, at: DeskSample.at(1))
        let count = try await desk.store.closeUntaken(
            ids, by: DeskSample.anna, .falseAlarm, note: "forged", at: DeskSample.at(2))
        #expect(count == 39)
        #expect(try await desk.store.openCalls().map(\.id) == [ids[0]])
        #expect(try await desk.store.dueAcceptances(at: DeskSample.at(3), most: 99).count == 1)
        let entries = try await desk.store.log(of: ids[5]).map(\.entry)
        #expect(entries.contains(.closed(DeskSample.anna, .falseAlarm, note: "forged")))
    }
}
