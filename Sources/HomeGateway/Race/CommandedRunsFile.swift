import RunBeacon
import Vault

/// What commands have made of the runs, twice on the disk: who has left a run must not be timed again because one
/// file is damaged. Blocking I/O.
struct CommandedRunsFile: Sendable {
    private let files: [StateFile<CommandedRuns>]

    init(stateDirectory: String, marks: StateMarks? = nil) {
        files = ["runs.json", "runs-copy.json"].map {
            StateFile(path: stateDirectory + "/" + $0, marks: marks)
        }
    }

    /// The first that can be read; nil where nothing was saved, or where neither can.
    ///
    /// - Parameter onFailure: called for each that cannot.
    func load(onFailure: (DiskFailure) -> Void) -> CommandedRuns? {
        var found: CommandedRuns?
        for file in files {
            do throws(DiskFailure) {
                let content = try file.load()
                found = found ?? content
            } catch {
                onFailure(error)
            }
        }
        return found
    }

    /// For whoever only looks: a damaged file stays where it is.
    ///
    /// Errors: the failure of the last, where none can be read.
    func peek() throws(DiskFailure) -> CommandedRuns? {
        var failure: DiskFailure?
        for file in files {
            do throws(DiskFailure) {
                if let content = try file.peek() { return content }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// Durable when it returns.
    func save(_ runs: CommandedRuns) throws(DiskFailure) {
        for file in files { try file.save(runs) }
    }
}
