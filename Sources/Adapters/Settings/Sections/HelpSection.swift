public import GatewayModel
import SettingsReading

/// `[sos]`: the ways to help, for all persons.
enum HelpSection {
    // A week: a contract, card or server that was taken away is noticed before the month is over.
    static let channelTests = Key(
        "test_channels_hours", .wholeNumber(1...168), .standard(24),
        "How often each way to help is tried by itself, without troubling anybody.")

    // A battery that fails is noticed within the week.
    static let buttonTests = Key(
        "test_buttons_days", .wholeNumber(0...365), .standard(7),
        "After so many days without a press the wearer of an SOS button is asked to press it; 0 never asks. A press "
            + "within two minutes after the request is a test, and calls no help.")

    // A shower with the strap off is over within two minutes.
    static let noticesAfter = Key(
        "notice_after_seconds", .wholeSeconds(5...3600), .standard(120),
        "How long a trouble of the supervision lasts before carers and contacts are told of it, and how long it is "
            + "over before they are told that.")

    static let section = Section(
        ["sos"], "The ways to help, whoever is helped.", keys: [channelTests, buttonTests, noticesAfter],
        children: [DrillSection.section])

    static func read(_ reader: SectionReader) -> GatewaySettings.SOS? {
        let hours = reader.value(channelTests)
        let drill = DrillSection.read(reader.child(DrillSection.section))
        let days = reader.value(buttonTests)
        let noticesAfter = reader.value(noticesAfter)
        guard let hours, let days, let noticesAfter else { return nil }
        return GatewaySettings.SOS(
            channelTests: .seconds(hours * 3_600), buttonTests: days == 0 ? nil : .seconds(days * 86_400),
            noticesAfter: noticesAfter, drill: drill)
    }
}

/// `[sos.drill]`: drills that the house holds by itself.
enum DrillSection {
    static let everyDays = Key(
        "every_days", .wholeNumber(1...365), .optional("no drill by itself"),
        "Every so many days a drill calls help for each person who accepted AutomatedSOS, marked as a drill.")
    static let at = Key("at", .dayTime, .standard("11:00"), "At this local time.")

    static let section = Section(
        ["sos", "drill"],
        "Drills that the house holds by itself. Agree with those who take the calls first.",
        keys: [everyDays, at], cost: .entry)

    /// Nil where none is held.
    static func read(_ reader: SectionReader) -> GatewaySettings.DrillPlan? {
        let days = reader.value(everyDays)
        guard let time = reader.value(at), let days else { return nil }
        return GatewaySettings.DrillPlan(everyDays: days, at: time)
    }
}

extension GatewaySettings {
    /// Hours in which less urgent sentences may be spoken; over midnight where it ends before it begins.
    public struct WakingHours: Hashable, Sendable {
        public let begin: DayTime
        public let end: DayTime

        public init(begin: DayTime, end: DayTime) {
            self.begin = begin
            self.end = end
        }

        public func contains(_ time: DayTime) -> Bool {
            begin <= end ? begin <= time && time < end : begin <= time || time < end
        }
    }

    /// The ways to help, for all persons.
    public struct SOS: Hashable, Sendable {
        /// Between two tests of each channel.
        public let channelTests: Duration
        /// Time without a press after which the wearer of an SOS button is asked for one; nil for no test.
        public let buttonTests: Duration?
        /// Time for which a trouble of the supervision lasts before it is told outside, and is over before that is.
        public let noticesAfter: Duration
        /// Nil where no drill is held by itself.
        public let drill: DrillPlan?
    }

    /// Drills that the house holds by itself.
    public struct DrillPlan: Hashable, Sendable {
        public let everyDays: Int
        public let at: DayTime

        public init(everyDays: Int, at: DayTime) {
            self.everyDays = everyDays
            self.at = at
        }
    }
}
