import ArgumentParser
import ControlContract
import GatewayModel
import Hub

/// `homegateway profile …`
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show and change the profile of a person: what helpers are told, and whom to call.",
        discussion: """
            The person changes it, or somebody who decides for the person (decided_by in
            the settings), named with --by. A value that is set here stands above the one
            in the settings file, survives a restart, and is in the next call for help.
            """,
        subcommands: [
            ProfileShow.self, ProfileSet.self, ProfileAddContact.self, ProfileRemoveContact.self,
            ProfileAddNote.self, ProfileRemoveNote.self,
        ])
}

/// Person and author of a change.
struct PersonOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The person, by the id in the settings.", valueName: "id"))
    var person: String

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption

    func change(
        _ make: @autoclosure () throws(ProfileFlaw) -> ProfileChange
    ) throws(ControlError) -> Verb.ChangeProfile {
        let change: ProfileChange
        do throws(ProfileFlaw) {
            change = try make()
        } catch {
            throw ControlError(error.text)
        }
        return try Verb.ChangeProfile(person: person, change, by: who.name)
    }
}

/// `homegateway profile show`
struct ProfileShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the profile of a person, and where each value comes from.")

    @Option(name: .long, help: ArgumentHelp("The person, by the id in the settings.", valueName: "id"))
    var person: String

    @OptionGroup var gateway: GatewayOption

    @OptionGroup var format: JSONOption

    func run() throws {
        try gateway.ask(Verb.Profile(try ControlField.person.id(person)), as: format)
    }
}

/// `homegateway profile set`
struct ProfileSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set values of a profile.",
        discussion: """
            --clear ITEM tells nobody a value that the settings have; --reset ITEM goes
            back to the settings. Items: name, birth-date, gender, height, telephone,
            fiscal-code, national-id; --reset takes notes and contacts, too.
            """)

    @Option(name: .long, help: "The name as people say it.")
    var name: String?

    @Option(name: .long, help: ArgumentHelp("1941-05-02, or the year alone.", valueName: "date"))
    var birthDate: String?

    @Option(name: .long, help: "female, male or other.")
    var gender: String?

    @Option(name: .long, help: ArgumentHelp("Height in centimetres.", valueName: "cm"))
    var height: String?

    @Option(
        name: .long, help: ArgumentHelp("The person's own phone, with the country code.", valueName: "number"))
    var telephone: String?

    @Option(name: .long, help: ArgumentHelp("Italian fiscal code.", valueName: "code"))
    var fiscalCode: String?

    @Option(name: .long, help: ArgumentHelp("Number in the register of another country.", valueName: "text"))
    var nationalID: String?

    @Option(name: .long, help: ArgumentHelp("Tell nobody this item.", valueName: "item"))
    var clear: [String] = []

    @Option(name: .long, help: ArgumentHelp("Use the value of the settings again.", valueName: "item"))
    var reset: [String] = []

    @OptionGroup var options: PersonOptions

    func run() throws {
        try options.gateway.ask(try request)
    }

    private var request: Verb.ChangeProfile {
        get throws(ControlError) {
            let given: [(ProfileItem, String?)] = [
                (.name, name), (.birthDate, birthDate), (.gender, gender), (.height, height),
                (.telephone, telephone), (.fiscalCode, fiscalCode), (.nationalID, nationalID),
            ]
            var values: [ProfileItem: String] = [:]
            for (item, text) in given { values[item] = text }
            let cleared = try clear.map { name throws(ControlError) in try item(name) }
            let reset = try reset.map { name throws(ControlError) in try item(name) }
            return try options.change(
                try ProfileChange(values: values, cleared: Set(cleared), reset: Set(reset)))
        }
    }

    private func item(_ name: String) throws(ControlError) -> ProfileItem {
        try ControlField.profileItem.value(name) { ProfileItem(rawValue: $0) }
    }
}

/// `homegateway profile add-contact`
struct ProfileAddContact: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-contact", abstract: "Add a contact, who is called after those there are.")

    @Option(name: .long, help: "The name of the contact.")
    var name: String

    @Option(name: .long, help: ArgumentHelp("With the country code: +390212345678.", valueName: "number"))
    var phone: String

    @Option(name: .long, help: ArgumentHelp("Daughter; neighbour with a key.", valueName: "text"))
    var relation: String?

    @Flag(help: "Texts the contact the news of the supervision, too.")
    var notices = false

    @OptionGroup var options: PersonOptions

    func run() throws {
        try options.gateway.ask(
            try options.change(
                try ProfileChange(addedContacts: [
                    PersonProfile.Contact(name: name, phone: phone, relation: relation, getsNotices: notices)
                ])))
    }
}

/// `homegateway profile remove-contact`
struct ProfileRemoveContact: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-contact", abstract: "Remove a contact, also one of the settings.")

    @Option(name: .long, help: ArgumentHelp("The phone of the contact.", valueName: "number"))
    var phone: String

    @OptionGroup var options: PersonOptions

    func run() throws {
        try options.gateway.ask(try options.change(try ProfileChange(removedContacts: [phone])))
    }
}

/// `homegateway profile add-note`
struct ProfileAddNote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-note",
        abstract: "Add an emergency note: an illness, a medicine, an allergy that helpers are to know.")

    @Argument(help: "The note, at most 200 characters.")
    var note: String

    @OptionGroup var options: PersonOptions

    func run() throws {
        try options.gateway.ask(try options.change(try ProfileChange(addedNotes: [note])))
    }
}

/// `homegateway profile remove-note`
struct ProfileRemoveNote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-note", abstract: "Remove an emergency note, also one of the settings.")

    @Argument(help: "The note, as 'profile show' shows it.")
    var note: String

    @OptionGroup var options: PersonOptions

    func run() throws {
        try options.gateway.ask(try options.change(try ProfileChange(removedNotes: [note])))
    }
}
