public import GatewayModel
public import SettingsReading

/// `[broker]`: the session with the TrackMe broker.
enum BrokerSection {
    static let access = BrokerAccess.Keys(owner: "gateway", account: "homegateway")

    static let readings = Key<ReadingFormat>(
        "readings", .choice, .standard(.string(ReadingFormat.samples.rawValue)),
        "In which form readings are sent: the contract's own, or FHIR R4 Observations; see [docs/integrator/fhir.md](../integrator/fhir.md)."
    )

    // 0: each reading leaves by itself. Beyond 10 s nobody would call a reading live.
    private static let gathering = Key(
        "gather_milliseconds", .wholeNumber(0...10_000), .standard(1_000),
        "Readings of a person that arrive within it leave in one message; 0 sends each by itself. Alarms, and readings "
            + "near a limit or during an alarm, do not wait; see [docs/contract](../contract/README.md#gathered-readings)."
    )

    static let unsignedAcceptances = Key(
        "unsigned_acceptances", .truth, .standard(false),
        "Whether an acceptance without a signature counts. `true` lets everybody who may publish at the broker end "
            + "the calling for help; see [docs/integrator/commands.md](../integrator/commands.md#an-acceptance)."
    )

    static let name = Key(
        "name", .text(1...64), .optional("\"the help desk\""),
        "The recipient of calls for help over the broker, as voice and screens name it in a sentence: \"the desk in Milan\"."
    )

    static let section = Section(
        ["broker"], isRequired: true, "The session with the TrackMe broker.",
        keys: access.all + [readings, gathering, unsignedAcceptances, name],
        refused: access.refused,
        // Without it nothing leaves; by a part of it the session might lose its protection.
        cost: .grave(.entry),
        costs: [
            access.hosts.name: .elements, access.keepAlive.name: .key, access.sessionExpiry.name: .key,
            readings.name: .key,
            gathering.name: .key, name.name: .key,
        ])

    static func read(_ reader: SectionReader) -> GatewaySettings.Broker? {
        let access = access.read(reader)
        let readings = reader.value(readings)
        let gathering = reader.value(gathering)
        let unsigned = reader.value(unsignedAcceptances)
        let name = reader.value(name)
        guard let access, let readings, let gathering, let unsigned else { return nil }
        return GatewaySettings.Broker(
            access: access, readings: readings, gathering: .milliseconds(gathering),
            takesUnsignedAcceptances: unsigned, name: name)
    }
}

extension GatewaySettings {
    /// The session with the TrackMe broker, and its messages.
    public struct Broker: Hashable, Sendable {
        public let access: BrokerAccess
        /// In which form readings are sent to it.
        public let readings: ReadingFormat
        /// How long readings of one person wait for each other, to leave in one message; zero: they do not.
        public var gathering = Duration.zero
        /// Whether an acceptance without a signature ends the calling for help.
        public var takesUnsignedAcceptances = false
        /// Name of the recipient of calls for help, for people; nil where the settings give none.
        public var name: String?

        /// The section could not be used.
        static let setAside = Broker(access: .setAside, readings: .samples)
    }
}
