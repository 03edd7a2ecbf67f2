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
    package func answer(_ request: any ControlVerb, _ reply: @escaping ControlAnswer) {
        let verb = type(of: request).verb
        guard let handle = handlers[verb] else { return reply(.refused("\(verb) is not served")) }
        handle(request, reply)
    }
}
