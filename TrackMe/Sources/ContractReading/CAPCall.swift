import CAP
public import GatewayModel
public import SOSLocal

/// Message of a house's HTTPS channel in CAP 1.2, as `docs/channels/https.md` describes it.
public struct CAPCall: Hashable, Sendable {
    /// Bytes of a message.
    public static let largest = 65_536
    /// Parameters that are read, contacts and notes that are kept.
    private static let (mostParameters, mostEntries) = (1_000, 50)

    /// Alarm of the message.
    public let alarm: AlarmID
    /// Missing in a message that a call no longer holds.
    public let person: PersonID?
    private let state: EmergencyMessage.State
    private let isDrill: Bool
    private let sent, onset: WallTime?
    private let values: Values
    private let circle: String?
    /// Of an early notice it is `Possible` for any value.
    private let certainty: AlarmCertainty?

    /// Nil for a test of the connection and for a notice: nobody has to act on them.
    ///
    /// - Throws: `unsound` for bytes that are no XML, `elsewhere` for the `sender` of another house, `form` for the rest.
    public init?(_ body: [UInt8], from gateway: GatewayID) throws(ContractFault) {
        guard body.count <= Self.largest else { throw .unsound("longer than \(Self.largest) bytes") }
        let alert: XMLElement
        do throws(XMLMalformed) { alert = try XMLReader.document(body) } catch {
            throw .unsound("\(error)")
        }
        guard alert.name == "alert", alert.namespace == CAPMessage.namespace else {
            throw .form("expected an alert of CAP 1.2")
        }
        guard alert["sender"] == gateway.text else { throw .elsewhere(member: "sender") }
        let isDrill: Bool
        switch alert["status"].flatMap(CAPMessage.Status.init) {
        case .actual: isDrill = false
        case .exercise: isDrill = true
        case .test, .system: return nil
        case nil: throw .form("'status' is unknown")
        }
        guard let type = alert["msgType"].flatMap(CAPMessage.MessageType.init) else {
            throw .form("'msgType' is unknown")
        }
        guard let info = alert.children.first(where: { $0.name == "info" }) else {
            throw .form("'info' is missing")
        }
        let values = Values(info, most: Self.mostParameters)
        guard let alarm = (values["alarm"] ?? alert["incidents"]).flatMap(AlarmID.init) else {
            throw .form("the parameter 'alarm' is missing or no ID of an alarm")
        }
        let person = values["person"].flatMap { PersonID($0) }
        guard type == .cancel || person != nil else {
            throw .form("the parameter 'person' is missing or no ID of a person")
        }
        (self.alarm, self.person, self.isDrill, self.values) = (alarm, person, isDrill, values)
        state = type == .cancel ? Self.ending(values["ending"]) : Self.stage(values["stage"])
        sent = alert["sent"].flatMap { WallTime(rfc3339: $0) }
        onset = info["onset"].flatMap { WallTime(rfc3339: $0) }
        certainty =
            state == .confirmed && info["certainty"] == CAPInfo.Certainty.possible.rawValue ? .possible : nil
        circle = info.children.first { $0.name == "area" }?["circle"]
    }

    /// A call of an unknown stage is an emergency.
    private static func stage(_ word: String?) -> EmergencyMessage.State {
        word == "pending" ? .pending : .confirmed
    }

    private static func ending(_ word: String?) -> EmergencyMessage.State {
        switch word {
        case "resolved": .resolved
        case "accepted": .accepted
        case "lapsed": .lapsed
        default: .cancelled
        }
    }

    /// - Parameters:
    ///   - key: the `Idempotency-Key`. The same key gives the same message ID.
    ///   - person: of the message, else of the call that it ends.
    public func message(key: String, of person: PersonID) -> EmergencyMessage {
        let id = Self.id(alarm, key)
        return EmergencyMessage(
            id: id, alarm: alarm, person: person, state: state, isDrill: isDrill, isShort: false,
            time: sent ?? id.wall, round: values["round"].flatMap { Int($0) }.map { max(1, $0) },
            certainty: certainty, cause: state.isEnd ? nil : cause, location: state.isEnd ? nil : location,
            profile: state.isEnd ? nil : profile, trend: state.isEnd ? [] : trend,
            ending: state.isEnd
                ? EmergencyMessage.Ending(
                    how: values["ending"] ?? state.rawValue, by: values["ended_by"] ?? "",
                    means: values["ended_means"]) : nil,
            crossing: onset, isPartial: false, route: .https)
    }

    /// ID that belongs to the alarm and the key. Its last six bytes, which are random in an alarm's ID, carry a
    /// hash of the key.
    private static func id(_ alarm: AlarmID, _ key: String) -> MessageID {
        let hash = FNVHash(of: key.utf8).value
        var bytes = alarm.message.bytes
        for index in 0..<6 { bytes[10 + index] ^= UInt8(truncatingIfNeeded: hash >> (8 * index)) }
        return MessageID(bytes: bytes) ?? alarm.message
    }

    // MARK: Details

    private var cause: EmergencyMessage.Cause? {
        guard let rule = values["cause"] else { return nil }
        // The value stands under its kind.
        let known = QuantityKind.allCases.lazy.compactMap { kind -> (QuantityKind, Double, String?)? in
            guard let text = values[kind.rawValue.replacing("-", with: "_")],
                let (value, unit) = Self.figure(text)
            else { return nil }
            return (kind, value, unit)
        }.first
        return EmergencyMessage.Cause(
            rule: rule, device: values["device"], kind: known?.0.rawValue,
            limit: values["limit"].flatMap(Self.figure)?.value, value: known?.1,
            newest: values["newest"].flatMap(Self.figure)?.value, unit: known?.2,
            doubts: values["doubt"].map { Doubts(words: $0.split(separator: " ").map(String.init)) })
    }

    /// `150 /min`.
    private static func figure(_ text: String) -> (value: Double, unit: String?)? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let value = parts.first.flatMap({ Double($0) }), value.isFinite else { return nil }
        return (value, parts.count == 2 ? String(parts[1]) : nil)
    }

    private func number(_ name: String) -> Double? {
        values[name].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    private var location: EmergencyMessage.Location? {
        guard let source = values["location_source"] else { return nil }
        // `latitude,longitude radius`
        let point = circle?.split(separator: " ").first?.split(separator: ",").map { Double($0) }
        var place: Coordinates?
        if let point, point.count == 2, let latitude = point[0], let longitude = point[1] {
            place = Coordinates(latitude: latitude, longitude: longitude)
        }
        return EmergencyMessage.Location(
            source: source, latitude: place?.latitude, longitude: place?.longitude,
            errorMetres: number("location_error_m"), ageSeconds: number("location_age_s"),
            of: values["location_of"], address: values["location_address"])
    }

    private var profile: EmergencyMessage.Profile? {
        EmergencyMessage.Profile(
            name: values["person_name"], address: values["home_address"], phone: values["phone"],
            birthYear: values["birth_year"].flatMap { Int($0) }, gender: values["gender"],
            medicalNotes: Array(values.all("medical_note").prefix(Self.mostEntries)),
            contacts: values.all("contact").prefix(Self.mostEntries).map(Self.contact))
    }

    /// `Anna Rossi (daughter) +393331234567`.
    private static func contact(_ line: String) -> EmergencyMessage.Contact {
        guard let space = line.lastIndex(of: " ") else {
            return EmergencyMessage.Contact(name: "", phone: line, relation: nil)
        }
        let (name, phone) = (line[..<space], String(line[line.index(after: space)...]))
        guard name.hasSuffix(")"), let bracket = name.firstRange(of: " (") else {
            return EmergencyMessage.Contact(name: String(name), phone: phone, relation: nil)
        }
        return EmergencyMessage.Contact(
            name: String(name[..<bracket.lowerBound]), phone: phone,
            relation: String(name[bracket.upperBound...].dropLast()))
    }

    /// `trend_heart_rate`: `strap /min: -14 96, -9 104`, in seconds relative to the message.
    private var trend: [EmergencyMessage.TrendValue] {
        guard let sent else { return [] }
        var trend: [EmergencyMessage.TrendValue] = []
        for kind in QuantityKind.allCases {
            for line in values.all("trend_" + kind.rawValue.replacing("-", with: "_")) {
                let halves = line.split(separator: ": ", maxSplits: 1)
                guard halves.count == 2, let unit = halves[0].split(separator: " ").last else { continue }
                for pair in halves[1].split(separator: ", ") {
                    let words = pair.split(separator: " ")
                    guard words.count == 2, let seconds = Int64(words[0]), (-86_400...0).contains(seconds),
                        let value = Double(words[1]), value.isFinite
                    else { continue }
                    trend.append(
                        EmergencyMessage.TrendValue(
                            kind: kind.rawValue, value: value, unit: String(unit),
                            time: sent.advanced(by: .seconds(seconds))))
                }
            }
        }
        return Array(trend.sorted { $0.time < $1.time }.suffix(EmergencyMessage.longestList))
    }
}

/// The `parameter` pairs of an `info`: one line of 1 to 500 characters each; others are left out.
private struct Values: Hashable, Sendable {
    private let pairs: [String: [String]]

    init(_ info: XMLElement, most: Int) {
        var pairs: [String: [String]] = [:]
        for pair in info.children.lazy.filter({ $0.name == "parameter" }).prefix(most) {
            guard let name = pair["valueName"], let value = pair["value"], PlainText.holds(value, 1...500)
            else {
                continue
            }
            pairs[name, default: []].append(value)
        }
        self.pairs = pairs
    }

    subscript(name: String) -> String? { pairs[name]?.first }

    func all(_ name: String) -> [String] { pairs[name] ?? [] }
}
