import Consent
import Contract
import GatewayModel
package import HouseAlarm
import Hub
import Logging
package import OutboxService
import RealTime
import Settings
import Synchronization
import Vault

/// Commands that widen limits: those that wait for an answer of the house, and the last answers. In memory, and as rows
/// of `state.sqlite`. From any thread; changed only by the service of commands, which does one thing at a time.
package final class LimitQuestions: Sendable {
    /// Number of questions that are kept, the answered ones included.
    static let kept = 256

    private let held: Mutex<[LimitQuestion]>
    private let core: GatewayCore

    /// Restores the questions of the last run. Blocking I/O.
    package init(_ core: GatewayCore) {
        var rows: [StateRow] = []
        do throws(DiskFailure) {
            rows = try core.database.rows(of: .limitQuestion)
        } catch {
            core.log.error(
                "the commands on limits that wait cannot be restored", metadata: ["reason": "\(error)"])
        }
        held = Mutex(rows.compactMap { $0.decoded() })
        self.core = core
    }

    var all: [LimitQuestion] { held.withLock { $0 } }

    /// Questions that wait for an answer, of persons of the house.
    package var waiting: [HouseQuestion] {
        let persons = Set(core.settings().persons.map(\.id))
        return all.filter { $0.answer == nil }.compactMap(\.spoken).filter { persons.contains($0.person) }
    }

    func waiting(about person: PersonID, _ kind: QuantityKind) -> LimitQuestion? {
        all.last { $0.answer == nil && $0.isAbout(person, kind) }
    }

    /// Number of the next question.
    var next: Int64 { (all.last?.number ?? 0) + 1 }

    /// Returns the rows that keep these questions in the place of earlier ones, and the questions after it.
    func keeping(_ changed: [LimitQuestion]) -> (rows: [StateChange], questions: [LimitQuestion]) {
        var questions = all.filter { known in !changed.contains { $0.number == known.number } } + changed
        questions.sort { $0.number < $1.number }
        var rows = changed.map(\.change)
        while questions.count > Self.kept, let index = questions.firstIndex(where: { $0.answer != nil }) {
            rows.append(.remove(.limitQuestion, key: StateChange.key(questions.remove(at: index).number)))
        }
        return (rows, questions)
    }

    /// Lets questions hold that are durable.
    func hold(_ questions: [LimitQuestion]) {
        held.withLock { $0 = questions }
    }

    /// Whether this name may answer for the person in the house.
    func mayAnswer(for person: PersonID, by name: String) -> Bool {
        core.gate.mayDecide(for: person, by: name, means: .commandLine)
    }
}
