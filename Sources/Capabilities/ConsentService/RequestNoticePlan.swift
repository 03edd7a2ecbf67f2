import GatewayModel
import HouseAlarm
import Vault

/// Plan of the words about questions that wait for an answer of the house: once at a decent hour, then reminders.
///
/// It stops when a question is answered or has expired. Nothing is said while the clock is not set: the hour is unknown
/// then. Pure: questions and the situation in, words and rows out.
struct RequestNoticePlan: Sendable {
    /// Pauses before the reminders: the first one a day after the first words, three in all.
    static let pauses: [Duration] = [.seconds(86_400), .seconds(3 * 86_400), .seconds(3 * 86_400)]

    /// Facts about the house at one instant.
    struct Situation: Sendable {
        let now: WallTime
        let isClockSet: Bool
        /// Those in the house may be spoken to.
        let isAwake: Bool
        let personsInAlarm: Set<PersonID>
    }

    /// Row of a question.
    struct Record: Codable, Hashable, Sendable {
        /// Number of times that the house was told.
        var told: Int
        /// Milliseconds since 1970.
        var last: Int64
    }

    enum Word: Hashable, Sendable {
        /// The question has arrived, at any hour.
        case arrived(HouseQuestion)
        case tell(HouseQuestion)
    }

    struct Outcome: Sendable {
        var words: [Word] = []
        /// Changes of `state.sqlite`.
        var rows: [StateChange] = []
    }

    private var records: [String: Record]

    /// - Parameter rows: those of the last run.
    init(_ rows: [StateRow] = []) {
        records = Dictionary(
            rows.compactMap { row in row.decoded(as: Record.self).map { (row.key, $0) } }
        ) { first, _ in first }
    }

    /// Judges the questions that wait; call about once a second.
    mutating func look(_ questions: [HouseQuestion], _ situation: Situation) -> Outcome {
        var outcome = Outcome()
        let waiting = Set(questions.map(\.id))
        for id in records.keys.sorted() where !waiting.contains(id) {
            records[id] = nil
            outcome.rows.append(.remove(.requestNotice, key: id))
        }
        for question in questions { judge(question, situation, &outcome) }
        return outcome
    }

    private mutating func judge(
        _ question: HouseQuestion, _ situation: Situation, _ outcome: inout Outcome
    ) {
        let now = situation.now.millisecondsSince1970
        var record = records[question.id] ?? Record(told: 0, last: now)
        if records[question.id] == nil { outcome.words.append(.arrived(question)) }
        // A time ahead of the clock was recorded under a wrong clock.
        record.last = min(record.last, now)
        if isDue(record, at: now), situation.isClockSet, situation.isAwake,
            !situation.personsInAlarm.contains(question.person)
        {
            record = Record(told: record.told + 1, last: now)
            outcome.words.append(.tell(question))
        }
        // A time that only moved back with the clock is not worth a write.
        if records[question.id]?.told != record.told {
            outcome.rows.append(.put(.requestNotice, question.id, record))
        }
        records[question.id] = record
    }

    private func isDue(_ record: Record, at now: Int64) -> Bool {
        guard record.told > 0 else { return true }
        guard record.told <= Self.pauses.count else { return false }
        return now - record.last >= Self.pauses[record.told - 1].wholeMilliseconds
    }
}
