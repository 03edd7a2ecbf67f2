package import GatewayModel

/// Data of the answers to a verb, for programs.
package protocol ControlDocument: Sendable {
    /// Nil where the reply has none.
    init?(in reply: KeyedDecodingContainer<ControlFields.Name>) throws
    func put(in reply: inout KeyedEncodingContainer<ControlFields.Name>) throws
    /// The part that a session may see.
    func seen(by session: ControlSession) -> Self
}

extension ControlDocument {
    package func seen(by session: ControlSession) -> Self { self }
}

/// Document in one field of the reply.
package protocol FieldDocument: ControlDocument, Codable {
    /// Name of the field. A released name never changes.
    static var field: ControlFields.Name { get }
}

extension FieldDocument {
    package init?(in reply: KeyedDecodingContainer<ControlFields.Name>) throws {
        guard let document = try reply.decodeIfPresent(Self.self, forKey: Self.field) else { return nil }
        self = document
    }

    package func put(in reply: inout KeyedEncodingContainer<ControlFields.Name>) throws {
        try reply.put(Self.field, self)
    }
}

/// Row of a document that is a list.
package protocol DocumentRow: Codable, Sendable {
    /// Field of the list.
    static var field: ControlFields.Name { get }
}

extension Array: ControlDocument, FieldDocument where Element: DocumentRow {
    package static var field: ControlFields.Name { Element.field }
}

/// Document of a verb with lines alone for an answer.
package enum NoDocument: ControlDocument {
    package init?(in reply: KeyedDecodingContainer<ControlFields.Name>) { nil }
    package func put(in reply: inout KeyedEncodingContainer<ControlFields.Name>) {}
}

/// Page of stored data of a person.
package enum StoredPage: ControlDocument {
    case history(HistoryPage)
    case locations(LocationPage)

    package init?(in reply: KeyedDecodingContainer<ControlFields.Name>) throws {
        if let page = try reply.decodeIfPresent(HistoryPage.self, forKey: "history") {
            self = .history(page)
        } else if let page = try reply.decodeIfPresent(LocationPage.self, forKey: "locations") {
            self = .locations(page)
        } else {
            return nil
        }
    }

    package func put(in reply: inout KeyedEncodingContainer<ControlFields.Name>) throws {
        switch self {
        case .history(let page): try reply.put("history", page)
        case .locations(let page): try reply.put("locations", page)
        }
    }
}

extension SettingsListing: FieldDocument {
    package static var field: ControlFields.Name { "settings" }
}
