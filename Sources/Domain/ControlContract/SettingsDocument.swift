/// Settings that the gateway runs with, for installers. It has no secret: secrets are in files of their own. A personal value
/// is told by its length.
package struct SettingsDocument: Codable, Hashable, Sendable {
    package struct Entry: Codable, Hashable, Sendable {
        package let key: String
        /// As it would be written in the file.
        package let value: String
        /// False where the default holds.
        package let isWritten: Bool
        /// The value is wrong, and has no effect.
        package let isSetAside: Bool

        package init(key: String, value: String, isWritten: Bool, isSetAside: Bool) {
            (self.key, self.value, self.isWritten, self.isSetAside) = (key, value, isWritten, isSetAside)
        }
    }

    /// One section of the file, or one entry of a section that repeats.
    package struct Part: Codable, Hashable, Sendable {
        /// `[broker]`, `[[person]] "maria"`.
        package let title: String
        package let entries: [Entry]

        package init(title: String, entries: [Entry]) {
            (self.title, self.entries) = (title, entries)
        }
    }

    /// Path of the settings file.
    package let file: String
    package let parts: [Part]

    package init(file: String, parts: [Part]) {
        (self.file, self.parts) = (file, parts)
    }
}
