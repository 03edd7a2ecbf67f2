import Glibc
import Hub

/// The person at the keyboard, where there is one.
enum Terminal {
    /// Someone can read the question and type the answer.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks on standard error, so that standard output stays what was asked for. Blocks.
    /// - Returns: what was typed, without spaces around it; nil at the end of input.
    static func ask(_ question: String) -> String? {
        let bytes = Array((question + " ").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        guard let line = readLine() else { return nil }
        return String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// Yes only where it was typed.
    static func confirms(_ question: String) -> Bool {
        guard let answer = ask(question + " [y/N]") else { return false }
        return ["y", "yes"].contains(answer.lowercased())
    }
}

extension Shown {
    /// On standard output at once, also into a pipe: what is said on standard error keeps its place between.
    static func line(_ text: String) {
        StandardStream.output.write(text)
    }
}
