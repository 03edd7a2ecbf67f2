import CAP
import ContractReading
import Desk
import Foundation
import GatewayModel
import HTTPTransfers
import Logging
import SQLDatabase
import Store
import StoreSamples
import TestSupport
import Testing

/// The forwarding between a real database and a service over HTTPS, which checks each message against the schema of CAP 1.2.
@Suite struct `A forwarded call` {
    private static let incident = "house-12.019caa1b-3c40-7d10-8a01-5f0c3a9e0008"
    private static let rule = ForwardingRule(wait: .zero, includesDrills: false)

    private let desk: DeskSample
    private let hub = DeskHub { BootInstant(nanoseconds: 0) }
    private let authority: TestAuthority
    private let service: AmbulanceRig

    init() async throws {
        desk = try DeskSample()
        authority = try await TestAuthority()
        let identity = try await authority.sign("calls", names: "IP:127.0.0.1")
        service = try await AmbulanceRig(identity, "--token", "t0ken")
    }

    private func target(_ path: String) -> ForwardingService.Target {
        ForwardingService.Target(
            url: service.url(path), caFile: authority.certificate, token: "t0ken", sender: "trackme",
            addresses: ["118-milano", "Centrale Operativa"], operatorName: "Desk of Milan", language: .english)
    }

    private func store(_ file: DatabasePool) -> DeskStore {
        DeskStore(file: file, sealer: DeskSample.sealer, forwarding: Self.rule)
    }

    private func receive(_ name: String = "confirmed", rule: ForwardingRule = rule) throws {
        try desk.file.writeBlocking {
            _ = try DeskStore.receive(
                DeskSample.message(name), from: DeskSample.house, at: DeskSample.at(0),
                sealer: DeskSample.sealer, forwarding: rule, $0)
        }
        hub.changed()
    }

    /// Runs the forwarding as one life of the server does. At its end nothing of an attempt under way is kept, as by a kill.
    private func withForwarding(
        to target: ForwardingService.Target, of file: DatabasePool? = nil, rule: ForwardingRule = rule,
        _ body: () async throws -> Void
    ) async throws {
        let forwarding = try ForwardingService(
            target, store: ForwardingStore(file: file ?? desk.file, sealer: DeskSample.sealer, rule: rule),
            hub: hub,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            clock: { WallTime(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000)) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await forwarding.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    /// Waits until the desk shows such a state.
    private func expect(
        in file: DatabasePool? = nil, of comment: Comment? = nil, at place: SourceLocation = #_sourceLocation,
        _ isIt: (CallForwarding.Standing) -> Bool
    ) async throws {
        let (store, id) = (store(file ?? desk.file), try DeskSample.id())
        let isShown = try await eventually {
            try await store.forwardings(of: [id])[id].map { isIt($0.standing) } ?? false
        }
        #expect(isShown, comment, sourceLocation: place)
    }

    private func isHandedOver(_ standing: CallForwarding.Standing) -> Bool {
        if case .handedOver = standing { true } else { false }
    }

    private func isAccepted(_ standing: CallForwarding.Standing) -> Bool {
        if case .accepted = standing { true } else { false }
    }

    private func reason(_ standing: CallForwarding.Standing) -> String? {
        if case .failing(let failure) = standing { failure.reason } else { nil }
    }

    @Test(arguments: ["ack", "accept"])
    func `reaches the service as CAP, and the person who takes it there is shown and logged`(path: String)
        async throws
    {
        try receive()
        try await withForwarding(to: target(path)) { try await expect(isAccepted) }
        let post = try #require(service.posts.first)
        #expect(service.posts.count == 1)
        #expect(post.problem == nil)
        #expect(post.key == "\(Self.incident).1")
        #expect(post.identifier == Self.incident)
        #expect(post.status == "Actual")
        #expect(post.msgType == "Alert")
        #expect(post.authorization == "Bearer t0ken")
        #expect(post.type == "application/cap+xml; charset=utf-8")
        let body = try #require(post.body)
        for text in [
            "Maria Rossi", "<source>Desk of Milan</source>", "<circle>", "<valueName>desk</valueName>",
        ] {
            #expect(body.contains(text), "\(text)")
        }
        let by = path == "ack" ? "Operator & 7" : "Operator 7"
        #expect(
            try await desk.store.log(of: DeskSample.id()).map(\.entry).suffix(2) == [
                .forwarded(.alert, number: 1), .acceptedOutside(by: by),
            ])
    }

    @Test func `by doubtful values is possible at the service as well, with its reasons`() async throws {
        try receive("confirmed-by-doubtful-values")
        try await withForwarding(to: target("take")) { try await expect(isHandedOver) }
        let post = try #require(service.posts.first)
        #expect(post.problem == nil)
        for text in [
            "<certainty>Possible</certainty>", "<headline>Help may be needed, the sensor may be wrong.",
            "The sensor may be wrong: its own beats contradict the rate.", "<value>contradicts-beats</value>",
        ] {
            #expect(post.body?.contains(text) == true, "\(text)")
        }
    }

    @Test func `is asked about where the service says so, until a person has it`() async throws {
        try receive()
        try await withForwarding(to: target("poll")) {
            try await expect(isHandedOver)
            try await expect(isAccepted)
        }
        #expect(service.posts.count == 1)
        #expect(service.heard.values.filter { $0.method == "GET" }.count == 3)
    }

    @Test func `is followed by its changes, each once, and cancelled with the first message as reference`()
        async throws
    {
        try receive()
        try await withForwarding(to: target("take")) {
            try await expect(isHandedOver)
            _ = try await store(desk.file).carryOut(
                .take, on: DeskSample.id(), by: DeskSample.anna, at: DeskSample.at(3))
            hub.changed()
            #expect(await service.heard.wait { $0.count(where: { $0.method == "POST" }) == 2 })
            try receive("cancelled")
            try await expect { if case .withdrawn = $0 { true } else { false } }
        }
        #expect(service.posts.map(\.msgType) == ["Alert", "Update", "Cancel"])
        #expect(service.posts.map(\.key) == (1...3).map { "\(Self.incident).\($0)" })
        #expect(service.posts.compactMap(\.problem).isEmpty)
        #expect(
            service.posts.dropFirst().allSatisfy {
                $0.references?.hasPrefix("trackme,\(Self.incident),") == true
            })
        #expect(service.posts[1].body?.contains("At the desk Anna, desk 1 has the call.") == true)
        #expect(service.posts[2].body?.contains("+39") == false)
    }

    @Test func `is repeated under its key after a refusal`() async throws {
        try receive()
        try await withForwarding(to: target("flaky")) { try await expect(isHandedOver) }
        #expect(service.posts.count == 2)
        #expect(Set(service.posts.map(\.key)).count == 1)
        #expect(Set(service.posts.map(\.body)).count == 1)
    }

    /// The server dies while the service holds the request, and starts again on its database.
    @Test func `is the same message after a restart amid an attempt`() async throws {
        try receive()
        try await withForwarding(to: target("hang")) {
            #expect(await service.heard.wait { $0.contains { $0.method == "POST" } })
        }
        // A newer call of the house does not change the message that may have arrived.
        let text = String(decoding: try DeskSample.example("confirmed"), as: UTF8.self)
        let next = try EmergencyMessage(
            Array(
                text.replacing(#""round": 1"#, with: #""round": 2"#).replacing(
                    try DeskSample.message().id.description, with: "019caa1b-3c40-7d10-8a01-5f0c3a9effff"
                ).utf8), of: DeskSample.maria)
        try desk.file.writeBlocking {
            _ = try DeskStore.receive(
                next, from: DeskSample.house, at: DeskSample.at(30), sealer: DeskSample.sealer,
                forwarding: Self.rule, $0)
        }
        #expect(try await desk.store.call(DeskSample.id())?.rounds == 2)
        try desk.file.close()
        let file = try desk.database.open()
        try await withForwarding(to: target("take"), of: file) {
            try await expect(in: file, isHandedOver)
        }
        let alerts = service.posts.filter { $0.msgType == "Alert" }
        #expect(alerts.count == 2)
        #expect(Set(alerts.map(\.key)) == ["\(Self.incident).1"])
        #expect(Set(alerts.map(\.body)).count == 1)
        #expect(Set(alerts.map(\.identifier)) == [Self.incident])
    }

    @Test func `waits for no service: the desk goes on while requests hang`() async throws {
        try receive()
        try await withForwarding(to: target("hang")) {
            #expect(await service.heard.wait { $0.contains { $0.method == "POST" } })
            let (store, id) = (store(desk.file), try DeskSample.id())
            _ = try await store.carryOut(.take, on: id, by: DeskSample.anna, at: DeskSample.at(3))
            _ = try await store.carryOut(
                .close(.helpSent, note: ""), on: id, by: DeskSample.anna, at: DeskSample.at(4))
            #expect(try await store.openCalls().isEmpty)
            let standing = try await store.forwardings(of: [id])[id]?.standing
            #expect(standing.map { if case .unanswered = $0 { true } else { false } } == true)
        }
    }

    @Test func `that the service refuses says why`() async throws {
        try receive()
        try await withForwarding(to: target("status/403")) {
            try await expect { reason($0)?.contains("check the token") == true }
        }
        #expect(
            try await desk.store.log(of: DeskSample.id()).contains {
                if case .forwardingFailed = $0.entry { true } else { false }
            })
    }

    @Test(arguments: ["redirect", "error", "endless-head", "status/500"])
    func `is not handed over by a hostile answer`(path: String) async throws {
        try receive()
        try await withForwarding(to: target(path)) { try await expect { reason($0) != nil } }
    }

    /// Only the status of such an answer counts.
    @Test(arguments: [
        "garbage", "entities", "other-alarm", "other-reference", "wrong-status", "endless", "elsewhere",
    ])
    func `is not accepted by a hostile answer`(path: String) async throws {
        try receive()
        try await withForwarding(to: target(path)) { try await expect(isHandedOver) }
        #expect(service.posts.count == 1)
    }

    @Test func `is sent to no service with another certificate`() async throws {
        let stranger = try await TestAuthority()
        try receive()
        for (host, authority) in [("127.0.0.1", stranger), ("localhost", self.authority)] {
            var target = target("take")
            (target.url, target.caFile) = (service.url("take", host: host), authority.certificate)
            try await withForwarding(to: target) {
                try await expect(of: "\(host)") { reason($0)?.contains("certificate") == true }
            }
        }
        #expect(service.posts.isEmpty)
    }

    @Test func `of a rehearsal is sent only if the settings say so, and marked`() async throws {
        let text = String(decoding: try DeskSample.example("confirmed"), as: UTF8.self)
        let drill = try EmergencyMessage(
            Array(text.replacing(#""drill": false"#, with: #""drill": true"#).utf8), of: DeskSample.maria)
        try #require(drill.isDrill)
        let rule = ForwardingRule(wait: .zero, includesDrills: true)
        for rule in [Self.rule, rule] {
            try desk.file.writeBlocking {
                _ = try DeskStore.receive(
                    drill, from: GatewayID("house-\(rule.includesDrills)")!, at: DeskSample.at(0),
                    sealer: DeskSample.sealer, forwarding: rule, $0)
            }
        }
        try await withForwarding(to: target("ack"), rule: rule) {
            #expect(await service.heard.wait { $0.contains { $0.method == "POST" } })
        }
        #expect(service.posts.map(\.status) == ["Exercise"])
        #expect(service.posts.first?.key?.hasPrefix("house-true.") == true)
        #expect(service.posts.first?.problem == nil)
    }

    @Test func `is preceded by a test that names no person`() async throws {
        for (path, failure) in [("take", nil), ("status/404", "check url")] {
            let forwarding = try ForwardingService(
                target(path),
                store: ForwardingStore(file: desk.file, sealer: DeskSample.sealer, rule: Self.rule), hub: hub,
                logger: Logger(label: "test"), clock: { DeskSample.at(0) })
            let reason = try await forwarding.test()
            #expect(failure.map { reason?.contains($0) == true } ?? (reason == nil), "\(path)")
        }
        #expect(service.posts.map(\.status) == ["Test", "Test"])
        #expect(service.posts.compactMap(\.problem).isEmpty)
    }

    @Test func `is not kept with a call that is not committed`() async throws {
        struct Fault: Error {}
        #expect(throws: Fault.self) {
            try desk.file.writeBlocking { db in
                _ = try DeskStore.receive(
                    DeskSample.message(), from: DeskSample.house, at: DeskSample.at(0),
                    sealer: DeskSample.sealer, forwarding: Self.rule,
                    db)
                throw Fault()
            }
        }
        let store = ForwardingStore(file: desk.file, sealer: DeskSample.sealer, rule: Self.rule)
        #expect(try await store.dueForwardings(at: DeskSample.at(9), most: 9).isEmpty)
    }

    @Test func `needs an address, a token and a sender that can be used`() throws {
        var targets = [target("take"), target("take"), target("take"), target("take")]
        targets[0].url = "http://127.0.0.1:1/"
        targets[1].token = "two words"
        targets[2].sender = "a, b"
        targets[3].caFile = "/nowhere"
        for target in targets {
            #expect(throws: TransferError.self) {
                _ = try ForwardingService(
                    target, store: ForwardingStore(file: desk.file, sealer: DeskSample.sealer, rule: Self.rule),
                    hub: hub,
                    logger: Logger(label: "test"), clock: { DeskSample.at(0) })
            }
        }
    }
}
