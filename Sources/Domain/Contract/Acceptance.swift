import JSONReading
public import SOSLocal

/// `sos/<person>/accepted`: a person at the service has taken the call.
public struct Acceptance: Hashable, Sendable {
    public let alarm: AlarmID
    /// Who, as they named themselves: 1 to 200 characters.
    public let by: String

    /// Why a message was not understood; worded for the log and the cloud's developer.
    public struct Malformed: Error, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// Larger is no acceptance: two short fields.
    public static let largestPayload = 4_096

    private struct Payload: Decodable {
        let alarm: String
        let by: String
    }

    public init(payload: [UInt8]) throws(Malformed) {
        let decoded: Payload
        do {
            decoded = try JSONReader.decode(from: payload, limit: Self.largestPayload)
        } catch let fault as JSONFault {
            throw Malformed(description: "\(fault)")
        } catch {
            throw Malformed(description: #"not JSON of the form {"alarm": "<id>", "by": "<who>"}"#)
        }
        guard let alarm = AlarmID(decoded.alarm) else {
            throw Malformed(description: "'alarm' is not a UUID as the sos message carries it")
        }
        guard (1...200).contains(decoded.by.count) else {
            throw Malformed(description: "'by' has \(decoded.by.count) characters, expected 1 to 200")
        }
        // It is shown on consoles: a line break or an escape in it could write lines of its own there.
        guard decoded.by.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Malformed(description: "'by' holds control characters, expected a name in plain text")
        }
        self.alarm = alarm
        self.by = decoded.by
    }
}
