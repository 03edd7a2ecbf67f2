package import HTML

/// Style and script of the pages: one file each.
package enum PageFiles {
    package static let style = Asset(
        .style, "console", in: "/", PackageResources.console_css, PackageResources.charts_css,
        PackageResources.map_css, PackageResources.races_css)

    /// The stream `/stream?page=room` or `today` sends the event `page` with one line of data: the JSON text of the content
    /// of `<main>`. The event `alive`, at least each second, keeps the text of a lost console away. A page without a stream of
    /// its own with the content `away` asks for itself each second, until the gateway answers.
    /// An open page of a session asks for `/alive` every ten seconds.
    package static let script = Asset(.script, "console", in: "/", PackageResources.console_js)
}
