package import ControlContract
package import Hub

/// Gives each request to the handler of its verb.
package struct ControlRouter: Sendable {
    private let handlers: [String: ControlHandler]

    /// - Parameter handlers: of two with one verb the first has it.
    package init(_ handlers: [ControlHandler]) {
        self.handlers = Dictionary(handlers.map { ($0.verb.verb, $0) }) { first, _ in first }
    }

    /// Verb of a name; nil for a name that nobody serves. The server itself serves the two streams.
    package func verb(_ name: String) -> (any ControlVerb.Type)? {
        let streams: [any ControlVerb.Type] = [Verb.Watch.self, Verb.Follow.self]
        return streams.first { $0.verb == name } ?? handlers[name]?.verb
    }

    /// Answers now or later. On the control thread.
    package func answer<Request: ControlVerb>(_ request: Request, _ reply: ControlAnswer<Request.Document>) {
        guard let handle = handlers[Request.verb] else {
            return reply(.refused("\(Request.verb) is not served"))
        }
        handle(request, reply)
    }
}
