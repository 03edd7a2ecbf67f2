import SOSLocal

/// What the body of a 2xx answer says about a call.
enum Answer: Hashable, Sendable {
    /// Nothing beyond that a machine has it.
    case silent
    /// A person takes the call.
    case accepted(by: String)
    /// The service says that it cannot use the message (CAP `Error`).
    case refused(reason: String)
    /// Not to be believed or not understood, and why: for the log.
    case ignored(reason: String)

    /// - Parameter isDrill: whether the call is marked as one; its answer must be too, where it can.
    init(_ response: HTTPResponse, to alarm: AlarmID, isDrill: Bool) {
        guard !response.isTooLarge else {
            self = .ignored(reason: "an answer longer than \(HTTPResponse.largestBody) bytes")
            return
        }
        switch response.body.first(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }) {
        case nil: self = .silent
        case UInt8(ascii: "{"): self = Answer(json: response.body, to: alarm)
        case UInt8(ascii: "<"): self = Answer(cap: response.body, to: alarm, isDrill: isDrill)
        default: self = .ignored(reason: "an answer that is neither JSON nor CAP")
        }
    }

    /// It is shown on consoles: a line break or an escape in it could write lines of its own there.
    static func name(_ text: String) -> String? {
        let text = text.trimmed
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return (1...200).contains(text.count) && isPlain ? text : nil
    }
}
