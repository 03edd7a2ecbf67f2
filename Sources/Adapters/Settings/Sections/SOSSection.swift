internal import GatewayModel
internal import SOSLocal

/// `[person.sos]`: how an alarm of this person runs. Its keys; see `SOSSection+Read` for their rules.
enum SOSSection {
    // T2 leaves 4.5 s without any confirmation; more takes an early notice (T3), which the check asks for.
    private static let window = Form<Duration>.seconds(0.5...60)

    static let abortWindow = Key(
        "abort_window_seconds", window, .standard(2.5),
        "From the alarm until help is called: the time to cancel.")
    static let buttonWindow = Key(
        "button_window_seconds", window, .optional("`abort_window_seconds`"), "The same after an SOS button.")
    static let fallWindow = Key(
        "fall_window_seconds", window, .optional("`abort_window_seconds`"), "The same after a fall.")
    static let shakingWindow = Key(
        "shaking_window_seconds", window, .optional("`abort_window_seconds`"), "The same after shaking.")
    static let warningWindow = Key(
        "warning_window_seconds", .seconds(0.5...600), .standard(30),
        "From a warning until the carers are told.")
    static let earlyNotice = Key(
        "early_notice", .truth, .standard(false),
        "Whether help is told 4.5 s after the crossing that it may be needed, so that a window may be longer.")

    static let call = Key<CallOrder>(
        "call", .choice, .standard("in-order"),
        "Whether the channels are told one after the other, or all at once.")
    static let channels = Key(
        "channels", .channels(least: 1), .optional("`[\"mqtt\"]`"),
        "Who is called in an emergency, in this order.")
    static let carers = Key(
        "carers", .channels(least: 0), .optional("nobody"), "Who is told of a warning, in this order.")
    static let handoverLimit = Key(
        "handover_seconds", .wholeSeconds(1...60), .standard(2),
        "A call that no machine at the other end has acknowledged by then goes to the next channel too; in an emergency no later than 4.75 s after the crossing."
    )
    static let repeatInterval = Key(
        "repeat_seconds", .wholeSeconds(10...300), .standard(30),
        "Help is called again this often until someone accepts.")
    static let rearmInterval = Key(
        "rearm_seconds", .wholeSeconds(60...3600), .standard(300),
        "After an alarm was ended while the value stayed beyond its limit: how long until the next.")
    static let mayEnd = Key<Set<PersonAct.Means>>(
        "may_end", .choices(among: PersonAct.Means.allCases.filter(SOSPlan.everyMeans.contains)),
        .optional("all of them"), "By what an alarm can be cancelled or resolved.")

    static let section = Section(
        ["person", "sos"], "How an alarm of this person runs.",
        keys: [
            abortWindow, buttonWindow, fallWindow, shakingWindow, warningWindow, earlyNotice, call, channels,
            carers, handoverLimit, repeatInterval, rearmInterval, mayEnd,
        ],
        children: VitalSection.all.map(\.section)
            + [ExerciseSection.section, EarlyWarningSection.section, SilenceSection.section],
        cost: .grave(.person))

    enum CallOrder: String, CaseIterable, Sendable {
        case inOrder = "in-order"
        case sideBySide = "side-by-side"
    }

    /// The way out of the house that needs no section of its own.
    static let builtInChannels = [ChannelID.mqtt]
}
