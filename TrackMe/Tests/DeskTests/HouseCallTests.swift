import Accounts
import ContractReading
import Desk
import Foundation
import GatewayModel
import PageSecurity
import SOSLocal
import SiteSamples
import Store
import TestSupport
import Testing
import WebPages

/// Calls over HTTPS, with the CAP that the gateway sends: the examples of its document, which its own tests hold to that.
@Suite struct `A house that calls over HTTPS` {
    private static let house = GatewayID("villa-rosa")!
    private static let alarm = "01957c2e-7a00-7abc-8def-0123456789ab"
    private static let path = "/api/v1/desk/cap"

    private let site: TrialSite
    private let calls: DeskStore
    private let tokens: HouseTokenStore
    private let secret = RandomSecret()

    init() async throws {
        site = try await TrialSite(migrations: AuditLog.migrations + DeskStore.migrations) { parts, file in
            HouseCallAPI(
                calls: DeskStore(file: file, sealer: DeskSample.sealer), tokens: HouseTokenStore(file: file),
                hub: DeskHub { BootInstant(nanoseconds: 0) }, clock: parts.clock
            ).routes
        }
        (calls, tokens) = (
            DeskStore(file: site.file, sealer: DeskSample.sealer), HouseTokenStore(file: site.file)
        )
        try await tokens.set(secret.hash, of: Self.house)
    }

    /// Block after the line `<!-- name -->` of the document.
    private static func example(_ name: String) throws -> String {
        let file = Repository.root.appending(path: "docs/channels/https.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let mark = try #require(text.range(of: "<!-- \(name) -->\n```xml\n"))
        let end = try #require(text[mark.upperBound...].range(of: "\n```"))
        return String(text[mark.upperBound..<end.lowerBound])
    }

    private func post(
        _ body: String, key: String? = "\(alarm).confirmed.1", token: String? = nil,
        type: String = "application/cap+xml; charset=utf-8"
    ) async -> Seen {
        var headers = ["content-type": type, "authorization": "Bearer \(token ?? secret.text)"]
        headers["idempotency-key"] = key
        return await site.browser().send("POST", Self.path, body: body, headers: headers)
    }

    private func ask(_ alarm: String = alarm, token: String? = nil) async -> Seen {
        await site.browser().get(
            "\(Self.path)/\(alarm)", headers: ["authorization": "Bearer \(token ?? secret.text)"])
    }

    private var id: CallID { CallID(gateway: Self.house, alarm: AlarmID(Self.alarm)!) }

    @Test func `is on the board with all that the message says`() async throws {
        let seen = await post(try Self.example("cap call"))
        #expect(seen.status == 202)
        #expect(seen.header("Location") == "\(Self.path)/\(Self.alarm)")
        let newest = try #require(try await calls.openCalls().first?.newest)
        #expect(newest.state == .confirmed)
        #expect(newest.route == .https)
        #expect(newest.cause?.rule == "heart-rate-high")
        #expect(newest.cause?.kind == "heart-rate")
        #expect(newest.cause?.value == 150)
        #expect(newest.cause?.limit == 131)
        #expect(newest.cause?.newest == 154)
        #expect(newest.cause?.unit == "/min")
        #expect(newest.location?.latitude == 45.46421)
        #expect(newest.location?.of == "box")
        #expect(newest.location?.errorMetres == 8)
        let profile = try #require(newest.profile)
        #expect(profile.name == "Maria Rossi")
        #expect(profile.birthYear == 1941)
        #expect(profile.medicalNotes == ["Takes a blood thinner", "Allergic to penicillin"])
        #expect(profile.contacts.map(\.name) == ["Anna Rossi", "Carlo Bianchi"])
        #expect(profile.contacts.map(\.relation) == ["daughter", nil])
        #expect(profile.contacts.map(\.phone) == ["+393331234567", "+393337654321"])
        #expect(newest.trend.map(\.value) == [96, 104])
        #expect(newest.trend.last?.time == WallTime(rfc3339: "2026-03-01T08:30:05Z"))
        #expect(newest.crossing == WallTime(rfc3339: "2026-03-01T08:30:10Z"))
    }

    @Test func `is possible where its CAP says so`() async throws {
        let doubt = "<parameter><valueName>doubt</valueName><value>poor-signal jump</value></parameter>"
        let call = try Self.example("cap call")
            .replacing("<certainty>Observed", with: "<certainty>Possible")
            .replacing("<area>", with: doubt + "<area>")
        #expect(await post(call).status == 202)
        let newest = try #require(try await calls.openCalls().first?.newest)
        #expect(newest.certainty == .possible)
        #expect(newest.cause?.doubts == [.poorSignal, .jump])
    }

    @Test func `has one call, however often it repeats itself, and learns the dispatcher by its question`()
        async throws
    {
        let call = try Self.example("cap call")
        for _ in 0..<3 { #expect(await post(call).status == 202) }
        #expect(try await calls.log(of: id).count == 1)
        #expect(await ask().text == #"{"accepted":null}"#)
        _ = try await calls.carryOut(.take, on: id, by: DeskSample.anna, at: DeskSample.at(1))
        let accepted = #"{"accepted":{"alarm":"\#(Self.alarm)","by":"Anna, desk 1"}}"#
        #expect(await ask().text == accepted)
        let again = await post(call)
        #expect(again.status == 200)
        #expect(again.text == accepted)
        #expect(try await calls.log(of: id).count == 2)
    }

    @Test func `ends its call by a message that names no person`() async throws {
        #expect(await post(try Self.example("cap end"), key: "\(Self.alarm).aborted").status == 204)
        #expect(try await calls.endedCalls(most: 9).isEmpty)
        _ = await post(try Self.example("cap call"))
        #expect(await post(try Self.example("cap end"), key: "\(Self.alarm).aborted").status == 200)
        let ended = try #require(try await calls.endedCalls(most: 9).first)
        guard case .over(.cancelled, let ending) = ended.house else {
            Issue.record("\(ended.house)")
            return
        }
        #expect(ending?.by == "Maria")
        #expect(ending?.means == "button")
    }

    /// The house sends each call over the broker as well.
    @Test(arguments: [false, true]) func `has one call also with the same alarm over the broker`(
        isBrokerFirst: Bool
    ) async throws {
        let text = String(decoding: try DeskSample.example("confirmed"), as: UTF8.self)
        let alarm = try DeskSample.message().alarm.description
        let message = try EmergencyMessage(
            Array(text.replacing(alarm, with: Self.alarm).utf8), of: DeskSample.maria)
        let call = try Self.example("cap call")
        var alerts: [EmergencyCall.Alert] = []
        if !isBrokerFirst { _ = await post(call) }
        alerts += try await calls.receive(message, from: Self.house, at: DeskSample.at(1))
        if isBrokerFirst { _ = await post(call) }
        #expect(alerts == (isBrokerFirst ? [.newCall] : []))
        let open = try await calls.openCalls()
        #expect(open.count == 1)
        // The broker's form has more details.
        #expect(open.first?.newest?.route == nil)
        _ = try await calls.carryOut(.take, on: id, by: DeskSample.anna, at: DeskSample.at(2))
        _ = await post(call, key: "\(Self.alarm).confirmed.1b")
        #expect(try await calls.dueAcceptances(at: DeskSample.at(9), most: 9).count == 1)
    }

    @Test func `marks a rehearsal`() async throws {
        let drill = try Self.example("cap call").replacing(
            "<status>Actual", with: "<status>Exercise")
        #expect(await post(drill).status == 202)
        #expect(try await calls.openCalls().first?.isDrill == true)
    }

    @Test func `opens no call by a notice or a test`() async throws {
        let test = try Self.example("cap call").replacing("<status>Actual", with: "<status>Test")
        for text in [try Self.example("cap notice"), test] { #expect(await post(text, key: "1").status == 204) }
        #expect(try await calls.openCalls().isEmpty)
    }

    @Test func `is known by its token alone`() async throws {
        let call = try Self.example("cap call")
        for token in ["", "x", RandomSecret().text] {
            #expect(await post(call, token: token).status == 401)
            #expect(await ask(token: token).status == 401)
        }
        let other = RandomSecret()
        try await tokens.set(other.hash, of: GatewayID("house-13")!)
        let seen = await post(call, token: other.text)
        #expect(seen.status == 403)
        #expect(seen.header("Content-Type") == "application/problem+json")
        _ = await post(call)
        // Nobody asks about the call of another house.
        #expect(await ask(token: other.text).status == 404)
        try await tokens.set(nil, of: Self.house)
        #expect(await ask().status == 401)
        let bytes = try site.databaseBytes()
        #expect(bytes.range(of: Data(secret.text.utf8)) == nil)
    }

    @Test func `gets a problem for a request that cannot be read`() async throws {
        let call = try Self.example("cap call")
        let entity = call.replacing(
            "<alert ", with: "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>\n<alert ")
        let bad: [(String, String?, String)] = [
            (call, nil, "application/cap+xml"),
            (call, String(repeating: "k", count: 201), "application/cap+xml"),
            (call, "k", "application/json"), ("", "k", "application/cap+xml"),
            ("{}", "k", "application/cap+xml"),
            (entity, "k", "application/cap+xml"),
            (String(repeating: "<a>", count: 20_000), "k", "application/cap+xml"),
            (call.replacing("cap:1.2", with: "cap:1.1"), "k", "application/cap+xml"),
            (call.replacing("<status>Actual", with: "<status>Draft"), "k", "application/cap+xml"),
            (call.replacing("<msgType>Alert", with: "<msgType>Ack"), "k", "application/cap+xml"),
            (
                call.replacing("<value>maria</value>", with: "<value>Maria Rossi!</value>"), "k",
                "application/cap+xml"
            ),
            (call.replacing(Self.alarm, with: "7"), "k", "application/cap+xml"),
        ]
        for (body, key, type) in bad {
            let seen = await post(body, key: key, type: type)
            #expect(seen.status == 400, "\(body.prefix(40)) \(type)")
            #expect(seen.header("Content-Type") == "application/problem+json")
        }
        #expect(try await calls.openCalls().isEmpty)
        _ = await post(call)
        let stranger = call.replacing("<value>maria</value>", with: "<value>carlo</value>")
        #expect(await post(stranger, key: "k").status == 409)
    }

    /// Every beginning of a message, and every message with a byte that is changed, gets an answer.
    @Test func `is answered for hostile bytes`() async throws {
        let call = Array(try Self.example("cap call").utf8)
        for end in stride(from: 0, to: call.count, by: 97) {
            #expect(throws: ContractFault.self) { _ = try CAPCall(Array(call[..<end]), from: Self.house) }
        }
        for place in stride(from: 0, to: call.count, by: 13) {
            for byte: UInt8 in [0, 0x26, 0x3C, 0xFF] {
                var changed = call
                changed[place] = byte
                if let read = try? CAPCall(changed, from: Self.house) {
                    _ = read.message(key: "k", of: DeskSample.maria)
                }
            }
        }
        let large = [UInt8](repeating: 0x20, count: CAPCall.largest + 1)
        #expect(throws: ContractFault.self) { _ = try CAPCall(large, from: Self.house) }
    }
}
