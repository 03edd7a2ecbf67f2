package import Settings
package import Vault

/// The text of the last settings by which the gateway watched, in the state directory: readable by the gateway alone.
package struct LastSettings: Sendable {
    private let file: StateFile<SettingsCopy>

    package init(stateDirectory: String) {
        let separator = stateDirectory.hasSuffix("/") ? "" : "/"
        file = StateFile(path: stateDirectory + separator + "last-settings.json")
    }

    /// Nil where none are kept of this settings file. Blocking I/O.
    package func read(of path: String) -> SettingsCopy? {
        guard let copy = try? file.peek(), copy.file == path else { return nil }
        return copy
    }

    /// Durable where it does not throw. Blocking I/O.
    package func keep(_ copy: SettingsCopy) throws(DiskFailure) {
        if let kept = try? file.peek(), kept == copy { return }
        try file.save(copy)
    }
}
