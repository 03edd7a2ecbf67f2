public import GatewayModel
public import SOSLocal

/// What the house is told: handed over as it happens, each once.
public enum HouseMessage: Hashable, Sendable {
    /// The machine's word, at first and at each repetition.
    case alarm(AlarmNotice)
    /// The call has come further; between two notices of the same alarm.
    case progress(AlarmID, HelpProgress)
    case ended(AlarmNotice, AlarmEnding)
    /// Nobody is called: the person has not accepted the terms.
    case nobodyCalled(PersonID, isDrill: Bool)
    /// A channel that was called could not be told yet that it is over.
    case notRetracted(PersonID)
    /// The button was pressed, and it cannot tell whose of these persons' alarms is to be cancelled: all go on.
    case whoseIsMeant([PersonID])
    /// Whether the rules see how the person is: a technical condition, never an alarm of the person.
    case supervision(PersonID, isPaused: Bool)
    /// A part of the settings is wrong and left out; or all of the newest are, and earlier ones are used.
    case settingsWrong(areEarlierUsed: Bool)
    /// `percent` is what is left, where the wearable tells.
    case batteryLow(PersonID, percent: Int?)
}

/// How far the call for help has come.
public enum HelpProgress: Hashable, Sendable {
    /// Help knows that it may be needed; the window to cancel still runs.
    case noticeGiven
    case called
    /// A machine at the other end has it; nobody has answered yet.
    case arrived
    /// No machine at any other end has it. The channels are tried on and on.
    case notReached
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
