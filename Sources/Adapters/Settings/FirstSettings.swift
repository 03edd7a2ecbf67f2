import SettingsReading

/// The settings file of a house without one, out of an installer's answers. It begins with values that pass every check, so
/// that a problem belongs to the answer that was set last.
public struct FirstSettings: Sendable {
    public enum Template: String, CaseIterable, Sendable {
        /// One person.
        case home
        /// Two persons.
        case couple
        /// A box at a race track, with one person of its crew.
        case trackside

        public var persons: Int { self == .couple ? 2 : 1 }
    }

    public struct Person: Sendable {
        public var id: String
        public var name: String
        public var birthYear: String?
        /// Number on a cuff or a scale that a couple shares.
        public var user = "1"
        public var hasAcceptedPolicy = false
        public var hasAcceptedSOS = false
        public var contact: (name: String, phone: String, relation: String)?
    }

    public let template: Template
    public var box = "house"
    public var address = "not known"
    public var coordinates: (latitude: String, longitude: String)?
    public var hasGPS = false
    public var language = "en"
    public var brokerHost = "broker.invalid"
    public var brokerPort = "8883"
    public var usesTLS = true
    public var caFile = "/etc/ssl/certs/ca-certificates.crt"
    public var userName: String?
    public var passwordFile: String?
    public var persons: [Person]
    /// Seconds in which an alarm can be cancelled. Above 2.5 the helpers are warned at 4.5 s.
    public var window = "30"

    public init(_ template: Template) {
        self.template = template
        persons = (1...template.persons).map {
            Person(id: "person-\($0)", name: "Person \($0)", user: "\($0)")
        }
    }

    /// As it is written to the disk.
    public var text: String {
        var lines = [
            "# Settings of HomeGateway. man gateway.toml describes each key; homegateway check finds mistakes.",
            "",
            "[gateway]", "id = \(literal(box))", "", "[installed]", "address = \(literal(address))",
        ]
        if let coordinates {
            lines += ["latitude = \(coordinates.latitude)", "longitude = \(coordinates.longitude)"]
        }
        lines += ["", "[gpsd]", "enabled = \(hasGPS)", "", "[broker]", "host = \(literal(brokerHost))"]
        lines += ["port = \(brokerPort)"]
        lines += usesTLS ? ["ca_file = \(literal(caFile))"] : ["tls = false"]
        if let userName { lines += ["username = \(literal(userName))"] }
        if let passwordFile { lines += ["password_file = \(literal(passwordFile))"] }
        for person in persons { lines += [""] + self.lines(of: person) }
        if template == .couple {
            lines += [
                "",
                "# A cuff or a scale that both use gets this line in its [[wearable]], so that each value has its person:",
                "# users = { \(users) }",
            ]
        }
        lines += ["", "[house]", "language = \(literal(language))"]
        if template == .trackside { lines += ["", "[race]", #"runs_directory = "/etc/homegateway/runs.d""#] }
        return lines.map { $0 + "\n" }.joined()
    }

    private var users: String {
        persons.map { "\($0.user) = \(literal($0.id))" }.joined(separator: ", ")
    }

    private func lines(of person: Person) -> [String] {
        func word(_ isAccepted: Bool) -> String { isAccepted ? #""accepted""# : #""not-accepted""# }
        var lines = ["[[person]]", "id = \(literal(person.id))", "name = \(literal(person.name))"]
        if let year = person.birthYear { lines += ["birth_year = \(year)"] }
        lines += [
            "language = \(literal(language))", "data_policy = \(word(person.hasAcceptedPolicy))",
            "automated_sos = \(word(person.hasAcceptedSOS))",
        ]
        if let contact = person.contact {
            lines += [
                "", "[[person.contact]]", "name = \(literal(contact.name))",
                "phone = \(literal(contact.phone))",
                "relation = \(literal(contact.relation))",
            ]
        }
        lines += ["", "[person.sos]", "abort_window_seconds = \(window)", #"carers = ["mqtt"]"#]
        if Double(window).map({ $0 > 2.5 }) ?? false { lines += ["early_notice = true"] }
        return lines
    }

    /// The answers for people, without a password.
    public var summary: [String] {
        let place = coordinates.map { ", \($0.latitude) \($0.longitude)" } ?? ", without coordinates"
        let security = usesTLS ? "encrypted, checked against \(caFile)" : "NOT ENCRYPTED"
        return [
            "Box:      \(box), language \(language)\(hasGPS ? ", with a GPS receiver" : "")",
            "Place:    \(address)\(place)", "Cancel:   within \(window) s",
        ]
            + persons.map { person in
                let year = person.birthYear.map { ", born \($0)" } ?? ""
                let help = person.hasAcceptedSOS ? "help is called" : "NOBODY IS CALLED"
                let data = person.hasAcceptedPolicy ? "readings are sent" : "nothing is sent"
                let contact =
                    person.contact.map { "; contact \($0.name) (\($0.relation)), \($0.phone)" }
                    ?? "; no contact"
                return "Person:   \(person.name) (\(person.id))\(year): \(help), \(data)\(contact)"
            }
            + (template == .couple ? ["Users:    \(users) on a cuff or a scale that both use"] : [])
            + ["Broker:   \(brokerHost):\(brokerPort)\(userName.map { " as \($0)" } ?? ""), \(security)"]
    }

    private func literal(_ text: String) -> String { TOMLValue.literal(text) }

    /// Each mistake in the file, with its key; empty where it passes every check.
    public var problems: [String] {
        do throws(SettingsError) {
            _ = try GatewaySettings.parse(Array(text.utf8), file: "the answers")
            // They stand in a comment until there is a device.
            let numbers = persons.compactMap { UInt8($0.user) }.filter { $0 < 255 }
            guard template == .couple, Set(numbers).count < persons.count else { return [] }
            return ["wearable.users: saw \(users), expected a number of its own for each, 0...254"]
        } catch {
            return error.problems(in: "the answers").map { "\($0.key): \($0.message)" }
        }
    }
}
