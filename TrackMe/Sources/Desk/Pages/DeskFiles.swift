import HTML
import WebPages

/// Style of the desk.
enum DeskFiles {
    static let style = Asset(.style, "desk-style", in: PageFiles.folder, PackageResources.desk_css)
}
