/// An element of a received document.
struct XMLElement: Hashable, Sendable {
    /// Without its prefix.
    let name: String
    /// Empty where none is declared.
    let namespace: String
    var text = ""
    var children: [XMLElement] = []

    /// The text of the first child of that name, without white space at its ends; nil where there is none, or
    /// nothing in it.
    subscript(_ name: String) -> String? {
        let text = children.first { $0.name == name && $0.namespace == namespace }?.text.trimmed
        return text?.isEmpty == true ? nil : text
    }
}

/// Why bytes are not the XML that is understood here.
struct XMLMalformed: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String
}
