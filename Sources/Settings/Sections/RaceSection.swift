/// `[race]`: the box at a checkpoint.
enum RaceSection {
    static let runsDirectory = Key(
        "runs_directory", .directoryPath, .standard("/etc/homegateway/runs.d"),
        "Where the run files lie, each named `….toml`; [docs/runs.md](runs.md) tells what stands in them. Without a run "
            + "nothing is timed.")

    static let section = Section(
        ["race"], "The box at a checkpoint of a race. It times the runs that there are, and needs no switch.",
        keys: [runsDirectory])

    static func read(_ reader: SectionReader) -> GatewaySettings.Race? {
        reader.value(runsDirectory).map { GatewaySettings.Race(runsDirectory: $0) }
    }
}
