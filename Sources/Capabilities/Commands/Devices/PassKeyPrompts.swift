import Glibc
import Hub
import RealTime
import Wearables

/// Answers to the questions of a pairing, from the person at the terminal or from the command line.
struct PassKeyPrompts: Sendable {
    /// Passkey of the command line, if any: digits, or the text that an old device requires.
    let passkey: String?
    let isInteractive: Bool

    /// Input and output capability that this computer declares.
    var capability: AgentCapability {
        if isInteractive { return .keyboardDisplay }
        return passkey == nil ? .noInputNoOutput : .keyboardOnly
    }

    var prompts: PairingPrompts {
        PairingPrompts(
            ask: { [self] question, answer in ask(question, answer) },
            show: { StandardStream.error.write("type this passkey at the device: \($0)") },
            withdraw: { StandardStream.error.write("(the question above has no meaning any more)") })
    }

    private func ask(_ question: PairingQuestion, _ answer: @escaping @Sendable (PairingAnswer) -> Void) {
        if let given = given(question) { return answer(given) }
        guard isInteractive else { return answer(.no) }
        // On a thread of its own: the pairing goes on, and may end, while the question is open.
        do throws(SystemCallError) {
            _ = try NamedThread("prompt") { answer(Self.typed(question)) }
        } catch {
            answer(.no)
        }
    }

    /// Returns the answer of the command line; nil for a question to the person.
    private func given(_ question: PairingQuestion) -> PairingAnswer? {
        switch question {
        // The command itself is the consent.
        case .mayPair: .yes
        case .passkey: passkey.map { UInt32($0).map(PairingAnswer.passkey) ?? .no }
        case .pinCode: passkey.map(PairingAnswer.pinCode)
        case .isShown(let shown): passkey.map { UInt32($0) == UInt32(shown) ? .yes : .no }
        }
    }

    private static func typed(_ question: PairingQuestion) -> PairingAnswer {
        switch question {
        case .passkey:
            Terminal.readAnswer(to: "passkey that the device shows or has on its label (nothing to stop):")
                .flatMap { UInt32($0) }.map(PairingAnswer.passkey) ?? .no
        case .pinCode:
            Terminal.readAnswer(to: "PIN of the device, from its label or manual (nothing to stop):")
                .flatMap { $0.isEmpty ? nil : .pinCode($0) } ?? .no
        case .isShown(let passkey): Terminal.confirms("does the device show \(passkey)?") ? .yes : .no
        case .mayPair: .yes
        }
    }
}
