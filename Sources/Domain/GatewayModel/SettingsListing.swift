/// Settings in force, key by key, for people who look and do not write.
///
/// It has no secret: secrets are in files of their own. A personal value is told by its length.
public struct SettingsListing: Codable, Hashable, Sendable {
    public struct Entry: Codable, Hashable, Sendable {
        public let key: String
        /// As it would be written in the file; texts are cut after 60 characters.
        public let value: String
        /// False where the default holds.
        public let isWritten: Bool

        public init(key: String, value: String, isWritten: Bool) {
            (self.key, self.value, self.isWritten) = (key, value, isWritten)
        }
    }

    /// One section of the file, or one entry of a section that repeats.
    public struct Part: Codable, Hashable, Sendable {
        /// `[broker]`, `[[person]] "maria"`.
        public let title: String
        public let entries: [Entry]

        public init(title: String, entries: [Entry]) {
            (self.title, self.entries) = (title, entries)
        }
    }

    /// Path of the settings file.
    public let file: String
    /// In the order of the reference.
    public let parts: [Part]
    /// Parts of the file that have no effect, each with its mistake.
    public let setAside: [String]

    public init(file: String, parts: [Part], setAside: [String]) {
        (self.file, self.parts, self.setAside) = (file, parts, setAside)
    }
}
