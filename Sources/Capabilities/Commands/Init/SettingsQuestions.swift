import ControlContract
import Glibc
import Settings

/// The questions of `homegateway init`, in their order.
struct SettingsQuestions {
    /// Wrong answers to one question. A program that answers would go on for ever.
    private static let mostTries = 20

    private(set) var settings: FirstSettings
    /// Password for the broker; nil for none.
    private(set) var password: String?
    let passwordFile: String

    init(_ settings: FirstSettings, passwordFile: String) {
        (self.settings, self.passwordFile) = (settings, passwordFile)
    }

    /// Result of one question.
    private enum Outcome {
        case answered
        /// It is not asked: an earlier answer has settled it.
        case skipped
        /// The question before is to be asked again.
        case back
        /// The input ended, an answer was wrong too often, or nothing is to be written.
        case ended
    }

    private typealias Step = @Sendable (inout SettingsQuestions) -> Outcome

    /// Answers as they were typed, by question: the value to begin with when a question is asked again.
    private var typed: [String: String] = [:]

    /// Blocks. False where nothing is to be written: the input ended, an answer was wrong too often, or the summary was
    /// refused.
    mutating func askAll() -> Bool {
        Shown.line("An empty answer takes the value in brackets; < goes back to the question before.")
        var steps = Self.house
        for index in settings.persons.indices { steps += Self.person(index) }
        steps += Self.broker
        steps.append { $0.confirm() }
        var asked: [Int] = []
        var next = 0
        while next < steps.count {
            switch steps[next](&self) {
            case .answered:
                asked.append(next)
                next += 1
            case .skipped: next += 1
            case .back:
                if asked.isEmpty { SettingsOption.complain("  this is the first question") }
                next = asked.popLast() ?? next
            case .ended: return false
            }
        }
        return true
    }

    // MARK: The questions

    private static let house: [Step] = [
        { $0.ask("Name of this box at the broker: a-z, 0-9 and '-'", or: hostName) { $0.box = $1 } },
        { $0.ask("Language of the house: en or it", or: "en") { $0.language = $1 } },
        {
            $0.ask(
                $0.isTrack
                    ? "Place of the box, as an ambulance needs it" : "Postal address, as an ambulance needs it"
            ) { $0.address = $1 }
        },
        {
            $0.ask("Latitude and longitude in degrees, north and east positive, as 45.4661 9.1860", or: "") {
                $0.coordinates = $1.isEmpty ? nil : coordinates($1)
            }
        },
        { $0.agree("Is a GPS receiver at the box (gpsd)?", by: $0.isTrack) { $0.hasGPS = $1 } },
        {
            $0.ask(
                "Seconds in which an alarm can be cancelled before help is called. 2.5 for a button at hand; up to 60, "
                    + "where help is warned at 4.5 s", or: "30"
            ) { $0.window = $1 }
        },
    ]

    private static func person(_ index: Int) -> [Step] {
        [
            { questions in
                let count = questions.settings.persons.count
                let which = count == 1 ? "the person" : "person \(index + 1) of \(count)"
                return questions.ask("Full name of \(which)") { $0.persons[index].name = $1 }
            },
            {
                $0.ask("Short name of \($0.name(index)): a-z, 0-9 and '-'", or: short($0.name(index))) {
                    $0.persons[index].id = $1
                }
            },
            {
                $0.ask("Year of birth of \($0.name(index))", or: "") {
                    $0.persons[index].birthYear = $1.isEmpty ? nil : $1
                }
            },
            {
                $0.ask("Name of somebody whom helpers of \($0.name(index)) may call", or: "") {
                    // A number that passes the checks, until there is an answer.
                    $0.persons[index].contact = $1.isEmpty ? nil : ($1, "+390212345678", "contact")
                }
            },
            { questions in
                guard let contact = questions.settings.persons[index].contact else { return .skipped }
                return questions.ask("Telephone of \(contact.name), with + and the country code") {
                    $0.persons[index].contact?.phone = $1
                }
            },
            { questions in
                guard let contact = questions.settings.persons[index].contact else { return .skipped }
                return questions.ask("Relation of \(contact.name), and what helpers should know", or: "family")
                {
                    $0.persons[index].contact?.relation = $1
                }
            },
            {
                $0.agree(
                    "Has \($0.name(index)) accepted the data policy? Without it no reading leaves the house",
                    { $0.persons[index].hasAcceptedPolicy = $1 })
            },
            { questions in
                guard questions.settings.persons[index].hasAcceptedPolicy else {
                    questions.settings.persons[index].hasAcceptedSOS = false
                    return .skipped
                }
                return questions.agree(
                    "Has \(questions.name(index)) accepted AutomatedSOS? Without it an alarm sounds in the house, and nobody "
                        + "is called",
                    { $0.persons[index].hasAcceptedSOS = $1 })
            },
            { questions in
                guard questions.settings.template == .couple else { return .skipped }
                return questions.ask(
                    "Number of \(questions.name(index)) on a cuff or a scale that both use",
                    or: questions.settings.persons[index].user
                ) { $0.persons[index].user = $1 }
            },
        ]
    }

    private static let broker: [Step] = [
        { $0.ask("Host of the broker", { $0.brokerHost = $1 }) },
        { $0.agree("Is the session with it encrypted (TLS)?", by: true, { $0.usesTLS = $1 }) },
        { $0.ask("Port of the broker", or: $0.settings.usesTLS ? "8883" : "1883", { $0.brokerPort = $1 }) },
        {
            $0.settings.usesTLS
                ? $0.ask(
                    "File with the certificates that it is checked against", or: $0.settings.caFile,
                    { $0.caFile = $1 })
                : .skipped
        },
        {
            $0.ask("User name at the broker", or: "") {
                // The password is asked for next; without a name there is none.
                ($0.userName, $0.passwordFile) = ($1.isEmpty ? nil : $1, nil)
            }
        },
        { $0.askPassword() },
    ]

    private mutating func askPassword() -> Outcome {
        (password, settings.passwordFile) = (nil, nil)
        guard settings.userName != nil else { return .skipped }
        guard let typed = Terminal.readSecret(to: "Password at the broker [none]") else { return .ended }
        if typed == Self.back { return .back }
        if !typed.isEmpty { (password, settings.passwordFile) = (typed, passwordFile) }
        return .answered
    }

    /// Shows the answers, and asks whether they are to be written.
    private mutating func confirm() -> Outcome {
        Shown.line("")
        for line in settings.summary { Shown.line(line) }
        var isRight = false
        let outcome = agree("Write these settings?", by: true) { _, isYes in isRight = isYes }
        if case .answered = outcome, !isRight { return .ended }
        return outcome
    }

    private var isTrack: Bool { settings.template == .trackside }
    private func name(_ index: Int) -> String { settings.persons[index].name }

    // MARK: One question

    private static let back = "<"

    /// Asks until the answer passes every check.
    ///
    /// - Parameter initial: taken for an empty answer; nil where there has to be one.
    private mutating func ask(
        _ question: String, or initial: String? = nil, _ set: (inout FirstSettings, String) -> Void
    ) -> Outcome {
        let initial = typed[question] ?? initial
        let hint = initial.map { $0.isEmpty ? " [none]" : " [\($0)]" } ?? ""
        for _ in 0..<Self.mostTries {
            guard let answer = Terminal.readAnswer(to: question + hint) else { return .ended }
            if answer == Self.back { return .back }
            guard !answer.isEmpty || initial != nil else {
                SettingsOption.complain("  saw nothing, expected an answer")
                continue
            }
            guard !["y", "yes", "n", "no"].contains(answer.lowercased()) else {
                SettingsOption.complain("  saw \(answer), expected a text: this is no question of yes and no")
                continue
            }
            let text = answer.isEmpty ? initial ?? "" : answer
            var next = settings
            set(&next, text)
            let problems = next.problems
            guard !problems.isEmpty else {
                settings = next
                if !answer.isEmpty { typed[question] = answer }
                return .answered
            }
            for problem in problems { SettingsOption.complain("  \(problem)") }
        }
        return .ended
    }

    private mutating func agree(
        _ question: String, by isUsual: Bool = false, _ set: (inout FirstSettings, Bool) -> Void
    ) -> Outcome {
        let isUsual = typed[question].map { $0 == "yes" } ?? isUsual
        for _ in 0..<Self.mostTries {
            guard let answer = Terminal.readAnswer(to: "\(question) [\(isUsual ? "Y/n" : "y/N")]")?.lowercased()
            else { return .ended }
            if answer == Self.back { return .back }
            let isYes = ["y", "yes"].contains(answer)
            guard isYes || ["n", "no", ""].contains(answer) else {
                SettingsOption.complain("  saw \(answer), expected yes or no")
                continue
            }
            let isAgreed = answer.isEmpty ? isUsual : isYes
            set(&settings, isAgreed)
            typed[question] = isAgreed ? "yes" : "no"
            return .answered
        }
        return .ended
    }

    // MARK: Values to begin with

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "house" }
        return short(String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// The first word of a text as a short name.
    private static func short(_ text: String) -> String {
        let word = text.lowercased().prefix { $0 != " " }.filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
        }
        let name = String(word.drop { $0 == "-" }.prefix(32))
        return name.isEmpty ? "house" : name
    }

    /// As they stand in the file; a text without two parts fails its check there.
    private static func coordinates(_ text: String) -> (String, String) {
        let parts = text.split { $0 == " " || $0 == "," || $0 == ";" }.map(String.init)
        guard parts.count == 2, parts.allSatisfy({ Double($0)?.isFinite == true }) else {
            return ("\"\"", "\"\"")
        }
        return (parts[0], parts[1])
    }
}
