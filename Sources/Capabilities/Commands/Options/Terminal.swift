import ControlContract
import Glibc
import Hub

/// Questions to the person at the keyboard.
enum Terminal {
    /// Whether a person can read a question and type the answer.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks on standard error, so that standard output holds only the result of the command. Blocks.
    /// - Returns: the typed text without spaces around it; nil at the end of input.
    static func readAnswer(to question: String) -> String? {
        let bytes = Array((question + " ").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        guard let line = readLine() else { return nil }
        return String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// As `readAnswer`; what is typed at a terminal is not shown.
    static func readSecret(to question: String) -> String? {
        guard isInteractive else { return readAnswer(to: question) }
        return getpass(question + " ").map { String(cString: $0) }
    }

    /// Returns true only where the person typed yes.
    static func confirms(_ question: String) -> Bool {
        guard let answer = readAnswer(to: question + " [y/N]") else { return false }
        return ["y", "yes"].contains(answer.lowercased())
    }
}

extension Shown {
    /// Writes a line on standard output at once, also into a pipe: lines on standard error keep their order.
    static func line(_ text: String) {
        StandardStream.output.write(text)
    }
}
