public import Consent
import GatewayModel
import JSONReading

/// The decisions of versions before the ledger: one JSON object a line. Read once, into a ledger that begins.
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

    /// - Parameter directory: absolute.
    public init(in directory: String) {
        path = directory + "/consent.jsonl"
    }

    /// In the order taken, and how many lines could not be read.
    public func load() throws(DiskFailure) -> (decisions: [ConsentDecision], unreadable: Int) {
        let lines = try (DurableFile.read(path) ?? []).split(separator: UInt8(ascii: "\n"))
        let decisions = lines.compactMap { Self.decision($0) }
        return (decisions, lines.count - decisions.count)
    }

    /// Under another name: the ledger has it.
    public func setAside() throws(DiskFailure) {
        guard try DurableFile.exists(path) else { return }
        try DurableFile.move(path, to: path + ".imported")
    }

    private static func decision(_ line: some Collection<UInt8>) -> ConsentDecision? {
        guard let line = try? JSONReader.decode(Line.self, from: line, limit: DurableFile.largestLine),
            let person = PersonID(line.person), let subject = ConsentSubject(rawValue: line.subject),
            let verdict = ConsentDecision.Verdict(rawValue: line.verdict),
            let means = ConsentMeans(rawValue: line.means)
        else { return nil }
        return ConsentDecision(
            person: person, subject: subject, verdict: verdict, by: line.by, means: means,
            at: WallTime(millisecondsSince1970: line.at))
    }
}
