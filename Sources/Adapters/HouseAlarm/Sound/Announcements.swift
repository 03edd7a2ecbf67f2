import Audio
import GatewayModel
import SOSLocal

/// Queue of sentences that are said once and belong to no open alarm.
struct Announcements: Hashable, Sendable {
    enum Matter: Hashable, Sendable {
        /// Failures of the call, and answers to a press.
        case alarm
        /// The end of an alarm of a person: a new alarm makes it wait no more.
        case over(PersonID)
        /// How far the call of an open alarm has come: before everything else, and only the newest.
        case progress(AlarmID)
        /// Of the newest state of one thing, an older one is not worth saying.
        case technical(PersonID, Thing)
        case settings
        /// Power supply of the box.
        case power
        case boxButton
        case question(String)

        enum Thing: Hashable, Sendable { case supervision, help, battery, button, drill, exercise, paired }

        var isTechnical: Bool {
            switch self {
            case .alarm, .over, .progress: false
            case .technical, .settings, .power, .boxButton, .question: true
            }
        }
        var isOver: Bool { if case .over = self { true } else { false } }
        var isProgress: Bool { if case .progress = self { true } else { false } }
        /// A newer one takes the place of an older one.
        fileprivate var isState: Bool { isTechnical || isProgress }
    }

    struct Announcement: Hashable, Sendable {
        let utterance: Utterance
        let matter: Matter
        /// Sounded once before the words.
        var tone: AlarmPriority?
    }

    /// More than a minute of talk; of more than that nobody keeps the beginning.
    static let bound = 12

    private var waiting: [Announcement] = []

    mutating func add(_ announcement: Announcement) {
        if announcement.matter.isState { waiting.removeAll { $0.matter == announcement.matter } }
        if waiting.count >= Self.bound {
            waiting.remove(at: waiting.firstIndex { $0.matter.isTechnical } ?? 0)
        }
        waiting.append(announcement)
    }

    /// Alarms first; technical sentences only where `withTechnical`.
    func first(withTechnical: Bool, where isReady: (Utterance) -> Bool) -> Announcement? {
        waiting.first { !$0.matter.isTechnical && isReady($0.utterance) }
            ?? (withTechnical
                ? waiting.first { $0.matter.isTechnical && ($0.tone != nil || isReady($0.utterance)) } : nil)
    }

    /// How far a call has come, where there is anything to say about it; before it the end of another alarm, which answers
    /// an act.
    func news(where isReady: (Utterance) -> Bool) -> Announcement? {
        let progress = waiting.first { $0.matter.isProgress && isReady($0.utterance) }
        return progress.map { news in waiting.first { $0.matter.isOver && isReady($0.utterance) } ?? news }
    }

    /// Nil where it waits no more.
    func matter(of utterance: Utterance) -> Matter? { waiting.first { $0.utterance == utterance }?.matter }

    func contains(_ matter: Matter) -> Bool { waiting.contains { $0.matter == matter } }

    mutating func remove(_ matter: Matter) {
        waiting.removeAll { $0.matter == matter }
    }

    mutating func toneSounded() {
        guard let index = waiting.firstIndex(where: { $0.tone != nil }) else { return }
        waiting[index].tone = nil
    }

    mutating func remove(_ utterance: Utterance) {
        waiting.removeAll { $0.utterance == utterance }
    }

    var utterances: [Utterance] { waiting.map(\.utterance) }

    /// Those about alarms: how a call goes on, how an alarm ended, and answers to presses.
    var answers: [Utterance] { waiting.filter { !$0.matter.isTechnical }.map(\.utterance) }
}
