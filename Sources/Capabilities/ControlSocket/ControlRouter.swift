package import ControlContract
package import Hub

/// Gives each request to the capability that has its verb.
package struct ControlRouter: Sendable {
    private let handlers: [ControlRequest.Verb: ControlHandler]

    /// - Parameter capabilities: of two with one verb the first has it.
    package init(_ capabilities: [any Capability]) {
        handlers = capabilities.reduce(into: [:]) { $0.merge($1.controls) { first, _ in first } }
    }

    /// Answers now or later. On the control thread.
    package func answer(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        guard let handle = handlers[request.verb] else {
            return reply(.refused("\(request.verb.rawValue) is not served"))
        }
        handle(request, reply)
    }
}
