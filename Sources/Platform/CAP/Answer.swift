public import HTTPTransfers
import JSONReading

/// Meaning of the body of a 2xx answer to a call.
public enum Answer: Hashable, Sendable {
    /// Nothing beyond that a machine has it.
    case silent
    /// A person takes the call.
    case accepted(by: String)
    /// The service says that it cannot use the message (CAP `Error`).
    case refused(reason: String)
    /// Not to be believed or not understood, and why: for the log.
    case ignored(reason: String)

    /// - Parameters:
    ///   - call: the identifier that all messages of the call share.
    ///   - isDrill: whether the call is marked as one; its answer must be too, where it can.
    public init(_ response: HTTPResponse, to call: String, isDrill: Bool) {
        guard !response.isTooLarge else {
            self = .ignored(reason: "an answer longer than \(HTTPResponse.largestBody) bytes")
            return
        }
        switch response.body.first(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }) {
        case nil: self = .silent
        case UInt8(ascii: "{"): self = Answer(json: response.body, to: call)
        case UInt8(ascii: "<"): self = Answer(cap: response.body, to: call, isDrill: isDrill)
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

extension Answer {
    /// A CAP `Ack` that references a message of this alarm is an acceptance: by its `source`, else its
    /// `sender`. An `Error` that does so is a refusal.
    init(cap body: [UInt8], to call: String, isDrill: Bool) {
        let alert: XMLElement
        do throws(XMLMalformed) {
            alert = try XMLReader.document(body)
        } catch {
            self = .ignored(reason: "an answer that is not XML: \(error)")
            return
        }
        guard alert.name == "alert", alert.namespace == CAPMessage.namespace else {
            self = .ignored(reason: "an answer in XML that is no CAP 1.2 alert")
            return
        }
        guard let type = alert["msgType"], type == "Ack" || type == "Error" else {
            self = .ignored(reason: "a CAP message that is neither Ack nor Error")
            return
        }
        guard Self.isReferenced(call, in: alert["references"] ?? "") else {
            self = .ignored(reason: "a CAP \(type) whose references name no message of this alarm")
            return
        }
        let status = (isDrill ? CAPMessage.Status.exercise : .actual).rawValue
        guard alert["status"] == status else {
            self = .ignored(reason: "a CAP \(type) with another status than the call's, \(status)")
            return
        }
        guard type == "Ack" else {
            self = .refused(reason: "it answers with a CAP Error; ask the service which field it misses")
            return
        }
        guard let by = (alert["source"] ?? alert["sender"]).flatMap(Self.name) else {
            self = .ignored(
                reason: "a CAP Ack whose source and sender are not 1 to 200 characters of plain text")
            return
        }
        self = .accepted(by: by)
    }

    /// `references` holds "sender,identifier,sent", separated by white space. The identifier alone is unique;
    /// services write the other two in other ways.
    private static func isReferenced(_ call: String, in references: String) -> Bool {
        references.split(whereSeparator: \.isWhitespace).contains { reference in
            let parts = reference.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 3 else { return false }
            return parts[1] == call || parts[1].hasPrefix("\(call).")
        }
    }
}

/// `{"accepted": {"by": "Operator 7", "alarm": "<id>"}}`; `alarm` may be left out.
private struct JSONAnswer: Decodable {
    struct Accepted: Decodable {
        let by: String
        let alarm: String?
    }

    let accepted: Accepted?
    let alarm: String?
}

extension Answer {
    init(json body: [UInt8], to call: String) {
        guard let answer = try? JSONReader.decode(JSONAnswer.self, from: body, limit: HTTPResponse.largestBody)
        else {
            self = .ignored(reason: #"an answer that is not JSON of the form {"accepted": {"by": "<who>"}}"#)
            return
        }
        guard let accepted = answer.accepted else {
            self = .silent
            return
        }
        let isOurs = [accepted.alarm, answer.alarm].compactMap(\.self).allSatisfy {
            $0.lowercased() == call.lowercased()
        }
        guard isOurs else {
            self = .ignored(reason: "an acceptance of another alarm")
            return
        }
        guard let by = Self.name(accepted.by) else {
            self = .ignored(reason: "an acceptance whose 'by' is not 1 to 200 characters of plain text")
            return
        }
        self = .accepted(by: by)
    }
}
