public import RunBeacon

/// State of the runs that commands have created or changed. Two copies are kept on the disk, so that one damaged file
/// does not time a runner again who has left a run. Blocking I/O.
public struct CommandedRunsFile: Sendable {
    private let files: [StateFile<CommandedRuns>]

    public init(stateDirectory: String, marks: StateMarks? = nil) {
        files = ["runs.json", "runs-copy.json"].map {
            StateFile(path: stateDirectory + "/" + $0, marks: marks)
        }
    }

    /// Returns the first copy that can be read; nil where no copy exists or none can be read.
    ///
    /// - Parameter onFailure: called for each copy that cannot be read.
    public func load(onFailure: (DiskFailure) -> Void) -> CommandedRuns? {
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

    /// Reads without setting a damaged copy aside.
    ///
    /// Errors: the failure of the last copy, where no copy can be read.
    public func peek() throws(DiskFailure) -> CommandedRuns? {
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

    /// Writes both copies; durable when it returns.
    public func save(_ runs: CommandedRuns) throws(DiskFailure) {
        for file in files { try file.save(runs) }
    }
}
