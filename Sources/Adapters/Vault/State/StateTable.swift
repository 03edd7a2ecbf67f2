import JSONReading

/// A table of `state.sqlite`. Each has the same columns: a key, the content, and a checksum of both.
public enum StateTable: String, CaseIterable, Hashable, Sendable {
    /// Course of each alarm, by its ID.
    case alarmRecord = "alarm_record"
    /// Counters of each wearable that broadcasts, by its ID.
    case broadcaster
    /// Life signs and tests of each SOS button and broadcaster, by its ID.
    case sosButton = "sos_button"
    /// Marks of the stored records that were published, by wearable.
    case seenRecord = "seen_record"
    /// Kinds of reading and events that each wearable has shown, by its ID.
    case wearableAbility = "wearable_ability"
    /// Values that were set by command in the place of those in the settings.
    case commandedSetting = "commanded_setting"
    /// Values that a person has set in the place of those in the settings, by the person's ID.
    case personChoice = "person_choice"
    /// Commands that were taken, with their outcomes, by their number.
    case command
    /// Commands that were acknowledged to the broker and are not done, by their number.
    case waitingCommand = "waiting_command"
    /// Highest number (`seq`) that was taken of each issuer.
    case commandSequence = "command_sequence"
    /// Keys that issuers have rotated to, by the thumbprint of the key in the settings.
    case successorKey = "successor_key"
    /// Time since which every command is remembered. True of a database from which nothing was ever lost; a damage
    /// empties this table.
    case commandMemory = "command_memory"
    /// Receipts of commands that the outbox may not have yet, by message ID.
    case receipt
    /// Matters that people outside were told of, by person and matter.
    case notice
    /// How often the house was told of each question that waits for an answer, by the question.
    case requestNotice = "request_notice"
    /// Last entry of the ledger whose decision was reported to the cloud; one row.
    case answerReceipt = "answer_receipt"
    /// Commands that widen limits and their answers, by their number.
    case limitQuestion = "limit_question"
    /// Last message about each profile item that a third party may see, by grant and item.
    case profileShare = "profile_share"
    /// News of runners that were told, by run.
    case runnerNews = "runner_news"
    /// Last correction of race results that was sent, by run.
    case sentCorrection = "sent_correction"
    /// Emergency disclosures to channels of help, by alarm, kind and channel.
    case disclosure
}

/// A row of a table of `state.sqlite`.
public struct StateRow: Hashable, Sendable {
    public let key: String
    public let content: [UInt8]

    public init(key: String, content: [UInt8]) {
        (self.key, self.content) = (key, content)
    }

    /// The content, read as JSON; nil where it is something else.
    public func decoded<Content: Decodable>(as _: Content.Type = Content.self) -> Content? {
        try? JSONReader.decode(Content.self, from: content, limit: DurableFile.largestLine)
    }
}

/// One change of `state.sqlite`.
public enum StateChange: Hashable, Sendable {
    /// Inserts a row, or replaces the one of the same key.
    case put(StateTable, StateRow)
    case remove(StateTable, key: String)
    /// Removes all rows of a table.
    case clear(StateTable)
    /// Removes all rows but those with the highest keys.
    case trim(StateTable, to: Int)

    /// Puts a value as JSON.
    ///
    /// - Parameter value: made of texts, numbers and truth values, which always encode.
    public static func put(_ table: StateTable, _ key: String, _ value: some Encodable) -> StateChange {
        .put(table, StateRow(key: key, content: JSONLine.bytes(value)))
    }

    /// Key of a row that is known by a number: it sorts as the number does.
    public static func key(_ number: Int64) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits
    }

    /// Whether `later` makes this change void.
    fileprivate func isReplaced(by later: StateChange) -> Bool {
        switch (self, later) {
        case (.put(let table, let row), .put(let other, let newer)): table == other && row.key == newer.key
        case (.put(let table, let row), .remove(let other, let key)): table == other && row.key == key
        case (.remove(let table, let key), .put(let other, let newer)): table == other && key == newer.key
        case (.remove(let table, let key), .remove(let other, let same)): table == other && key == same
        case (.put(let table, _), .clear(let other)), (.remove(let table, _), .clear(let other)),
            (.clear(let table), .clear(let other)), (.trim(let table, _), .clear(let other)):
            table == other
        case (.trim(let table, _), .trim(let other, _)): table == other
        case (.clear, _), (.trim, _), (_, .trim): false
        }
    }
}

extension [StateChange] {
    /// Adds a change behind the others, and removes those that it makes void.
    public mutating func add(_ change: StateChange) {
        removeAll { $0.isReplaced(by: change) }
        append(change)
    }
}
