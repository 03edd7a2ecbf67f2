import Consent
import GatewayModel

extension Envelope {
    /// Form of the readings in a message. Only readings of one form leave together.
    enum GatheredForm: Hashable {
        case samples
        case fhir

        /// Nil for a sealed message, and for another object.
        init?(of payload: [UInt8]) {
            // Both encoders sort the members: an Observation begins with `category`, a sample with `clock_offset_s`,
            // `contact` or `device`, a sealed message with `id`.
            if payload.starts(with: Self.fhirStart) {
                self = .fhir
            } else if Self.sampleStarts.contains(where: { payload.starts(with: $0) }) {
                self = .samples
            } else {
                return nil
            }
        }

        private static let fhirStart = Array(#"{"category":"#.utf8)
        private static let sampleStarts = [
            #"{"contact":"#, #"{"device":"#, #"{"clock_offset_s":"#,
        ].map { Array($0.utf8) }
    }

    private var gatheredForm: GatheredForm? { GatheredForm(of: payload) }

    /// Whether it is a reading that may leave in one message with others.
    public var isGatherable: Bool { retention == .sample && disclosure.series != nil && gatheredForm != nil }

    /// Whether one message may hold both: readings of one person, for one recipient, in one form. A third party's are
    /// also of one kind, since each kind has its own grant, topic and gaps.
    public func isGatherable(with other: Envelope) -> Bool {
        guard retention == .sample, other.retention == .sample else { return false }
        switch (disclosure, other.disclosure) {
        case (.readings(let person, _), .readings(let someone, _)):
            guard person == someone else { return false }
        case (.share, .share): guard disclosure == other.disclosure, topic == other.topic else { return false }
        default: return false
        }
        guard let form = gatheredForm, awaitsSealing == other.awaitsSealing else { return false }
        return form == other.gatheredForm
    }

    /// One message of several readings, each with its own id: `samples/<person>`, or the topic of a third party's kind.
    ///
    /// Its `id`, by which it is acknowledged, is that of the first reading. The payload has no id of its own.
    ///
    /// - Parameter parts: gatherable with each other, in order.
    /// - Returns: nil where a payload cannot be read as a reading.
    public static func gathered(_ parts: [Envelope]) -> Envelope? {
        guard let first = parts.first, let form = first.gatheredForm,
            let disclosure = Disclosure.joined(parts.map(\.disclosure)), let topic = gatheredTopic(of: first)
        else { return nil }
        let payload: [UInt8]? =
            switch form {
            case .samples: GatheredSamples.payload(of: parts.map(\.payload))
            case .fhir: FHIR.bundle(of: parts.map { (id: $0.id, observation: $0.payload) })
            }
        guard let payload else { return nil }
        return Envelope(
            id: first.id, lane: first.lane, retention: .sample, disclosure: disclosure, topic: topic,
            payload: payload, isGathered: true,
            contentID: parts.count == 1 ? first.id : first.id.joined(with: parts.dropFirst().map(\.id)),
            awaitsSealing: first.awaitsSealing, arrived: first.arrived)
    }

    /// Upper limit of the bytes that this reading adds to the payload of a gathered message.
    public var gatheredBytes: Int {
        // A comma, and the request of a Bundle's entry (`FHIR.bundle`).
        let plain = payload.count + (gatheredForm == .fhir ? 100 : 1)
        return awaitsSealing ? (plain * 4 + 2) / 3 : plain
    }

    /// Upper limit of the bytes of a gathered message's payload besides those of its readings: `samples` or the frame of a
    /// Bundle has 50. Sealed, the 48 bytes of key and tag and these take 132 in base64url, and id and name of the key 140.
    public static let gatheredOverhead = 272

    /// For the cloud the topic of the person: that of a kind without its last level.
    private static func gatheredTopic(of part: Envelope) -> String? {
        guard case .readings = part.disclosure else { return part.topic }
        return part.topic.lastIndex(of: "/").map { String(part.topic[..<$0]) }
    }
}

/// The contract's form of several readings: members that all of them share stand once, beside `samples`.
enum GatheredSamples {
    /// Members that are always in the sample itself.
    private static let ownMembers: Set<String> = ["id", "received", "rr_ms", "time", "value"]
    private static let samples = "samples"

    /// - Returns: nil where a payload is not a flat object with `id`, `time` and `value`.
    static func payload(of samples: [[UInt8]]) -> [UInt8]? {
        var objects: [FlatObject] = []
        for sample in samples {
            guard let object = FlatObject(sample), object["id"] != nil, object["time"] != nil,
                object["value"] != nil
            else { return nil }
            objects.append(object)
        }
        guard let first = objects.first else { return nil }
        let shared = first.members.filter { member in
            !ownMembers.contains(member.key)
                && objects.dropFirst().allSatisfy {
                    $0[member.key].map { $0.elementsEqual(member.value) } ?? false
                }
        }
        let sharedKeys = Set(shared.map(\.key))
        var json: [UInt8] = []
        json.reserveCapacity(samples.reduce(64) { $0 + $1.count })
        json.append(UInt8(ascii: "{"))
        var isListWritten = false
        for member in shared {
            if !isListWritten, member.key > Self.samples {
                append(objects, without: sharedKeys, to: &json)
                json.append(UInt8(ascii: ","))
                isListWritten = true
            }
            append(member, to: &json)
            json.append(UInt8(ascii: ","))
        }
        if isListWritten {
            json.removeLast()
        } else {
            append(objects, without: sharedKeys, to: &json)
        }
        json.append(UInt8(ascii: "}"))
        return json
    }

    private static func append(_ objects: [FlatObject], without shared: Set<String>, to json: inout [UInt8]) {
        json += "\"\(samples)\":[".utf8
        for (index, object) in objects.enumerated() {
            json.append(UInt8(ascii: index == 0 ? "{" : ","))
            if index > 0 { json.append(UInt8(ascii: "{")) }
            var isFirst = true
            for member in object.members where !shared.contains(member.key) {
                // Without it, a reading was received when its value held.
                if member.key == "received", object["time"]?.elementsEqual(member.value) == true { continue }
                if !isFirst { json.append(UInt8(ascii: ",")) }
                append(member, to: &json)
                isFirst = false
            }
            json.append(UInt8(ascii: "}"))
        }
        json.append(UInt8(ascii: "]"))
    }

    private static func append(_ member: FlatObject.Member, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        json += member.key.utf8
        json += [UInt8(ascii: "\""), UInt8(ascii: ":")]
        json += member.value
    }
}

/// The members of an object that `FlatJSON` wrote, in their order. Values stay as they were written.
struct FlatObject {
    struct Member {
        let key: String
        let value: ArraySlice<UInt8>
    }

    let members: [Member]

    subscript(key: String) -> ArraySlice<UInt8>? { members.first { $0.key == key }?.value }

    /// - Returns: nil where the bytes are not one flat object: no object inside, and no array inside an array.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else {
            return nil
        }
        var members: [Member] = []
        members.reserveCapacity(16)
        let end = bytes.count - 1
        var index = 1
        while index < end {
            guard bytes[index] == UInt8(ascii: "\""),
                let keyEnd = Self.endOfText(bytes, from: index, before: end),
                keyEnd < end, bytes[keyEnd] == UInt8(ascii: ":"),
                let valueEnd = Self.endOfValue(bytes, from: keyEnd + 1, before: end), valueEnd > keyEnd + 1
            else { return nil }
            let key = String(decoding: bytes[(index + 1)..<(keyEnd - 1)], as: UTF8.self)
            members.append(Member(key: key, value: bytes[(keyEnd + 1)..<valueEnd]))
            guard valueEnd < end else { break }
            index = valueEnd + 1
            guard index < end else { return nil }
        }
        self.members = members
    }

    /// Position behind the closing quotation mark of the text that begins at `start`.
    private static func endOfText(_ bytes: [UInt8], from start: Int, before end: Int) -> Int? {
        var index = start + 1
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return nil
    }

    /// Position of the comma behind the value that begins at `start`, or `end`.
    private static func endOfValue(_ bytes: [UInt8], from start: Int, before end: Int) -> Int? {
        var index = start
        var isInList = false
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard let next = endOfText(bytes, from: index, before: end) else { return nil }
                index = next
            case UInt8(ascii: "{"), UInt8(ascii: "}"): return nil
            case UInt8(ascii: "["):
                guard !isInList else { return nil }
                isInList = true
                index += 1
            case UInt8(ascii: "]"):
                guard isInList else { return nil }
                isInList = false
                index += 1
            case UInt8(ascii: ",") where !isInList: return index
            default: index += 1
            }
        }
        return isInList ? nil : end
    }
}

extension FHIR {
    /// A Bundle of the type `batch`, which a server takes in as it is: each Observation is put under its own id.
    static func bundle(of observations: [(id: MessageID, observation: [UInt8])]) -> [UInt8] {
        var json = Array(#"{"entry":["#.utf8)
        for (index, (id, observation)) in observations.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += #"{"request":{"method":"PUT","url":"Observation/\#(id)"},"resource":"#.utf8
            json += observation
            json.append(UInt8(ascii: "}"))
        }
        json += #"],"resourceType":"Bundle","type":"batch"}"#.utf8
        return json
    }
}
