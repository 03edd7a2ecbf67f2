/// Form of the readings in a message. Only readings of one form leave together.
enum GatheredForm: Hashable {
    case samples
    case fhir

    /// Nil for a sealed message, and for another object.
    init?(of payload: [UInt8]) {
        // Both encoders sort the members: an Observation begins with `basedOn` or `category`, a sample with
        // `clock_offset_s`, `contact` or `device`, a sealed message with `id`.
        if Self.fhirStarts.contains(where: { payload.starts(with: $0) }) {
            self = .fhir
        } else if Self.sampleStarts.contains(where: { payload.starts(with: $0) }) {
            self = .samples
        } else {
            return nil
        }
    }

    private static let fhirStarts = [#"{"basedOn":"#, #"{"category":"#].map { Array($0.utf8) }
    private static let sampleStarts = [
        #"{"contact":"#, #"{"device":"#, #"{"clock_offset_s":"#,
    ].map { Array($0.utf8) }
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
