public import Consent
import FoundationEssentials
import GatewayModel

/// The decisions taken by command, kept over restarts: one JSON object a line, only ever appended to.
///
/// They come after what the settings say: a withdrawal must not be undone by a crash, nor by a settings
/// file that was written before it.
public struct ConsentJournal: Sendable {
    private struct Line: Codable {
        var person: String
        var subject: String
        var verdict: String
        var by: String
        var means: String
        var at: Int64
    }

    public let path: String

    /// - Parameter path: absolute.
    public init(path: String) {
        self.path = path
    }

    /// Durable when it returns.
    public func append(_ decisions: [ConsentDecision]) throws(DiskFailure) {
        let lines = decisions.flatMap { decision -> [UInt8] in
            guard case .policy(let subject, let verdict) = decision.act else { return [] }
            let line = Line(
                person: decision.person.text, subject: subject.rawValue, verdict: verdict.rawValue,
                by: decision.by, means: decision.means.rawValue,
                at: decision.at.millisecondsSince1970)
            // Strings and a number always encode.
            return [UInt8]((try? JSONEncoder().encode(line)) ?? Data()) + [UInt8(ascii: "\n")]
        }
        // It begins with a line break: after a torn last line the first new one must not be lost with it.
        try DurableFile.append([UInt8(ascii: "\n")] + lines, to: path)
    }

    /// In the order taken, and how many lines could not be read.
    public func load() throws(DiskFailure) -> (decisions: [ConsentDecision], unreadable: Int) {
        let lines = try (DurableFile.read(path) ?? []).split(separator: UInt8(ascii: "\n"))
        let decisions = lines.compactMap { Self.decision($0) }
        return (decisions, lines.count - decisions.count)
    }

    private static func decision(_ line: some Collection<UInt8>) -> ConsentDecision? {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)),
            let person = PersonID(line.person), let subject = ConsentSubject(rawValue: line.subject),
            let verdict = ConsentDecision.Verdict(rawValue: line.verdict),
            let means = ConsentMeans(rawValue: line.means)
        else { return nil }
        return ConsentDecision(
            person: person, subject: subject, verdict: verdict, by: line.by, means: means,
            at: WallTime(millisecondsSince1970: line.at))
    }
}
