import JSONReading
import SOSLocal

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
    init(json body: [UInt8], to alarm: AlarmID) {
        guard let answer = try? JSONReader.decode(JSONAnswer.self, from: body, limit: HTTPResponse.largestBody)
        else {
            self = .ignored(reason: #"an answer that is not JSON of the form {"accepted": {"by": "<who>"}}"#)
            return
        }
        guard let accepted = answer.accepted else {
            self = .silent
            return
        }
        let isOurs = [accepted.alarm, answer.alarm].compactMap(\.self).allSatisfy { AlarmID($0) == alarm }
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
