public import GatewayModel
import SOSLocal

extension EmergencyMessage {
    /// Maximum number of values of a trend, of contacts and of notes that are kept.
    static let longestList = 500

    /// - Parameter person: the person of the topic.
    public init(_ payload: [UInt8], of person: PersonID) throws(ContractFault) {
        let core: Core = try WirePayload.read(from: payload)
        guard core.person == person else { throw .elsewhere(member: "person") }
        guard let state = State(rawValue: core.state) else { throw .form("'state' is unknown") }
        let details = (try? WirePayload.read(Details.self, from: payload)) ?? Details()
        id = core.id
        alarm = core.alarm
        self.person = person
        self.state = state
        // A message that does not say whether it is a drill is an emergency.
        isDrill = details.drill ?? false
        isShort = details.short ?? false
        time = details.time?.wall ?? core.id.wall
        round = details.round.map { max(1, $0) }
        certainty = details.certainty.flatMap { AlarmCertainty(rawValue: $0.text) }
        cause = details.cause.map { Cause($0) } ?? details.shortCause
        location = details.location.map { Location($0) } ?? details.shortLocation
        profile = details.profile.map { Profile($0) } ?? details.shortProfile
        let values = details.trend ?? []
        trend = values.prefix(Self.longestList).compactMap { TrendValue($0.value) }
        ending =
            details.ending.map { Ending(how: $0.how.text, by: $0.by.text, means: $0.means?.text) }
            ?? details.shortEnding
        crossing = details.timeline?.crossing.wall
        route = nil
        isPartial = details.isPartial || trend.count < values.count
    }

    private struct Core: Decodable {
        let id: MessageID
        let alarm: AlarmID
        let person: PersonID
        let state: String
    }

    struct RawCause: Decodable {
        let rule: WireText
        let device, kind, unit: WireText?
        let limit, value, newest: WireNumber?
        /// A cause whose doubts cannot be read is a cause.
        let doubt: Lenient<[WireText]>?
    }

    struct RawLocation: Decodable {
        let source: WireText
        let latitude, longitude, errorM, ageSeconds: WireNumber?
        let of, address: WireText?
    }

    struct RawContact: Decodable {
        let name, phone: WireText
        let relation: WireText?
    }

    struct RawProfile: Decodable {
        let name, address, phone, gender: WireText?
        let birthYear: Int?
        let medicalNotes: [WireText]?
        let contacts: [RawContact]?
    }

    struct RawTrendValue: Decodable {
        let kind, unit: WireText
        let value: WireNumber
        let time: WireTime
    }

    private struct RawEnding: Decodable {
        let how, by: WireText
        let means: WireText?
    }

    private struct Timeline: Decodable {
        let crossing: WireTime
    }

    /// Each part by itself, so that none is lost with another one.
    private struct Details: Decodable {
        var drill, short: Bool?
        var time: WireTime?
        var round: Int?
        var certainty: WireText?
        var cause: RawCause?
        var location: RawLocation?
        var profile: RawProfile?
        var trend: [Lenient<RawTrendValue>]?
        var ending: RawEnding?
        var timeline: Timeline?
        var shortCause: Cause?
        var shortLocation: Location?
        var shortProfile: Profile?
        var shortEnding: Ending?
        var isPartial = true

        private enum Key: String, CodingKey {
            case drill, short, time, round, certainty, cause, location, profile, trend, ending, timeline
            // Of the short form.
            case rule, place, at, ageSeconds, value, unit, doubt, how, by, name, address, phones
        }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            drill = container.part(.drill)
            short = container.part(.short)
            time = container.part(.time)
            round = container.part(.round)
            certainty = container.part(.certainty)
            cause = container.part(.cause)
            location = container.part(.location)
            profile = container.part(.profile)
            trend = container.part(.trend)
            ending = container.part(.ending)
            timeline = container.part(.timeline)
            let read: [(Key, Bool)] = [
                (.drill, drill != nil), (.time, time != nil), (.round, round != nil),
                (.certainty, certainty != nil), (.cause, cause != nil),
                (.location, location != nil), (.profile, profile != nil), (.trend, trend != nil),
                (.ending, ending != nil), (.timeline, timeline != nil),
            ]
            isPartial = read.contains { container.contains($0.0) && !$0.1 }
            if short == true { readShortForm(container) }
        }

        private mutating func readShortForm(_ container: KeyedDecodingContainer<Key>) {
            func text(_ key: Key) -> String? { (container.part(key) as WireText?)?.text }
            func number(_ key: Key) -> Double? { (container.part(key) as WireNumber?)?.value }
            let doubt: [WireText]? = container.part(.doubt)
            if let rule = text(.rule) {
                shortCause = Cause(
                    rule: rule, device: nil, kind: nil, limit: nil, value: number(.value), newest: nil,
                    unit: text(.unit), doubts: doubt.map { Doubts(words: $0.map(\.text)) })
            }
            let at: [WireNumber]? = container.part(.at)
            if let place = text(.place), let at, at.count == 2 {
                shortLocation = Location(
                    source: place, latitude: at[0].value, longitude: at[1].value, errorMetres: nil,
                    ageSeconds: number(.ageSeconds), of: nil, address: nil)
            }
            let phones: [WireText]? = container.part(.phones)
            if container.contains(.name) || container.contains(.address) || container.contains(.phones) {
                shortProfile = Profile(
                    name: text(.name), address: text(.address), phone: nil, birthYear: nil, gender: nil,
                    medicalNotes: [],
                    contacts: (phones ?? []).map { Contact(name: "", phone: $0.text, relation: nil) })
            }
            if let how = text(.how), let by = text(.by) {
                shortEnding = Ending(how: how, by: by, means: nil)
            }
        }
    }
}

extension EmergencyMessage.Cause {
    fileprivate init(_ raw: EmergencyMessage.RawCause) {
        self.init(
            rule: raw.rule.text, device: raw.device?.text, kind: raw.kind?.text, limit: raw.limit?.value,
            value: raw.value?.value, newest: raw.newest?.value, unit: raw.unit?.text,
            doubts: raw.doubt.map { Doubts(words: ($0.value ?? []).map(\.text)) })
    }
}

extension EmergencyMessage.Location {
    fileprivate init(_ raw: EmergencyMessage.RawLocation) {
        let isPlace =
            (-90...90).contains(raw.latitude?.value ?? .infinity)
            && (-180...180).contains(raw.longitude?.value ?? .infinity)
        self.init(
            source: raw.source.text, latitude: isPlace ? raw.latitude?.value : nil,
            longitude: isPlace ? raw.longitude?.value : nil, errorMetres: raw.errorM?.value,
            ageSeconds: raw.ageSeconds?.value, of: raw.of?.text, address: raw.address?.text)
    }
}

extension EmergencyMessage.Profile {
    fileprivate init(_ raw: EmergencyMessage.RawProfile) {
        self.init(
            name: raw.name?.text, address: raw.address?.text, phone: raw.phone?.text, birthYear: raw.birthYear,
            gender: raw.gender?.text, medicalNotes: (raw.medicalNotes ?? []).map(\.text),
            contacts: (raw.contacts ?? []).map {
                EmergencyMessage.Contact(
                    name: $0.name.text, phone: $0.phone.text, relation: $0.relation?.text)
            })
    }
}

extension EmergencyMessage.TrendValue {
    fileprivate init?(_ raw: EmergencyMessage.RawTrendValue?) {
        guard let raw else { return nil }
        self.init(kind: raw.kind.text, value: raw.value.value, unit: raw.unit.text, time: raw.time.wall)
    }
}
