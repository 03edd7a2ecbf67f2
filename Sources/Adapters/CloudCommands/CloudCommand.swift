public import Consent
public import GatewayModel
public import RunBeacon
public import SOSLocal

/// Request of a command: `cmd` of its claims, read.
public enum CloudCommand: Hashable, Sendable {
    case abort(AlarmTarget)
    case resolve(AlarmTarget)
    case drill(PersonID)
    case heartbeat(every: Duration)
    case tracking(DeviceTracking)
    case sampleInterval(SampleInterval)
    case thresholds(Thresholds)
    case policy(PersonID, isAccepted: Bool)
    case automatedSOS(PersonID, isAccepted: Bool)
    /// The code is that of a request to link an account.
    case request(DataRequest, code: OneTimeCode?)
    case decide(PersonID, RequestID, Verdict)
    case partyKey(PartyKeyChange)
    case rotateKey(OfferedKey)
    case run(RunOrder)
    case profile(PersonID, ProfileChange)

    /// Whether a kind of reading of a device is taken, and whether it is the only source for SOS.
    public struct DeviceTracking: Hashable, Sendable {
        public let device: DeviceID
        public let kind: QuantityKind
        public let isOn: Bool
        /// Nil leaves it as it is.
        public let isSOSSource: Bool?
    }

    /// Decision about a request.
    public enum Verdict: String, CaseIterable, Hashable, Sendable { case granted, refused, withdrawn }

    /// Other limits for one kind of reading of a person.
    public struct Thresholds: Hashable, Sendable {
        public let person: PersonID
        public let kind: QuantityKind
        /// In the kind's unit; nil goes back to the value of the settings. A bound that is not named stays as
        /// it is.
        public let limits: [LimitSlot: Double?]
    }

    /// Shortest time between two readings of a kind that are sent to the broker.
    public struct SampleInterval: Hashable, Sendable {
        public let person: PersonID
        public let kind: QuantityKind
        /// 0 goes back to the value of the settings.
        public let seconds: Int64
    }

    /// A key that an issuer wants to sign with, not looked into yet.
    public struct OfferedKey: Hashable, Sendable {
        let json: StrictJSON

        public func pinned() async throws(PinnedKey.Fault) -> PinnedKey { try await PinnedKey(json) }
    }
}

extension CloudCommand {
    /// Strict: a member that is not known is refused, for the issuer may rely on it.
    static func read(_ json: StrictJSON) throws(CommandRefusal) -> (CommandKind, CloudCommand) {
        var members = try Members(json, of: "cmd")
        guard case .text(let word)? = members.takeIfAny("type") else {
            throw CommandRefusal(.wrongValue, "cmd: expected a type")
        }
        guard let kind = CommandKind(rawValue: word) else {
            throw CommandRefusal(.unknownCommand, "cmd: there is no command of this type")
        }
        let command = try read(kind, &members)
        try members.end()
        return (kind, command)
    }

    private static func read(
        _ kind: CommandKind, _ members: inout Members
    ) throws(CommandRefusal) -> CloudCommand {
        switch kind {
        case .abort: .abort(try target(&members))
        case .resolve: .resolve(try target(&members))
        case .drill: .drill(try members.name("person"))
        case .heartbeatInterval: .heartbeat(every: .seconds(try members.whole("seconds", 10...86_400)))
        case .deviceTracking:
            .tracking(
                DeviceTracking(
                    device: try members.name("device"), kind: try members.kind("kind"),
                    isOn: try members.truth("on"), isSOSSource: try members.truthIfAny("sos")))
        case .sampleInterval:
            .sampleInterval(
                SampleInterval(
                    person: try members.name("person"), kind: try members.kind("kind"),
                    seconds: try members.whole("seconds", SamplePacer.seconds)))
        case .thresholds: .thresholds(try thresholds(&members))
        case .policy: .policy(try members.name("person"), isAccepted: try members.truth("accepted"))
        case .automatedSOS: .automatedSOS(try members.name("person"), isAccepted: try members.truth("accepted"))
        case .rotateKey: .rotateKey(OfferedKey(json: try members.take("key")))
        case .request: try linkOrRequest(&members)
        case .decide:
            .decide(
                try members.name("person"), try members.name("request"),
                try members.parsed(
                    "verdict", expected: Verdict.allCases.map(\.rawValue).joined(separator: ", "),
                    Verdict.init(rawValue:)))
        case .withdraw: .decide(try members.name("person"), try members.name("request"), .withdrawn)
        case .partyKey: .partyKey(try PartyKeyChange(&members))
        case .profile: .profile(try members.name("person"), try ProfileChange(&members))
        case .runCreate: .run(try runCreate(&members))
        case .runChange: .run(try runChange(&members))
        case .runCancel: .run(.cancel(try members.name("run")))
        case .runEnrol: .run(try runEnrol(&members))
        case .runLeave: .run(try runLeave(&members))
        }
    }

    private static func linkOrRequest(_ members: inout Members) throws(CommandRefusal) -> CloudCommand {
        let request = try request(&members)
        let code = try members.parsedIfAny("code", expected: "\(OneTimeCode.length) digits and nothing else") {
            text in OneTimeCode(text, of: .digits).flatMap { $0.description == text ? $0 : nil }
        }
        guard code == nil || request.linksAccount else {
            throw members.wrong("code", expected: "none: only a request to link an account has a code")
        }
        return .request(request, code: code)
    }

    /// One alarm, or a person's; the only open one where neither is named.
    private static func target(_ members: inout Members) throws(CommandRefusal) -> AlarmTarget {
        let alarm = try members.parsedIfAny("alarm", expected: "the alarm's id, a UUID") { AlarmID($0) }
        let person = try members.nameIfAny("person", PersonID.self)
        switch (alarm, person) {
        case (let alarm?, nil): return .alarm(alarm)
        case (nil, let person?): return .person(person)
        case (nil, nil): return .theOpenOne
        case (_?, _?): throw CommandRefusal(.wrongValue, "cmd: expected alarm or person, not both")
        }
    }

    private static func thresholds(_ members: inout Members) throws(CommandRefusal) -> Thresholds {
        let person: PersonID = try members.name("person")
        let kind = try members.kind("kind")
        var limits: [LimitSlot: Double?] = [:]
        for slot in LimitSlot.allCases {
            switch members.takeIfAny(slot.rawValue) {
            case nil: continue
            case .null?: limits[slot] = .some(nil)
            case .whole(let value)?: limits[slot] = Double(value)
            case .number(let value)?: limits[slot] = value
            default: throw members.wrong(slot.rawValue, expected: "a number, or null for the settings' own")
            }
        }
        guard !limits.isEmpty else {
            throw CommandRefusal(
                .wrongValue,
                "cmd: expected one of \(LimitSlot.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return Thresholds(person: person, kind: kind, limits: limits)
    }
}

extension Members {
    mutating func name<ID: Name>(_ member: String) throws(CommandRefusal) -> ID {
        try parsed(member, expected: ID.form) { ID($0) }
    }

    mutating func nameIfAny<ID: Name>(_ member: String, _: ID.Type) throws(CommandRefusal)
        -> ID?
    {
        try parsedIfAny(member, expected: ID.form) { ID($0) }
    }

    mutating func kind(_ member: String) throws(CommandRefusal) -> QuantityKind {
        try parsed(member, expected: "a kind of reading of the contract") { QuantityKind(rawValue: $0) }
    }
}

// Request of a third party, and the keys by which it is known.
extension CloudCommand {
    static func request(_ members: inout Members) throws(CommandRefusal) -> DataRequest {
        let id: RequestID = try members.name("request")
        let party = try party(try members.take("party"))
        let person: PersonID = try members.name("person")
        let purpose = try members.text("purpose", DataRequest.purposeLength)
        let kinds = try kinds(&members)
        let role = try members.parsedIfAny("role", expected: "looks or acts") { LinkRole(rawValue: $0) }
        let format = try members.parsedIfAny("format", expected: "samples or fhir") {
            ReadingFormat(rawValue: $0)
        }
        let precision = try members.parsedIfAny("precision", expected: "coarse or exact") {
            LocationPrecision(rawValue: $0)
        }
        let (from, until) = (try members.timeIfAny("from"), try members.timeIfAny("until"))
        do throws(DataRequest.Flaw) {
            return try DataRequest(
                id: id, party: party, person: person, purpose: purpose, kinds: kinds,
                role: role ?? .looks, format: format ?? .samples, precision: precision ?? .coarse, from: from,
                until: until)
        } catch {
            throw CommandRefusal(.wrongValue, "cmd: \(error.rawValue)")
        }
    }

    private static func kinds(_ members: inout Members) throws(CommandRefusal) -> Set<DataKind> {
        guard case .array(let elements) = try members.take("kinds") else {
            throw members.wrong("kinds", expected: "a list of kinds of the contract, each once")
        }
        var kinds: Set<DataKind> = []
        for element in elements {
            guard case .text(let text) = element, let kind = DataKind(rawValue: text),
                kinds.insert(kind).inserted
            else { throw members.wrong("kinds", expected: "a list of kinds of the contract, each once") }
        }
        return kinds
    }

    private static func party(_ json: StrictJSON) throws(CommandRefusal) -> ThirdParty {
        var members = try Members(json, of: "party")
        let id: PartyID = try members.name("id")
        let name = try members.text("name", ThirdParty.nameLength)
        var (sealing, signing): (ThirdParty.SealingKey?, ThirdParty.SigningKey?)
        if let key = members.takeIfAny("sealing_key") { sealing = try sealingKey(key) }
        if let bytes = try members.keyIfAny("signing_key") { signing = ThirdParty.SigningKey(bytes: bytes) }
        try members.end()
        guard let party = ThirdParty(id: id, name: name, sealingKey: sealing, signingKey: signing) else {
            throw CommandRefusal(.wrongValue, "party: name is no plain text")
        }
        return party
    }

    /// `{"kid": …, "x25519": …}`
    static func sealingKey(_ json: StrictJSON) throws(CommandRefusal) -> ThirdParty.SealingKey {
        var members = try Members(json, of: "sealing_key")
        let id = try members.parsed("kid", expected: KeyID.form) { KeyID($0) }
        let bytes = try members.keyIfAny("x25519")
        try members.end()
        guard let bytes, let key = ThirdParty.SealingKey(id: id, bytes: bytes) else {
            throw CommandRefusal(.wrongValue, "sealing_key: x25519 is missing")
        }
        return key
    }
}

extension Members {
    /// Seconds since 1970, as `iat` and `exp`.
    mutating func timeIfAny(_ name: String) throws(CommandRefusal) -> WallTime? {
        guard let value = takeIfAny(name) else { return nil }
        guard case .whole(let seconds) = value, (0...1 << 40).contains(seconds) else {
            throw wrong(name, expected: "seconds since 1970")
        }
        return WallTime(millisecondsSince1970: seconds * 1_000)
    }

    /// 32 bytes, base64url.
    mutating func keyIfAny(_ name: String) throws(CommandRefusal) -> [UInt8]? {
        try parsedIfAny(name, expected: "32 bytes as base64url without padding") { text in
            Base64URL.decode(text).flatMap { $0.count == 32 ? $0 : nil }
        }
    }
}

// Requests to the runs: as in a run file, a member for a key.
extension CloudCommand {
    private static func runCreate(_ members: inout Members) throws(CommandRefusal) -> RunOrder {
        let id: RunID = try members.name("run")
        let title = try members.text("title", titleLength)
        let end = try members.parsed("end", expected: WallTime.rfc3339Form) { WallTime(rfc3339: $0) }
        guard let waves = try members.listIfAny("waves", wave) else { throw members.missing("waves") }
        guard let checkpoints = try members.listIfAny("checkpoints", checkpoint) else {
            throw members.missing("checkpoints")
        }
        let outline = RunOutline(
            title: title, end: end, waves: waves, checkpoints: checkpoints,
            course: try members.courseIfAny("course"))
        return .create(
            RunPlan(
                id: id, outline: outline, entrants: try members.listIfAny("participants", entrant) ?? []))
    }

    private static func runChange(_ members: inout Members) throws(CommandRefusal) -> RunOrder {
        let id: RunID = try members.name("run")
        let change = RunChange(
            title: try members.textIfAny("title", titleLength),
            end: try members.parsedIfAny("end", expected: WallTime.rfc3339Form) { WallTime(rfc3339: $0) },
            waves: try members.listIfAny("waves", wave),
            checkpoints: try members.listIfAny("checkpoints", checkpoint),
            course: try members.courseIfAny("course"))
        // First, so that a member that cannot be changed is named.
        try members.end()
        guard change != RunChange() else {
            throw CommandRefusal(.wrongValue, "cmd: expected one of title, end, waves, checkpoints, course")
        }
        return .change(id, change)
    }

    private static func runEnrol(_ members: inout Members) throws(CommandRefusal) -> RunOrder {
        let id: RunID = try members.name("run")
        guard let entrants = try members.listIfAny("participants", entrant) else {
            throw members.missing("participants")
        }
        return .enrol(id, entrants)
    }

    private static func runLeave(_ members: inout Members) throws(CommandRefusal) -> RunOrder {
        let id: RunID = try members.name("run")
        guard case .array(let elements) = try members.take("bibs"), !elements.isEmpty else {
            throw members.wrong("bibs", expected: "a list of bibs, one at least")
        }
        var bibs: [Bib] = []
        for element in elements {
            guard case .whole(let number) = element, let bib = Bib(exactly: number), !bibs.contains(bib) else {
                throw members.wrong("bibs", expected: "a list of bibs, each once")
            }
            bibs.append(bib)
        }
        return .leave(id, bibs)
    }

    // MARK: Parts

    private static let titleLength = 1...100
    /// As the settings' `minimum_split_s`.
    private static let splits = 0.0...86_400

    private static func wave(_ json: StrictJSON) throws(CommandRefusal) -> Wave {
        var members = try Members(json, of: "waves")
        let wave = Wave(
            id: try members.name("id"),
            start: try members.parsed("start", expected: WallTime.rfc3339Form) { WallTime(rfc3339: $0) })
        try members.end()
        return wave
    }

    private static func checkpoint(_ json: StrictJSON) throws(CommandRefusal) -> Checkpoint {
        var members = try Members(json, of: "checkpoints")
        let id: CheckpointID = try members.name("id")
        let distances = try members.numbers("distances_m")
        let isFinish = try members.truthIfAny("finish") ?? false
        let rule = try members.parsedIfAny(
            "rule", expected: Checkpoint.Rule.allCases.map(\.rawValue).joined(separator: ", "),
            Checkpoint.Rule.init(rawValue:))
        let split = try members.numberIfAny("minimum_split_s", splits) ?? 0
        let box = try members.nameIfAny("box", GatewayID.self)
        try members.end()
        guard
            let checkpoint = Checkpoint(
                id: id, distances: distances, isFinish: isFinish, rule: rule,
                minimumSplit: .milliseconds(Int64((split * 1_000).rounded())), box: box)
        else {
            throw members.wrong(
                "distances_m",
                expected: "metres from the start, 0 to 1000000, each farther than the one before")
        }
        return checkpoint
    }

    /// Without a person: the house decides which wearables' positions belong to a runner.
    private static func entrant(_ json: StrictJSON) throws(CommandRefusal) -> Entrant {
        var members = try Members(json, of: "participants")
        guard let bib = Bib(exactly: try members.whole("bib", Bib.bounds)) else {
            throw members.wrong("bib", expected: "a bib")
        }
        let name = try members.textIfAny("name", Entrant.nameLength)
        let category = try members.textIfAny("category", Entrant.categoryLength)
        let wave = try members.nameIfAny("wave", WaveID.self)
        let tags = try tags(&members)
        let carries = try members.nameIfAny("carries", GatewayID.self)
        try members.end()
        return Entrant(bib: bib, name: name, category: category, wave: wave, tags: tags, carries: carries)
    }

    private static func tags(_ members: inout Members) throws(CommandRefusal) -> [TagName] {
        guard let json = members.takeIfAny("tags") else { return [] }
        let expected = "a list of at most \(Entrant.mostTags) tags, each once"
        guard case .array(let elements) = json, elements.count <= Entrant.mostTags else {
            throw members.wrong("tags", expected: expected)
        }
        var tags: [TagName] = []
        for element in elements {
            guard case .text(let text) = element else { throw members.wrong("tags", expected: expected) }
            let tag: TagName
            do throws(TagIdentity.Flaw) {
                tag = try TagName(text)
            } catch {
                throw CommandRefusal(.wrongValue, "tags: \(error)")
            }
            guard !tags.contains(tag) else { throw members.wrong("tags", expected: expected) }
            tags.append(tag)
        }
        return tags
    }
}

extension Bib {
    fileprivate static let bounds = Int64(range.lowerBound)...Int64(range.upperBound)

    fileprivate init?(exactly number: Int64) {
        guard let number = Int(exactly: number) else { return nil }
        self.init(number)
    }
}

extension Members {
    fileprivate func missing(_ name: String) -> CommandRefusal {
        CommandRefusal(.wrongValue, "\(place): \(name) is missing")
    }

    /// At least one.
    mutating func listIfAny<Element>(
        _ name: String, _ read: (StrictJSON) throws(CommandRefusal) -> Element
    ) throws(CommandRefusal) -> [Element]? {
        guard let json = takeIfAny(name) else { return nil }
        guard case .array(let elements) = json, !elements.isEmpty else {
            throw wrong(name, expected: "a list, of one at least")
        }
        var list: [Element] = []
        for element in elements { list.append(try read(element)) }
        return list
    }

    /// The name of a file, or `{"polyline": …}`.
    fileprivate mutating func courseIfAny(_ name: String) throws(CommandRefusal) -> PlannedCourse? {
        guard let json = takeIfAny(name) else { return nil }
        if case .text(let text) = json, let file = CompanionFile(text) { return .file(file) }
        guard case .object = json else {
            throw wrong(name, expected: "\(CompanionFile.form); or an object with a polyline")
        }
        var members = try Members(json, of: name)
        guard case .text(let text) = try members.take("polyline") else {
            throw members.wrong("polyline", expected: "a text")
        }
        try members.end()
        do throws(CourseLine.Flaw) {
            return .line(try CourseLine(text))
        } catch {
            throw CommandRefusal(.wrongValue, "\(name): polyline: \(error)")
        }
    }

    fileprivate mutating func numbers(_ name: String) throws(CommandRefusal) -> [Double] {
        guard case .array(let elements) = try take(name) else {
            throw wrong(name, expected: "a list of numbers")
        }
        var numbers: [Double] = []
        for element in elements {
            guard let number = element.number else { throw wrong(name, expected: "a list of numbers") }
            numbers.append(number)
        }
        return numbers
    }

    fileprivate mutating func numberIfAny(
        _ name: String, _ range: ClosedRange<Double>
    ) throws(CommandRefusal) -> Double? {
        guard let json = takeIfAny(name) else { return nil }
        guard let number = json.number, range.contains(number) else {
            throw wrong(name, expected: "a number, \(range.lowerBound)...\(range.upperBound)")
        }
        return number
    }
}

extension StrictJSON {
    fileprivate var number: Double? {
        switch self {
        case .whole(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}
