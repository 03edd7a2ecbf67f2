import SettingsReading

/// The reference of every key as Markdown, out of the declarations: docs/installer/settings.md holds it.
public enum SettingsReference {
    public static var markdown: String {
        RootSection.section.children.flatMap(\.all).map(markdown).joined(separator: "\n")
    }

    /// The table of the console's own file: docs/installer/console.md holds it.
    public static var console: String { table(ConsoleSection.section) + "\n" }

    private static func markdown(_ section: Section) -> String {
        ["## \(section.described(quoting: "`"))", "", section.meaning + note(section), "", table(section)]
            .joined(separator: "\n") + "\n"
    }

    private static func table(_ section: Section) -> String {
        (["| key | value | when not written | meaning |", "|---|---|---|---|"] + section.keys.map(row))
            .joined(separator: "\n")
    }

    private static func note(_ section: Section) -> String {
        switch (section.repeats, section.isRequired) {
        case (true, true): " At least one."
        case (true, false): " Any number."
        case (false, true): " Required."
        case (false, false): ""
        }
    }

    private static func row(_ key: any DeclaredKey) -> String {
        "| `\(key.name)` | \(key.expected) | \(key.presence.words) | \(key.meaning) |"
    }
}
