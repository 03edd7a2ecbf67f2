public import HTML

/// Table of figures, which scrolls by itself where a screen is too narrow for it.
public struct FigureTable {
    private let caption: String
    private let columns: [String]
    private let rows: [HTML]

    /// - Parameter columns: titles, that of the heads of the rows first.
    public init(_ caption: String, columns: [String], rows: [HTML]) {
        (self.caption, self.columns, self.rows) = (caption, columns, rows)
    }

    public static func row(_ head: String, _ cells: [HTML]) -> HTML {
        HTML(.tr, content: HTML(.th, .set(.scope, "row"), text: head), HTML(cells))
    }

    public static func row(_ head: String, _ cells: [String]) -> HTML {
        row(head, cells.map { HTML(.td, text: $0) })
    }

    public var html: HTML {
        HTML(
            .div, .set(.class, "scroll"), .set(.role, "region"), .set(.tabindex, 0), .set(.ariaLabel, caption),
            content: HTML(
                .table, .set(.class, "figures"), content: HTML(.caption, text: caption),
                HTML(
                    .thead,
                    content: HTML(.tr, content: HTML(columns.map { HTML(.th, .set(.scope, "col"), text: $0) }))),
                HTML(.tbody, content: HTML(rows))))
    }
}
