public import HTML

/// Style and scripts of the pages.
public enum PageFiles {
    static let style = Asset(
        .style, "style", in: folder, PackageResources.site_css, PackageResources.charts_css,
        PackageResources.map_css)

    /// Keeps the values of a page current. Each event has a kind with its words; the script writes text alone.
    static let readings = Asset(.script, "script", in: folder, PackageResources.readings_js)

    /// Replaces the live part of a page after each change, and counts the ages. A stream is open in a visible tab.
    ///
    /// A page with a button for the sound is one of the desk. It rings while its part has a `ring`, and the title has `(!)`.
    /// It stays armed from page to page. In the background its stream stays open with `unseen=1`, which is no attendance.
    public static let livePart = Asset(.script, "live-part", in: folder, PackageResources.live_part_js)

    /// Shows the part where the browser has passkeys. Its form fetches the options and asks the browser before it is sent.
    static let passkeys = Asset(.script, "passkeys", in: folder, PackageResources.passkeys_js)

    /// Folder of the server that has the files of all pages.
    public static let folder: HTML.Place = "/assets"
}
