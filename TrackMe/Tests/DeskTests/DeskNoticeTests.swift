import GatewayModel
import SQLDatabase
import Store
import StoreSamples
import TestSupport
import Testing

@testable import Desk

/// What the servers of a database tell each other of the desk.
@Suite struct `Notices of the desk` {
    @Test(arguments: [[], [.newCall], [.newCall, .repeated, .overWhileTaken]] as [[EmergencyCall.Alert]])
    func `carry alerts`(_ alerts: [EmergencyCall.Alert]) {
        let notice = DeskNotice.changed(alerts)
        #expect(DeskNotice.alerts(in: notice) == alerts)
        #expect(DeskNotice.users(in: notice) == nil)
    }

    @Test func `leave out an alert of a later version`() {
        let notice = DatabaseNotice(
            DeskNotice.changed([]).topic, "\(EmergencyCall.Alert.newCall.rawValue) of-2031")
        #expect(DeskNotice.alerts(in: notice) == [.newCall])
    }

    @Test(arguments: [0, 1, 150, 151, 1_000])
    func `carry the names of any number of dispatchers`(_ count: Int) {
        let names = (0..<count).map { "dispatcher-\($0)".padding(to: 32) }
        let notices = DeskNotice.present(names)
        #expect(notices.flatMap { DeskNotice.users(in: $0) ?? [] } == names)
        for notice in notices {
            #expect(notice.topic.utf8.count + notice.text.utf8.count <= DatabaseNotice.largest)
            #expect(DeskNotice.alerts(in: notice) == nil)
        }
    }

    @Test func `are one for a call, and one for a delivery`() async throws {
        let desk = try DeskSample(on: .postgres)
        let listener = try #require(desk.file.listener())
        let heard = Recorder<NoticeEvent>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listener.run { heard.add($0) } }
            #expect(await eventually(within: .seconds(120)) { heard.values == [.resumed] })
            var expected: [NoticeEvent] = [.resumed]
            func expect(_ alerts: [EmergencyCall.Alert]) async {
                expected.append(.notice(DeskNotice.changed(alerts), isOwn: true))
                #expect(await eventually { heard.values.count >= expected.count })
                #expect(heard.values == expected)
            }
            try desk.receive(DeskSample.message())
            await expect([.newCall])
            // Nothing new: the next notice is that of the dispatcher.
            try desk.receive(DeskSample.message(), at: 1)
            _ = try await desk.store.carryOut(
                .take, on: DeskSample.id(), by: DeskSample.anna, at: DeskSample.at(2))
            await expect([])
            let due = try await desk.store.dueAcceptances(at: DeskSample.at(3), most: 9)
            try await desk.store.markDelivered(try #require(due.first), at: DeskSample.at(3))
            await expect([])
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

extension String {
    fileprivate func padding(to length: Int) -> String {
        self + String(repeating: "x", count: max(0, length - count))
    }
}
