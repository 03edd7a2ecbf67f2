/// Rows of one kind about a person.
package struct PersonTable: Codable, Hashable, Sendable {
    package let name: String
    /// JSON objects.
    package let rows: [String]

    package init(name: String, rows: [String]) { (self.name, self.rows) = (name, rows) }
}

extension [PersonTable] {
    /// Joins the pages of an export: rows of one name become one table.
    package mutating func join(_ more: [PersonTable]) {
        for table in more {
            if let index = firstIndex(where: { $0.name == table.name }) {
                self[index] = PersonTable(name: table.name, rows: self[index].rows + table.rows)
            } else {
                append(table)
            }
        }
    }
}
