import TestSupport
import Testing
import Wearables

@testable import Commands

@Suite struct PassKeyPromptsTests {
    private func answers(_ passkey: String?, _ question: PairingQuestion) -> [PairingAnswer] {
        let answers = Recorder<PairingAnswer>()
        PassKeyPrompts(passkey: passkey, isInteractive: false).prompts.ask(question) { answers.add($0) }
        return answers.values
    }

    @Test func `given answers need nobody at the terminal`() {
        #expect(answers("000042", .passkey) == [.passkey(42)])
        #expect(answers("0000", .pinCode) == [.pinCode("0000")])
        #expect(answers("42", .isShown(passkey: "000042")) == [.yes])
        #expect(answers("43", .isShown(passkey: "000042")) == [.no])
        #expect(answers("x", .passkey) == [.no])
    }

    @Test func `with nobody and nothing given the answer is no but to the command itself`() {
        #expect(answers(nil, .passkey) == [.no])
        #expect(answers(nil, .isShown(passkey: "000042")) == [.no])
        #expect(answers(nil, .mayPair) == [.yes])
    }

    @Test func `this computer claims no more than it can do`() {
        #expect(PassKeyPrompts(passkey: nil, isInteractive: false).capability == .noInputNoOutput)
        #expect(PassKeyPrompts(passkey: "1", isInteractive: false).capability == .keyboardOnly)
        #expect(PassKeyPrompts(passkey: nil, isInteractive: true).capability == .keyboardDisplay)
    }
}
