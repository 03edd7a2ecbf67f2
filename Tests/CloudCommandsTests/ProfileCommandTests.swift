import Foundation
import GatewayModel
import ModelSamples
import TestSupport
import Testing

@testable import CloudCommands

@Suite struct `A command on a profile` {
    private static func json(_ text: String) -> StrictJSON {
        guard let json = try? StrictJSON(Array(text.utf8)) else { preconditionFailure("the test has no JSON") }
        return json
    }

    private func read(_ command: String) throws(CommandRefusal) -> CloudCommand {
        try CloudCommand.read(Self.json(command)).1
    }

    @Test func `reads as the example of the contract says`() throws {
        let file = Repository.root.appending(path: "docs/contract/examples/command/profile.json")
        let claims = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let command = try JSONSerialization.data(withJSONObject: try #require(claims["cmd"]))
        let expected = try ProfileChange(
            values: [
                .birthDate: "1941-05-02", .height: "164", .telephone: "+390212345678",
                .fiscalCode: "MRTMTT25D09F205Z",
            ], cleared: [.nationalID], reset: [.gender],
            addedContacts: [
                PersonProfile.Contact(name: "Anna", phone: "+393331234567", relation: "daughter")
            ], removedNotes: ["takes warfarin"])
        #expect(
            try read(String(decoding: command, as: UTF8.self))
                == .profile(PersonID(sample: "maria"), expected))
    }

    @Test func `marks a contact for notices`() throws {
        let contact = #""add_contacts":[{"name":"Anna","phone":"+393331234567","notices":true}]"#
        let command = try read(#"{"type":"profile","person":"maria",\#(contact)}"#)
        guard case .profile(_, let change) = command else { throw CommandRefusal(.wrongValue, "\(command)") }
        #expect(change.addedContacts.map(\.getsNotices) == [true])
    }

    @Test(arguments: [
        (#""height":"tall""#, CommandRefusal.Reason.wrongValue), (#""height":1.64"#, .wrongValue),
        (#""telephone":390212345678"#, .wrongValue), (#""fiscal_code":"MRTMTT25D09F205X""#, .wrongValue),
        (#""name":null"#, .wrongValue), (#""notes":["x"]"#, .unknownMember),
        (#""reset":["weight"]"#, .wrongValue),
        (#""add_notes":[]"#, .wrongValue), (#""add_contacts":[{"name":"Anna"}]"#, .wrongValue),
        (#""add_contacts":[{"name":"A","phone":"+39333111","role":"x"}]"#, .unknownMember),
        (#""gender":null,"reset":["gender"]"#, .wrongValue),
    ])
    func `that is wrong is refused without repeating the value`(
        members: String, reason: CommandRefusal.Reason
    ) {
        do throws(CommandRefusal) {
            let command = try read(#"{"type":"profile","person":"maria",\#(members)}"#)
            Issue.record("taken: \(command)")
        } catch {
            #expect(error.reason == reason, "\(error)")
            #expect(!error.detail.contains("MRTMTT25D09F205X"), "\(error)")
        }
    }

    @Test func `that changes nothing is refused`() {
        #expect(throws: CommandRefusal.self) { try read(#"{"type":"profile","person":"maria"}"#) }
    }

    @Test func `is a decision for a person, and in no standard right`() {
        #expect(CommandKind.profile.isDecisionForPerson && !CommandKind.standard.contains(.profile))
    }
}
