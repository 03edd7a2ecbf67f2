import GatewayModel

/// Times by which doubtful values are judged (ADR 0067).
public enum DoubtfulValues {
    /// When the room is asked about a stream's doubtful value, counted from the crossing. An artefact of one to three
    /// values at 1 Hz is over by then and asks nobody; it stays below `Promise.noticeAfter`, so that the room hears before
    /// anybody outside.
    public static let askedAfter = Duration.seconds(4)
    /// A doubtful crossing of a stream is confirmed by this number of values after it that agree with it, within
    /// `agreementTime`. More than an artefact has, and few enough that a true jump at 1 Hz is confirmed after 5 s.
    static let agreement = 5
    static let agreementTime = Duration.seconds(10)
    /// Doubtful values back inside that clear a crossing which a better value had begun: as many as the default rules
    /// need to confirm one.
    static let clearing = 3
    /// How long the room has to answer before help is called with the certainty *possible*. The early notice is out by
    /// then; 60 s are time for two spoken questions and a walk to the button, and short against the hour in which a
    /// low saturation or a fast heart of a person at rest does harm.
    public static let answerLimit = Duration.seconds(60)
    /// The same for a single measurement, which has to be taken again: a minute of rest, as the guidelines for pressure at
    /// home ask for (AHA, ESH), then half a minute to two for the cuff, and as much to put it on again.
    public static let measuringLimit = Duration.seconds(300)

    /// How long a value of another sensor supports a doubtful one: a stream's for as long as values are compared, a
    /// single measurement's for as long as it could be taken again.
    static func supportTime(of sampling: Reading.Sampling) -> Duration {
        switch sampling {
        case .stream: agreementTime
        case .spot: measuringLimit
        }
    }

    static func answerLimit(of sampling: Reading.Sampling) -> Duration {
        switch sampling {
        case .stream: answerLimit
        case .spot: measuringLimit
        }
    }
}

/// How sure it is that an alarm has the cause that it states.
public enum AlarmCertainty: String, Hashable, Codable, Sendable {
    case observed
    /// The sensor doubts its values, or they contradict one another, and nobody has answered.
    case possible
}

/// A crossing by a value that is doubtful, and the values after it.
public struct DoubtedCrossing: Hashable, Codable, Sendable {
    public let crossing: Crossing
    /// When the room is asked; nil once it was.
    var asked: BootInstant?
    /// The newest value, of any doubt.
    var newest: Double
    /// Values after the crossing that agree with it, of the last `DoubtfulValues.agreementTime`.
    var agreed: [BootInstant] = []
    /// A value that nothing but a jump doubts was beyond the limit, the crossing itself or a later one.
    var hasAgreed: Bool
    /// Values in a row that nothing doubts, and when they confirm the crossing by their time.
    var sound = 0
    var soundEnd: BootInstant?
    /// Doubtful values back inside since the last that agreed.
    var inside = 0

    var deadline: BootInstant? { [asked, soundEnd].compactMap(\.self).min() }

    /// Returns whether the values now confirm the crossing.
    mutating func isConfirmed(by rule: LimitRule, isSound: Bool, at instant: BootInstant) -> Bool {
        hasAgreed = true
        inside = 0
        agreed.removeAll { $0.duration(to: instant) > DoubtfulValues.agreementTime }
        agreed.append(instant)
        if isSound {
            sound += 1
            soundEnd = soundEnd ?? instant.advanced(by: rule.confirmation.within)
        }
        // A warning waits for as long as its rule says all the same.
        let isOld = crossing.instant.duration(to: instant) >= rule.confirmation.within
        return sound >= rule.confirmation.readings || agreed.count >= DoubtfulValues.agreement && isOld
    }

    /// Returns whether a value back inside clears the crossing.
    mutating func isCleared(agrees: Bool) -> Bool {
        (sound, soundEnd) = (0, nil)
        inside += 1
        return agrees || !hasAgreed || inside >= DoubtfulValues.clearing
    }
}

extension Reading {
    /// Whether it is as good as a value that nothing doubts.
    func isSound(isSupported: Bool) -> Bool { isSupported || doubts.isEmpty }

    /// Whether it may agree with a doubtful crossing, or clear it: a jump is confirmed or refuted by the values that
    /// follow.
    func agrees(isSupported: Bool) -> Bool { isSupported || doubts.ofValue.isEmpty }
}
