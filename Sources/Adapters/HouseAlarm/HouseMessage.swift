public import GatewayModel
public import Phrases
public import SOSLocal

/// A message to the alarm in the house: handed over at the event, each once.
public enum HouseMessage: Hashable, Sendable {
    /// The machine's word, at first and at each repetition.
    case alarm(AlarmNotice)
    /// The call has come further; between two notices of the same alarm.
    case progress(Alarm)
    /// - Parameter isOneOfSeveral: another alarm of the person goes on: it sounds, or somebody has taken its call.
    case ended(AlarmNotice, AlarmEnding, isOneOfSeveral: Bool = false)
    /// A channel that was called could not be told yet that it is over.
    case notRetracted(PersonID)
    /// A button was pressed to say that all is well, after the call had arrived: those who have it are told, and the alarm
    /// goes on.
    case allRight(PersonID)
    /// The button was pressed, and it cannot tell which of these persons' alarms is to be cancelled: all go on.
    case whoseIsMeant([PersonID])
    /// Whether the rules see how the person is: a technical condition, never an alarm of the person.
    case supervision(PersonID, isPaused: Bool)
    /// Whether no way to call help for the person works.
    case helpReach(PersonID, isLost: Bool)
    /// A part of the settings is wrong and left out; or all of the newest are, and earlier ones are used.
    case settingsWrong(areEarlierUsed: Bool)
    /// The press test of an SOS button.
    case buttonTest(PersonID, ButtonTest)
    /// Until then the limits of exercise hold; nil: those at rest hold again.
    case exercise(PersonID, until: BootInstant?)
    /// `percent`: remaining charge, where the wearable tells it.
    case batteryLow(PersonID, percent: Int?)
    /// The battery of a wearable is no longer low.
    case batteryCharged(PersonID)
    /// Power supply of the box.
    case boxPower(BoxPower)
    /// The box's own button.
    case boxButton(works: Bool)
    /// The last drill was answered by nobody.
    case drillFailed(PersonID)
    /// A device was paired for the person, and shows the person's pages.
    case devicePaired(PersonID)
    /// Somebody outside asks, and a person in the house has to answer.
    case question(HouseQuestion)
}

/// Question from outside that waits for an answer of the house.
public struct HouseQuestion: Hashable, Sendable {
    public enum Matter: Hashable, Sendable {
        case request(Asked)
        /// An issuer of commands asks to move limits so that an alarm becomes less likely.
        case limits(IssuerID, QuantityKind, [Move])
    }

    /// Data that a third party asks for; no kinds if an account of TrackMe asks to be linked. `party` and `purpose` are
    /// its own words.
    public struct Asked: Hashable, Sendable {
        public let id: RequestID
        public let party: String
        public let kinds: Set<DataKind>
        /// Of the account.
        public let role: LinkRole
        /// Of the location.
        public let precision: LocationPrecision
        public let purpose: String

        public init(
            _ id: RequestID, party: String, kinds: Set<DataKind>, role: LinkRole = .looks,
            precision: LocationPrecision = .coarse, purpose: String
        ) {
            (self.id, self.party, self.kinds) = (id, party, kinds)
            (self.role, self.precision, self.purpose) = (role, precision, purpose)
        }
    }

    /// One limit, from its present figure to another.
    public struct Move: Hashable, Sendable {
        public let slot: LimitSlot
        public let from: Double
        public let to: Double

        public init(_ slot: LimitSlot, from: Double, to: Double) {
            (self.slot, self.from, self.to) = (slot, from, to)
        }
    }

    /// Distinguishes it from every other question, over restarts too.
    public let id: String
    public let person: PersonID
    public let matter: Matter

    public init(_ id: String, about person: PersonID, _ matter: Matter) {
        (self.id, self.person, self.matter) = (id, person, matter)
    }
}

/// News of the press test of an SOS button.
public enum ButtonTest: Hashable, Sendable {
    /// The wearer is asked for a press. `button` names it where the person has several.
    case due(button: String?)
    /// It was pressed.
    case passed
    /// The time of the test is over: a press calls for help again.
    case over
    /// It was not pressed in time.
    case missed
}

/// A person of the house, as the house speaks of and to them.
public struct HousePerson: Hashable, Sendable {
    /// As people call them; spoken aloud, never logged.
    public let name: String
    public let language: PersonProfile.Language

    public init(name: String, language: PersonProfile.Language) {
        self.name = name
        self.language = language
    }
}

/// An alarm that is open, as the house knows it.
struct OpenAlarm: Hashable, Sendable {
    private(set) var notice: AlarmNotice

    init(_ notice: AlarmNotice) {
        self.notice = notice
    }

    mutating func hear(_ notice: AlarmNotice) {
        self.notice = notice
    }

    mutating func hear(_ state: Alarm) {
        notice = AlarmNotice(state, repetition: notice.repetition)
    }
}
