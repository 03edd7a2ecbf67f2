import CloudCommands
import ModelSamples
import Samples
import Testing

@testable import ConsentService
@testable import GatewayModel
@testable import Hub

@Suite struct `Codes that the house shows for an account` {
    private let codes = LinkCodes()
    private let stranger = PersonID(sample: "stranger")
    private let paolo = PersonID(sample: "paolo")

    private func refusal(
        _ code: OneTimeCode?, of person: PersonID = Sample.maria, at seconds: Double
    ) -> CommandRefusal.Reason? {
        codes.refusal(of: code, for: person, from: "anna at trackme.example", at: Sample.moment(seconds).boot)?
            .reason
    }

    private func made(for person: PersonID = Sample.maria, at seconds: Double) throws -> OneTimeCode {
        try #require(OneTimeCode(codes.open(for: person, at: Sample.moment(seconds)), of: .digits))
    }

    /// Some digits that are not those of `code`.
    private func wrong(_ code: OneTimeCode) throws -> OneTimeCode {
        try #require(OneTimeCode(code.description == "00000000" ? "00000001" : "00000000", of: .digits))
    }

    @Test func `a code asks once, within ten minutes`() throws {
        let code = try made(at: 0)
        #expect(refusal(code, at: 599) == nil)
        #expect(refusal(code, at: 599) == .linkCodeOver)
        let late = try made(at: 600)
        #expect(refusal(late, at: 1_200) == .linkCodeOver)
    }

    @Test func `the code of one person asks nothing about another; five wrong tries void it`()
        throws
    {
        let marias = try made(at: 0)
        var paolos = try made(for: paolo, at: 0)
        while paolos == marias { paolos = try made(for: paolo, at: 0) }
        for second in 1...4 { #expect(refusal(paolos, at: Double(second)) == .linkCodeWrong) }
        #expect(refusal(nil, at: 5) == .linkCodeMissing, "no code is no try")
        #expect(refusal(try wrong(marias), at: 6) == .linkCodeWrong)
        #expect(refusal(marias, at: 7) == .linkCodeOver)
        #expect(refusal(paolos, of: paolo, at: 8) == nil, "the tries were for another person")
    }

    @Test func `however many tries there are, a stranger is refused as a person with a code is`() throws {
        let code = try made(at: 0)
        let guess = try wrong(code)
        for number in 0..<50 {
            #expect(refusal(guess, at: 1 + Double(number) / 10) == .linkCodeWrong)
            #expect(refusal(guess, of: stranger, at: 1 + Double(number) / 10) == .linkCodeWrong)
        }
        // The flood does not hold up the next code.
        #expect(refusal(try made(at: 6), at: 6) == nil)
    }
}
