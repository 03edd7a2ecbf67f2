import HTML
import WebPages

/// Script of the pages of spectators.
enum RunFiles {
    /// Moves the dots of the map by the frames of the stream, and loads the part anew when the standings have changed. A stream is
    /// open only in a visible tab.
    static let script = Asset(.script, "run", in: PageFiles.folder, PackageResources.run_js)
}
