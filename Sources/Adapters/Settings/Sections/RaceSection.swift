import SettingsReading

/// `[race]`: the box at a checkpoint.
enum RaceSection {
    static let runsDirectory = Key(
        "runs_directory", .directoryPath, .standard("/etc/homegateway/runs.d"),
        "Where the run files lie, each named `….toml`; [docs/organiser/runs.md](../organiser/runs.md) tells what stands in them. Without a run "
            + "nothing is timed.")

    static let adapters = Key(
        "adapters", .adapters(most: 4), .optional("one"),
        "The controllers that listen to adverts, where there are several: one at each side of the road. They stand "
            + "instead of `trackside_adapter`; each hears buttons and sensors as well.")

    // A tag of 1 s, the slowest of use, is heard 300 times in it from a runner at rest.
    static let silence = Key(
        "silent_after_minutes", .wholeNumber(1...1_440), .standard(10),
        "With a run underway and no tag heard for so long the box says that somebody should look at it.")

    static let carriedByCommand = Key(
        "carried_by_command", .truth, .standard(false),
        "Whether a signed command may say who carries this box, and so have its position told as a runner's. A run file "
            + "may always: it is written at the box.")

    static let section = Section(
        ["race"], "The box at a checkpoint of a race. It times the runs that there are, and needs no switch.",
        keys: [runsDirectory, adapters, silence, carriedByCommand], costs: [adapters.name: .elements])

    /// - Parameter trackside: the controller that the settings name for adverts elsewhere.
    static func read(_ reader: SectionReader, trackside: String?) -> GatewaySettings.Race? {
        let runsDirectory = reader.value(runsDirectory)
        let adapters = reader.value(adapters) ?? []
        let silence = reader.value(silence)
        let carriedByCommand = reader.value(carriedByCommand)
        if let trackside, !adapters.isEmpty {
            reader.report(
                "saw it beside bluetooth.trackside_adapter, expected one of them: write \"\(trackside)\" here "
                    + "and leave that out",
                Self.adapters.name)
        }
        guard let runsDirectory, let silence, let carriedByCommand else { return nil }
        return GatewaySettings.Race(
            runsDirectory: runsDirectory, adapters: adapters, silence: .seconds(silence * 60),
            carriedByCommand: carriedByCommand)
    }
}

extension GatewaySettings {
    /// Settings of the box for the timing of runs.
    public struct Race: Hashable, Sendable {
        /// Absolute. It need not exist: then no run is written there.
        public let runsDirectory: String
        /// `hci0`, or addresses in upper case: those that hear adverts. Empty where one is enough.
        public let adapters: [String]
        /// With a run underway and no tag heard for so long somebody should look.
        public let silence: Duration
        /// A signed command may name the carrier of this box.
        public let carriedByCommand: Bool
    }

    /// The controllers that listen to adverts, one at least; nil for any.
    public var listeners: [String?] {
        race.adapters.isEmpty ? [bluetooth.tracksideAdapter ?? bluetooth.adapter] : race.adapters
    }
}
