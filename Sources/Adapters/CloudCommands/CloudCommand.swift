public import Consent
public import GatewayModel
public import RunBeacon
public import SOSLocal

/// What a command asks for: `cmd` of its claims, read.
public enum CloudCommand: Hashable, Sendable {
    case abort(AlarmTarget)
    case resolve(AlarmTarget)
    case drill(PersonID)
    case heartbeat(every: Duration)
    case tracking(DeviceTracking)
    case thresholds(Thresholds)
    case policy(PersonID, isAccepted: Bool)
    case automatedSOS(PersonID, isAccepted: Bool)
    case request(DataRequest)
    case decide(PersonID, RequestID, Verdict)
    case partyKey(PartyKeyChange)
    case rotateKey(OfferedKey)
    case run(RunOrder)

    /// Whether a kind of reading of a device is taken, and whether it is the only source for SOS.
    public struct DeviceTracking: Hashable, Sendable {
        public let device: DeviceID
        public let kind: QuantityKind
        public let isOn: Bool
        /// Nil leaves it as it is.
        public let isSOSSource: Bool?
    }

    /// What is decided about a request.
    public enum Verdict: String, CaseIterable, Hashable, Sendable { case granted, refused, withdrawn }

    /// Other limits for one kind of reading of a person.
    public struct Thresholds: Hashable, Sendable {
        public let person: PersonID
        public let kind: QuantityKind
        /// In the kind's unit; nil goes back to what the settings say. What is not named stays as it is.
        public let limits: [LimitSlot: Double?]
    }

    /// A key that an issuer wants to sign with, not looked into yet.
    public struct OfferedKey: Hashable, Sendable {
        let json: StrictJSON

        public func pinned() async throws(PinnedKey.Fault) -> PinnedKey { try await PinnedKey(json) }
    }
}

extension CloudCommand {
    /// Strict: a member that is not known is refused, for it may be what the issuer relies on.
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
        case .thresholds: .thresholds(try thresholds(&members))
        case .policy: .policy(try members.name("person"), isAccepted: try members.truth("accepted"))
        case .automatedSOS: .automatedSOS(try members.name("person"), isAccepted: try members.truth("accepted"))
        case .rotateKey: .rotateKey(OfferedKey(json: try members.take("key")))
        case .request: .request(try request(&members))
        case .decide:
            .decide(
                try members.name("person"), try members.name("request"),
                try members.parsed(
                    "verdict", expected: Verdict.allCases.map(\.rawValue).joined(separator: ", "),
                    Verdict.init(rawValue:)))
        case .withdraw: .decide(try members.name("person"), try members.name("request"), .withdrawn)
        case .partyKey: .partyKey(try PartyKeyChange(&members))
        case .runCreate: .run(try runCreate(&members))
        case .runChange: .run(try runChange(&members))
        case .runCancel: .run(.cancel(try members.name("run")))
        case .runEnrol: .run(try runEnrol(&members))
        case .runLeave: .run(try runLeave(&members))
        }
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

    mutating func nameIfAny<ID: Name>(_ member: String, _: ID.Type) throws(CommandRefusal) -> ID? {
        try parsedIfAny(member, expected: ID.form) { ID($0) }
    }

    mutating func kind(_ member: String) throws(CommandRefusal) -> QuantityKind {
        try parsed(member, expected: "a kind of reading of the contract") { QuantityKind(rawValue: $0) }
    }
}
