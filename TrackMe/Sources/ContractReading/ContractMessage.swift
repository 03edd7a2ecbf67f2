import GatewayModel
import JSONReading

/// Message of a gateway, read from its topic and its payload.
public enum ContractMessage: Hashable, Sendable {
    case status(BoxStatus)
    case heartbeat(BoxHeartbeat)
    case samples([SampleRecord])
    /// Readings as FHIR R4, one Observation or those of a Bundle.
    case observations([ObservationRecord])
    case gap(GapRecord)
    case emergency(EmergencyMessage)
    case notice(NoticeRecord)
    /// A compact JWS, which only `HouseReceipt` with the gateway's key makes a receipt.
    case receipt([UInt8])
    case passing(PassingRecord)
    case position(RunnerPosition)
    case runnerNews(RunnerNewsRecord)
    case correction(CorrectionRecord)
    case copy(PartyCopy)

    public init(_ payload: [UInt8], on topic: ContractTopic) throws(ContractFault) {
        switch topic.channel {
        case .status: self = .status(try BoxStatus(payload))
        case .heartbeat: self = .heartbeat(try BoxHeartbeat(payload))
        case .receipts:
            guard payload.count <= WirePayload.limit else {
                throw .unsound("\(payload.count) bytes, expected at most \(WirePayload.limit)")
            }
            self = .receipt(payload)
        case .sos(let person): self = .emergency(try EmergencyMessage(payload, of: person))
        case .notices(let person): self = .notice(try NoticeRecord(payload, of: person))
        case .samples(let person, let kind):
            let form: Form = try WirePayload.read(from: payload, names: .asWritten)
            self =
                form.resourceType == nil
                ? .samples(try SampleRecord.read(payload, of: person, kind: kind))
                : .observations(try ObservationRecord.read(payload, of: person))
        case .gap(let person, let kind): self = .gap(try GapRecord(payload, of: person, kind: kind))
        case .passings(let run):
            self = .passing(try PassingRecord(payload, of: run, from: topic.gateway))
        case .positions(let run):
            self = .position(try RunnerPosition(payload, of: run, from: topic.gateway))
        case .runners(let run):
            self = .runnerNews(try RunnerNewsRecord(payload, of: run, from: topic.gateway))
        case .corrections(let run):
            self = .correction(try CorrectionRecord(payload, of: run, from: topic.gateway))
        case .share(let party, let person, let kind, let isGap):
            self = .copy(try PartyCopy(payload, for: party, of: person, kind: kind, isGap: isGap))
        }
    }

    /// FHIR resources name their type.
    private struct Form: Decodable {
        let resourceType: String?
    }
}
