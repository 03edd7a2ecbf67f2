/// Answer of the gateway to a request: lines for a person, whether the request was carried out, and the document of the
/// verb, for programs.
package struct ControlReply<Document: ControlDocument>: Sendable {
    package let isDone: Bool
    package let lines: [String]
    /// Nil for a refusal, and from a gateway of another version.
    package let document: Document?
    /// Reason of a refusal, for pages; nil where it has none, or one of another version.
    package let refusal: RefusalCode?

    package init(isDone: Bool, lines: [String], document: Document? = nil, refusal: RefusalCode? = nil) {
        (self.isDone, self.lines, self.document, self.refusal) = (isDone, lines, document, refusal)
    }

    package static func done(_ lines: String...) -> ControlReply { ControlReply(isDone: true, lines: lines) }
    package static func done(with document: Document?, lines: [String] = []) -> ControlReply {
        ControlReply(isDone: true, lines: lines, document: document)
    }
    package static func refused(_ reason: String, _ code: RefusalCode? = nil) -> ControlReply {
        ControlReply(isDone: false, lines: [reason], refusal: code)
    }
    package static func refused(_ error: ControlError) -> ControlReply {
        refused(error.description, error.code)
    }

    package var withoutDocument: ControlReply<NoDocument> {
        ControlReply<NoDocument>(isDone: isDone, lines: lines, refusal: refusal)
    }

    /// The part of the answer that a session may see. Lines beside a document are for the terminal: they may name everybody.
    package func seen(by session: ControlSession) -> ControlReply {
        guard let document else { return self }
        return ControlReply(
            isDone: isDone, lines: [], document: document.seen(by: session), refusal: refusal)
    }
}

/// Flat on the wire: the document is a field of its own. Fields of other versions are ignored.
extension ControlReply: Codable {
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ControlFields.Name.self)
        isDone = try fields.decode(Bool.self, forKey: "isDone")
        lines = try fields.decode([String].self, forKey: "lines")
        refusal = try fields.decodeIfPresent(String.self, forKey: "refusal").flatMap {
            RefusalCode(rawValue: $0)
        }
        document = try Document(in: fields)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.fields()
        try fields.put("isDone", isDone)
        try fields.put("lines", lines)
        try fields.put("refusal", refusal?.rawValue)
        try document?.put(in: &fields)
    }
}

/// Sends the answer to a request: once, from any thread.
package struct ControlAnswer<Document: ControlDocument>: Sendable {
    private let send: @Sendable (@escaping @Sendable () -> ControlReply<Document>) -> Void

    /// - Parameter send: gets a function that makes the reply, to be called on the control thread.
    package init(_ send: @escaping @Sendable (@escaping @Sendable () -> ControlReply<Document>) -> Void) {
        self.send = send
    }

    package func callAsFunction(_ reply: ControlReply<Document>) { send { reply } }

    /// Sends a reply that is made on the control thread, for a caller on a thread that must not be kept.
    package func later(_ make: @escaping @Sendable () -> ControlReply<Document>) { send(make) }
}
