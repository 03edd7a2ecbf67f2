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

    /// Blocks. False where the input ended, or an answer was wrong too often.
    mutating func askAll() -> Bool {
        askHouse() && settings.persons.indices.allSatisfy { askPerson($0) } && askBroker()
    }

    private mutating func askHouse() -> Bool {
        let isTrack = settings.template == .trackside
        return ask("Name of this box at the broker: a-z, 0-9 and '-'", or: Self.hostName) { $0.box = $1 }
            && ask("Language of the house: en or it", or: "en") { $0.language = $1 }
            && ask(
                isTrack
                    ? "Place of the box, as an ambulance needs it" : "Postal address, as an ambulance needs it"
            ) { $0.address = $1 }
            && ask("Latitude and longitude in degrees, north and east positive, as 45.4661 9.1860", or: "") {
                $0.coordinates = $1.isEmpty ? nil : Self.coordinates($1)
            }
            && agree("Is a GPS receiver at the box (gpsd)?", by: isTrack) { $0.hasGPS = $1 }
            && ask(
                "Seconds in which an alarm can be cancelled before help is called. 2.5 for a button at hand; up to 60, "
                    + "where help is warned at 4.5 s", or: "30"
            ) { $0.window = $1 }
    }

    private mutating func askPerson(_ index: Int) -> Bool {
        let count = settings.persons.count
        let which = count == 1 ? "the person" : "person \(index + 1) of \(count)"
        guard ask("Full name of \(which)", { $0.persons[index].name = $1 }) else { return false }
        let name = settings.persons[index].name
        guard ask("Short name: a-z, 0-9 and '-'", or: Self.short(name), { $0.persons[index].id = $1 }),
            ask("Year of birth", or: "", { $0.persons[index].birthYear = $1.isEmpty ? nil : $1 }),
            askContact(index),
            agree(
                "Has \(name) accepted the data policy? Without it no reading leaves the house",
                { $0.persons[index].hasAcceptedPolicy = $1 })
        else { return false }
        guard settings.persons[index].hasAcceptedPolicy else { return true }
        return agree(
            "Has \(name) accepted AutomatedSOS? Without it an alarm sounds in the house, and nobody is called",
            { $0.persons[index].hasAcceptedSOS = $1 })
    }

    private mutating func askContact(_ index: Int) -> Bool {
        guard let name = answer("Name of somebody whom helpers may call [none]") else { return false }
        guard !name.isEmpty else { return true }
        // A number that passes the checks, until there is an answer.
        settings.persons[index].contact = (name, "+390212345678", "contact")
        return ask("Telephone of \(name), with + and the country code") {
            $0.persons[index].contact?.phone = $1
        }
            && ask("Relation, and what helpers should know", or: "family") {
                $0.persons[index].contact?.relation = $1
            }
    }

    private mutating func askBroker() -> Bool {
        guard ask("Host of the broker", { $0.brokerHost = $1 }),
            agree("Is the session with it encrypted (TLS)?", by: true, { $0.usesTLS = $1 }),
            ask("Port of the broker", or: settings.usesTLS ? "8883" : "1883", { $0.brokerPort = $1 }),
            !settings.usesTLS
                || ask(
                    "File with the certificates that it is checked against", or: settings.caFile,
                    { $0.caFile = $1 }),
            ask("User name at the broker", or: "", { $0.userName = $1.isEmpty ? nil : $1 })
        else { return false }
        guard settings.userName != nil else { return true }
        guard let typed = Terminal.readSecret(to: "Password at the broker [none]") else { return false }
        if !typed.isEmpty { (password, settings.passwordFile) = (typed, passwordFile) }
        return true
    }

    // MARK: One question

    /// Asks until the answer passes every check.
    ///
    /// - Parameter initial: taken for an empty answer; nil where there has to be one.
    private mutating func ask(
        _ question: String, or initial: String? = nil, _ set: (inout FirstSettings, String) -> Void
    ) -> Bool {
        let hint = initial.map { $0.isEmpty ? " [none]" : " [\($0)]" } ?? ""
        for _ in 0..<Self.mostTries {
            guard let typed = answer(question + hint) else { return false }
            guard !typed.isEmpty || initial != nil else {
                SettingsOption.complain("  saw nothing, expected an answer")
                continue
            }
            var next = settings
            set(&next, typed.isEmpty ? initial ?? "" : typed)
            let problems = next.problems
            guard !problems.isEmpty else {
                settings = next
                return true
            }
            for problem in problems { SettingsOption.complain("  \(problem)") }
        }
        return false
    }

    private mutating func agree(
        _ question: String, by isUsual: Bool = false, _ set: (inout FirstSettings, Bool) -> Void
    ) -> Bool {
        for _ in 0..<Self.mostTries {
            guard let typed = answer("\(question) [\(isUsual ? "Y/n" : "y/N")]")?.lowercased() else {
                return false
            }
            let isYes = ["y", "yes"].contains(typed)
            guard isYes || ["n", "no", ""].contains(typed) else {
                SettingsOption.complain("  saw \(typed), expected yes or no")
                continue
            }
            set(&settings, typed.isEmpty ? isUsual : isYes)
            return true
        }
        return false
    }

    private func answer(_ question: String) -> String? { Terminal.readAnswer(to: question) }

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
