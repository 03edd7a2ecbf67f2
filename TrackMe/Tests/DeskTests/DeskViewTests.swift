import ContractReading
import Foundation
import GatewayModel
import HTML
import Testing

@testable import Desk

@Suite struct `The view of the desk` {
    private static let anna = Dispatcher(user: "anna", name: "Anna")!
    private static let bruno = Dispatcher(user: "bruno", name: "Bruno")!
    private static let hostile = "<img src=x onerror=alert(1)>"

    private static func at(_ second: Int64) -> WallTime {
        WallTime(millisecondsSince1970: 1_772_353_800_000 + second * 1_000)
    }

    private static func message(_ state: String = "confirmed", _ rest: String = "", id: Int = 9) throws
        -> EmergencyMessage
    {
        let text = """
            {"alarm": "019caa1b-3c40-7d10-8a01-5f0c3a9e0008", "id": "019caa1b-3c40-7d10-8a01-5f0c3a9e001\(id)",
             "person": "maria", "state": "\(state)"\(rest)}
            """
        return try EmergencyMessage(Array(text.utf8), of: #require(PersonID("maria")))
    }

    private static func call(_ state: String = "confirmed", _ rest: String = "") throws -> EmergencyCall {
        EmergencyCall.received(try message(state, rest), from: GatewayID("house-12")!, at: at(0)).call
    }

    private func view(
        of viewer: Dispatcher = anna, _ language: PersonProfile.Language = .english
    ) -> DeskView {
        DeskView(
            words: Words(language), viewer: viewer, formToken: "secret-token", now: Self.at(75), present: 2)
    }

    private func list(_ open: [EmergencyCall]) -> CallList {
        CallList(open, for: Self.anna, at: Self.at(75))
    }

    private func shown(_ call: EmergencyCall, to viewer: Dispatcher = anna, refusal: DeskRefusal? = nil)
        -> String
    {
        let view = view(of: viewer)
        return (refusal.map { view.warning($0) } ?? .none).source
            + view.call(call, log: [], others: [], isDelivered: false).source
    }

    @Test func `says the age, the cause and that nobody has taken the call`() throws {
        let call = try Self.call("confirmed", #", "cause": {"rule": "heart-rate-high"}, "round": 3"#)
        let board = view().board(list([call]), ended: []).source
        #expect(board.contains("1:15"))
        #expect(board.contains("Heart rate: high"))
        #expect(board.contains("Help is needed, round 3"))
        #expect(board.contains("Nobody has taken it"))
        #expect(board.contains("2 dispatchers are at the desk"))
        #expect(board.contains("/desk/calls/house-12/019caa1b-3c40-7d10-8a01-5f0c3a9e0008"))
    }

    @Test(arguments: [
        (
            PersonProfile.Language.english, "Possible, not certain: the values are doubtful",
            "The sensor may be wrong: poor signal."
        ),
        (
            .italian, "Possibile, non certa: i valori sono dubbi",
            "Il sensore potrebbe sbagliare: segnale debole."
        ),
    ])
    func `says beside the alarm that it is possible, and why`(
        _ language: PersonProfile.Language, _ state: String, _ reason: String
    ) throws {
        let cause = #", "cause": {"rule": "heart-rate-high", "value": 150, "doubt": ["poor-signal"]}"#
        let view = view(of: Self.anna, language)
        for isPossible in [true, false] {
            let call = try Self.call("confirmed", cause + (isPossible ? #", "certainty": "possible""# : ""))
            let board = view.board(list([call]), ended: []).source
            let page = view.call(call, log: [], others: [], isDelivered: false).source
            #expect(board.contains(state) == isPossible && page.contains(state) == isPossible)
            #expect(page.contains(reason) == isPossible)
            #expect(board.contains(Words(language).say(.confirmed)) != isPossible)
        }
    }

    @Test func `marks a rehearsal in every place`() throws {
        let drill = try Self.call("confirmed", #", "drill": true"#)
        for text in [view().board(list([drill]), ended: []).source, shown(drill)] {
            #expect(text.contains("REHEARSAL: send nobody"))
            #expect(text.contains("call confirmed drill"))
        }
        #expect(!view().board(list([try Self.call()]), ended: []).source.contains("REHEARSAL"))
    }

    @Test func `offers the taking to everybody, and giving back to the holder alone`() throws {
        var call = try Self.call()
        #expect(shown(call).contains("TAKE THIS CALL"))
        _ = try call.take(by: Self.anna, at: Self.at(3))
        #expect(!shown(call).contains("TAKE THIS CALL"))
        #expect(shown(call).contains("Give it back"))
        #expect(shown(call).contains("The acceptance is on its way"))
        let other = shown(call, to: Self.bruno)
        #expect(!other.contains("Give it back"))
        #expect(other.contains("Taken by Anna"))
        let refused = shown(call, to: Self.bruno, refusal: .taken(by: Self.anna, since: Self.at(3)))
        #expect(refused.contains("Anna has this call."))
    }

    @Test func `keeps a call that the house cancelled with its holder, and says by whom it was cancelled`()
        throws
    {
        var call = try Self.call()
        _ = try call.take(by: Self.anna, at: Self.at(3))
        let ending = #", "ending": {"how": "aborted", "by": "Maria", "means": "button"}"#
        _ = call.receive(try Self.message("cancelled", ending, id: 8), at: Self.at(9))
        let text = shown(call)
        #expect(text.contains("Cancelled by the house: Maria"))
        #expect(text.contains("Close it below when your work is done."))
    }

    @Test func `shows hostile words as words`() throws {
        let rest = """
            , "cause": {"rule": "\(Self.hostile)"}, "location": {"source": "\(Self.hostile)", "address": "\(Self.hostile)"},
              "profile": {"name": "\(Self.hostile)", "address": "\(Self.hostile)", "medical_notes": ["\(Self.hostile)"],
              "contacts": [{"name": "\(Self.hostile)", "phone": "\(Self.hostile)"}]},
              "trend": [{"kind": "\(Self.hostile)", "unit": "\(Self.hostile)", "value": 1, "time": "2026-03-01T08:30:00.000Z"}]
            """
        var call = try Self.call("confirmed", rest)
        _ = try call.add(note: Self.hostile, by: Self.bruno, at: Self.at(1))
        #expect(call.newest?.isPartial == false)
        let log = [LoggedEntry(at: Self.at(1), entry: .noted(Self.bruno, Self.hostile))]
        let view = view()
        let page = view.page(
            title: view.title(of: call),
            part: view.call(call, log: log, others: [call], isDelivered: nil)
                + view.board(list([call]), ended: [call]), at: DeskView.board, rest: view.forms(for: call))
        #expect(!page.text.contains("<img"))
        #expect(page.text.contains("&lt;img"))
    }

    @Test(arguments: PersonProfile.Language.allCases) func `has its sentences in each language`(
        _ language: PersonProfile.Language
    ) throws {
        var call = try Self.call("pending")
        let view = view(of: Self.anna, language)
        var pages = [view.board(list([call]), ended: [call]), view.forms(for: call)]
        _ = try call.take(by: Self.bruno, at: Self.at(1))
        pages += [view.call(call, log: [], others: [], isDelivered: true), view.warning(.notTaken)]
        let isItalian = pages.map(\.source).joined().contains("Chiamate aperte")
        #expect(isItalian == (language == .italian))
    }

    @Test func `draws the place with its error and the other calls, without tiles`() throws {
        func place(_ latitude: Double, _ longitude: Double, _ error: Double) throws -> EmergencyMessage.Location
        {
            let location =
                #", "location": {"source": "fix", "latitude": \#(latitude), "longitude": \#(longitude), "error_m": \#(error)}"#
            return try #require(try Self.message("confirmed", location).location)
        }
        let others = [try place(45.4652, 9.19, 10), try place(46, 9, 10)]
        let map = try #require(CallMap(try place(45.4642, 9.19, 80), others: others))
        #expect(map.range == 250)
        let offset = try #require(map.offset(of: CallMap.Point(latitude: 45.4652, longitude: 9.2)))
        // 0.001 degrees north and 0.01 degrees east, on the sphere.
        #expect(abs(offset.y - 111.2) < 0.5)
        #expect(abs(offset.x - 779.9) < 1)
        let svg = map.svg(Words(.english)).source
        #expect(svg.components(separatedBy: "class=\"other\"").count == 2)
        #expect(svg.contains("class=\"error\""))
        #expect(svg.contains("250 m"))
        #expect(!svg.contains("http"))
        #expect(CallMap(try place(45, 9, 1_000), others: [])?.range == 2_500)
        #expect(CallMap(nil, others: []) == nil)
        // Across the date line there is no distance to draw.
        let edge = try #require(CallMap(try place(0, 179.9, 5), others: []))
        #expect(edge.offset(of: CallMap.Point(latitude: 0, longitude: -179.9)) == nil)
    }
}
