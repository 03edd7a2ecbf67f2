internal import GatewayModel

/// What commands have made of the runs, and whom their files enrol: what has to outlive a restart. Holds no key.
public struct CommandedRuns: Hashable, Codable, Sendable {
    /// What lies over one run of a file, or is all of a run that has none.
    struct Layer: Hashable, Codable, Sendable {
        /// Nil where no command says what the run is.
        var outline: RunOutline?
        /// What the file said when the command came; nil where there was no file.
        var insteadOf: RunOutline?
        var isCancelled = false
        /// By bib.
        var enrolled: [Int: Entrant] = [:]
        var left: Set<Bib> = []
        /// When the last command for it came.
        var touched: WallTime

        /// - Parameters:
        ///   - file: nil where there is none for this run.
        ///   - box: of which the file alone says who carries it.
        func plan(_ id: RunID, over file: RunPlan?, keeping box: GatewayID?) -> RunPlan? {
            guard let outline = outline(over: file?.outline) else { return nil }
            let filed = Dictionary((file?.entrants ?? []).map { ($0.bib, $0) }) { first, _ in first }
            let kept = (file?.entrants ?? []).filter { enrolled[$0.bib.number] == nil }
            let added = enrolled.values.map { entrant in
                let file = filed[entrant.bib]
                let isTold = entrant.carries == nil || entrant.carries != box
                return entrant.being(file?.person, carrying: isTold ? entrant.carries : file?.carries)
            }
            return RunPlan(
                id: id, outline: outline,
                entrants: (kept + added).filter { !left.contains($0.bib) }.sorted { $0.bib < $1.bib })
        }

        /// What a command said holds until somebody writes something else into the file.
        func outline(over file: RunOutline?) -> RunOutline? {
            guard let file else { return insteadOf == nil ? outline : nil }
            return insteadOf == file ? outline ?? file : file
        }
    }

    var layers: [String: Layer] = [:]
    /// By the run.
    var filed: [String: FiledRunners] = [:]

    public init() {}

    subscript(_ run: RunID) -> Layer? {
        get { layers[run.text] }
        set { layers[run.text] = newValue }
    }
}
