/// What was found wrong in one file. Local to one load, never shared.
final class Problems {
    let file: String
    private(set) var errors: [SettingsProblem] = []
    private(set) var warnings: [SettingsProblem] = []

    init(file: String) {
        self.file = file
    }

    func report(_ message: String, key: String, at position: TOMLPosition) {
        errors.append(problem(message, key, position))
    }

    func warn(_ message: String, key: String, at position: TOMLPosition) {
        warnings.append(problem(message, key, position))
    }

    private func problem(_ message: String, _ key: String, _ position: TOMLPosition) -> SettingsProblem {
        SettingsProblem(
            file: file, line: position.line, column: position.column, key: key, message: message)
    }
}

extension [SettingsProblem] {
    /// As the file reads, from top to bottom.
    var byLine: [SettingsProblem] {
        sorted { ($0.line, $0.column ?? 0, $0.key) < ($1.line, $1.column ?? 0, $1.key) }
    }
}
