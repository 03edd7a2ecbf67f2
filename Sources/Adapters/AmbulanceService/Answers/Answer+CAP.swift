import SOSLocal

extension Answer {
    private static let namespace = "urn:oasis:names:tc:emergency:cap:1.2"

    /// A CAP `Ack` that references a message of this alarm is an acceptance: by its `source`, else its
    /// `sender`. An `Error` that does so is a refusal.
    init(cap body: [UInt8], to alarm: AlarmID, isDrill: Bool) {
        let alert: XMLElement
        do throws(XMLMalformed) {
            alert = try XMLReader.document(body)
        } catch {
            self = .ignored(reason: "an answer that is not XML: \(error)")
            return
        }
        guard alert.name == "alert", alert.namespace == Self.namespace else {
            self = .ignored(reason: "an answer in XML that is no CAP 1.2 alert")
            return
        }
        guard let type = alert["msgType"], type == "Ack" || type == "Error" else {
            self = .ignored(reason: "a CAP message that is neither Ack nor Error")
            return
        }
        guard Self.isReferenced(alarm, in: alert["references"] ?? "") else {
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
    private static func isReferenced(_ alarm: AlarmID, in references: String) -> Bool {
        references.split(whereSeparator: \.isWhitespace).contains { reference in
            let parts = reference.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 3 else { return false }
            return parts[1] == alarm.description || parts[1].hasPrefix("\(alarm).")
        }
    }
}
