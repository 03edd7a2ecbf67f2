import CAP
import Foundation
import GatewayModel
import HTTPTransfers
import SOSLocal
import TestSupport
import Testing

@testable import AmbulanceService

private typealias Sample = AmbulanceSample

/// The examples of docs/channels/https.md equal the requests of the gateway, and the gateway understands the answers in
/// them.
@Suite struct `The document about HTTPS` {
    /// Returns the fenced block after the line `<!-- name -->`.
    private func example(_ name: String) throws -> String {
        let file = AmbulanceRig.tests.deletingLastPathComponent().appending(path: "docs/channels/https.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let mark = try #require(text.range(of: "<!-- \(name) -->\n"), "no example '\(name)'")
        let block = text[mark.upperBound...]
        let begin = try #require(block.firstIndex(of: "\n"))
        let end = try #require(block.range(of: "\n```"))
        return String(block[block.index(after: begin)..<end.lowerBound])
    }

    private func object(_ json: Data) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: json) as? NSDictionary)
    }

    @Test func `shows the CAP that is sent`() throws {
        let call = CAPMessage(Sample.order(), of: Sample.profile, place: .first, caller: Sample.caller)
        let end = CAPMessage(Sample.retraction(), of: Sample.profile, caller: Sample.caller)
        #expect(try example("cap call") + "\n" == String(decoding: call.xml, as: UTF8.self))
        #expect(try example("cap end") + "\n" == String(decoding: end.xml, as: UTF8.self))
        let over = CAPMessage(NoticeSample.ended(Sample.profile), caller: Sample.caller)
        #expect(try example("cap notice") + "\n" == String(decoding: over.xml, as: UTF8.self))
    }

    @Test func `shows the JSON that is sent`() throws {
        let caller = Sample.caller
        let documents = [
            "json call": CallDocument(Sample.order(), of: Sample.profile, place: .first, caller: caller),
            "json possible call": CallDocument(
                Sample.possible, of: Sample.profile, place: .first, caller: caller),
            "json end": CallDocument(Sample.retraction(), of: Sample.profile, caller: caller),
            "json notice": CallDocument(NoticeSample.began(Sample.profile), caller: caller),
            "json test": CallDocument(testing: Sample.id, at: Sample.moment(0).wall, caller: caller),
        ]
        for (name, document) in documents {
            let shown = try object(Data(try example(name).utf8))
            #expect(shown == (try object(Data(document.bytes()))), "\(name)")
        }
    }

    @Test func `shows answers that are understood`() throws {
        for name in ["json answer", "cap answer"] {
            let body = Array(try example(name).utf8)
            let response = HTTPResponse(status: 200, location: nil, body: body, isTooLarge: false)
            let answer = Answer(response, to: Sample.alarm.description, isDrill: false)
            #expect(answer == .accepted(by: "Operator 7"), "\(name)")
        }
        #expect(try CAPFile.read(Array(example("cap answer").utf8)).problem == nil)
    }
}
