import ControlContract
import Settings

extension RunningSettings {
    /// Answer with the settings that run.
    var listing: ControlReply {
        guard let copy else {
            return .refused("the settings that run have no text to show; restart the gateway")
        }
        let listing = SettingsListing(of: copy, setAside: refused + setAside.map(\.problem))
        let document = SettingsDocument(
            file: listing.file,
            parts: listing.parts.map { part in
                SettingsDocument.Part(
                    title: part.title,
                    entries: part.entries.map {
                        SettingsDocument.Entry(
                            key: $0.key, value: $0.value, isWritten: $0.isWritten, isSetAside: $0.isSetAside)
                    })
            })
        return ControlReply(isDone: true, lines: document.lines, content: .settings(document))
    }
}

extension SettingsDocument {
    /// As the file reads, with a note at each value that is not written there or has no effect.
    fileprivate var lines: [String] {
        ["# \(file)"]
            + parts.flatMap { part in
                ["", part.title]
                    + part.entries.map { entry in
                        let note =
                            entry.isSetAside ? "  # wrong, set aside" : entry.isWritten ? "" : "  # default"
                        return "\(entry.key) = \(entry.value)" + note
                    }
            }
    }
}
