internal import GatewayModel
internal import SOSLocal

/// `[person.sos]`: how an alarm of this person runs.
enum SOSSection {
    // At most what T2 leaves without any confirmation: 5.0 s less the reserve of 0.5 s.
    static let abortWindow = Key(
        "abort_window_seconds", .seconds(0.5...4.5), .standard(2.5),
        "From the alarm until help is called: the time to cancel.")
    static let repeatInterval = Key(
        "repeat_seconds", .wholeSeconds(10...300), .standard(30),
        "Help is called again this often until someone accepts.")
    static let rearmInterval = Key(
        "rearm_seconds", .wholeSeconds(60...3600), .standard(300),
        "After an alarm was ended while the value stayed beyond its limit: how long until the next.")

    static let section = Section(
        ["person", "sos"], "How an alarm of this person runs.",
        keys: [abortWindow, repeatInterval, rearmInterval], children: [HeartRateSection.section])

    /// The only way out of the house there is yet.
    static let channels = [ChannelID("mqtt")].compactMap(\.self)

    /// - Parameter person: nil where the id is wrong. The promise is checked all the same, on a plan that
    ///   goes no further: without an id the person is nil.
    static func read(_ reader: SectionReader, person: PersonID?) -> SOSPlan? {
        let abortWindow = reader.value(abortWindow)
        let repeatInterval = reader.value(repeatInterval)
        let rearmInterval = reader.value(rearmInterval)
        let heartRate = reader.child(HeartRateSection.section)
        let rules = HeartRateSection.read(heartRate)
        guard let abortWindow, let repeatInterval, let rearmInterval, let rules else { return nil }
        let plan = SOSPlan(
            person: person ?? PersonID(checked: ""), rules: rules,
            windows: AbortWindows(vitalSign: abortWindow),
            ways: WaysToHelp(channels: channels, repeatInterval: repeatInterval), rearmInterval: rearmInterval)
        PromiseCheck(sos: reader, heartRate: heartRate).check(plan)
        return plan
    }
}
