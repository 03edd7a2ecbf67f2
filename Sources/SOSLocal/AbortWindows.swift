/// The time to cancel, from an alarm's confirmation until help is called, by the family of its cause.
public struct AbortWindows: Hashable, Sendable {
    private let windows: [AlarmCause.Family: Duration]
    /// For an alarm of medium priority: until the carers are told.
    public let warning: Duration

    public init(
        vitalSign: Duration, button: Duration? = nil, fall: Duration? = nil, shaking: Duration? = nil,
        drill: Duration? = nil, warning: Duration = AbortWindows.defaultWarning
    ) {
        windows = [
            .vitalSign: vitalSign, .button: button ?? vitalSign, .fall: fall ?? vitalSign,
            .shaking: shaking ?? vitalSign, .drill: drill ?? vitalSign,
        ]
        self.warning = warning
    }

    /// 30 s: nobody's life is at stake, and a carer called in vain comes slower the next time.
    public static let defaultWarning = Duration.seconds(30)

    /// For an alarm of high priority.
    public subscript(family: AlarmCause.Family) -> Duration { windows[family] ?? .zero }

    func window(for family: AlarmCause.Family, _ priority: AlarmPriority) -> Duration {
        priority == .high ? self[family] : warning
    }
}
