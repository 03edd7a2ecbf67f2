package import GatewayModel

/// Answer of the gateway to a request: lines for a person, whether the request was carried out, and data for programs.
package struct ControlReply: Sendable {
    /// Data of an answer.
    package enum Content: Sendable {
        case history(HistoryPage)
        case locations(LocationPage)
        case alarms(AlarmHistory)
        case myData(MyDataPage)
        case positions([PositionRow])
        case vitals(RunnerVitals)
        case snapshot(HouseSnapshot)
        case consents(ConsentOverview)
        case request(HouseSnapshot.Request)
        case decisions(DecisionHistory)
        case profile(ProfileDocument)
        case limits([LimitRow])
        case channels([ChannelRow])
        case limitQuestions([HouseSnapshot.LimitQuestion])
        case runs([RunRow])
        case race(RaceDocument)
        case deviceSetup(DeviceSetupDocument)
        case check(CheckReport)
        case events([EventRow])
        case walk(WalkDocument)
        case settings(SettingsListing)
        /// Not on the wire: see `ControlReply.later`.
        case later(@Sendable () -> ControlReply)
    }

    package let isDone: Bool
    package let lines: [String]
    package let content: Content?
    /// Reason of a refusal, for pages; nil where it has none, or one of another version.
    package let refusal: RefusalCode?

    package static func done(_ lines: String...) -> ControlReply { ControlReply(isDone: true, lines: lines) }
    package static func refused(_ reason: String, _ code: RefusalCode? = nil) -> ControlReply {
        ControlReply(isDone: false, lines: [reason], refusal: code)
    }
    package static func refused(_ error: ControlError) -> ControlReply {
        refused(error.description, error.code)
    }

    package init(isDone: Bool, lines: [String], content: Content? = nil, refusal: RefusalCode? = nil) {
        (self.isDone, self.lines, self.content, self.refusal) = (isDone, lines, content, refusal)
    }

    /// Answer that is made on the control thread, for a caller on a thread that must not be kept.
    package static func later(_ make: @escaping @Sendable () -> ControlReply) -> ControlReply {
        ControlReply(isDone: true, lines: [], content: .later(make))
    }

    /// The part of the answer that a session may see. The lines of a state are for installers: they name everybody.
    package func seen(by session: ControlSession) -> ControlReply {
        switch content {
        case .snapshot(let snapshot):
            return ControlReply(isDone: isDone, lines: [], content: .snapshot(snapshot.seen(by: session)))
        case .race(let document) where session.role != .organiser:
            return ControlReply(isDone: isDone, lines: [], content: .race(document.forSpectators))
        default: return self
        }
    }

    /// The answer itself; of one that is made later, the result. On the control thread.
    package var made: ControlReply {
        if case .later(let make) = content { make() } else { self }
    }
}

/// Flat on the wire: each kind of content is a field of its own.
extension ControlReply: Codable {
    private enum CodingKeys: CodingKey {
        case isDone, lines, refusal, history, locations, alarms, myData, positions, vitals, snapshot
        case consents, request, decisions, profile, limits, channels, limitQuestions, runs, race
        case deviceSetup, check, events, walk, settings
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        isDone = try fields.decode(Bool.self, forKey: .isDone)
        lines = try fields.decode([String].self, forKey: .lines)
        refusal = try fields.decodeIfPresent(String.self, forKey: .refusal).flatMap {
            RefusalCode(rawValue: $0)
        }
        content = try Self.content(in: fields)
    }

    private static func content(in fields: KeyedDecodingContainer<CodingKeys>) throws -> Content? {
        switch fields.allKeys.first(where: { ![.isDone, .lines, .refusal].contains($0) }) {
        case .history: .history(try fields.decode(HistoryPage.self, forKey: .history))
        case .locations: .locations(try fields.decode(LocationPage.self, forKey: .locations))
        case .alarms: .alarms(try fields.decode(AlarmHistory.self, forKey: .alarms))
        case .myData: .myData(try fields.decode(MyDataPage.self, forKey: .myData))
        case .positions: .positions(try fields.decode([PositionRow].self, forKey: .positions))
        case .vitals: .vitals(try fields.decode(RunnerVitals.self, forKey: .vitals))
        case .snapshot: .snapshot(try fields.decode(HouseSnapshot.self, forKey: .snapshot))
        case .consents: .consents(try fields.decode(ConsentOverview.self, forKey: .consents))
        case .request: .request(try fields.decode(HouseSnapshot.Request.self, forKey: .request))
        case .decisions: .decisions(try fields.decode(DecisionHistory.self, forKey: .decisions))
        case .profile: .profile(try fields.decode(ProfileDocument.self, forKey: .profile))
        case .limits: .limits(try fields.decode([LimitRow].self, forKey: .limits))
        case .channels: .channels(try fields.decode([ChannelRow].self, forKey: .channels))
        case .limitQuestions:
            .limitQuestions(try fields.decode([HouseSnapshot.LimitQuestion].self, forKey: .limitQuestions))
        case .runs: .runs(try fields.decode([RunRow].self, forKey: .runs))
        case .race: .race(try fields.decode(RaceDocument.self, forKey: .race))
        case .deviceSetup: .deviceSetup(try fields.decode(DeviceSetupDocument.self, forKey: .deviceSetup))
        case .check: .check(try fields.decode(CheckReport.self, forKey: .check))
        case .events: .events(try fields.decode([EventRow].self, forKey: .events))
        case .walk: .walk(try fields.decode(WalkDocument.self, forKey: .walk))
        case .settings: .settings(try fields.decode(SettingsListing.self, forKey: .settings))
        case .isDone, .lines, .refusal, nil: nil
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(isDone, forKey: .isDone)
        try fields.encode(lines, forKey: .lines)
        try fields.encodeIfPresent(refusal?.rawValue, forKey: .refusal)
        switch content {
        case .history(let page): try fields.encode(page, forKey: .history)
        case .locations(let page): try fields.encode(page, forKey: .locations)
        case .alarms(let document): try fields.encode(document, forKey: .alarms)
        case .myData(let page): try fields.encode(page, forKey: .myData)
        case .positions(let rows): try fields.encode(rows, forKey: .positions)
        case .vitals(let vitals): try fields.encode(vitals, forKey: .vitals)
        case .snapshot(let snapshot): try fields.encode(snapshot, forKey: .snapshot)
        case .consents(let document): try fields.encode(document, forKey: .consents)
        case .request(let document): try fields.encode(document, forKey: .request)
        case .decisions(let document): try fields.encode(document, forKey: .decisions)
        case .profile(let document): try fields.encode(document, forKey: .profile)
        case .limits(let document): try fields.encode(document, forKey: .limits)
        case .channels(let document): try fields.encode(document, forKey: .channels)
        case .limitQuestions(let document): try fields.encode(document, forKey: .limitQuestions)
        case .runs(let document): try fields.encode(document, forKey: .runs)
        case .race(let document): try fields.encode(document, forKey: .race)
        case .deviceSetup(let document): try fields.encode(document, forKey: .deviceSetup)
        case .check(let document): try fields.encode(document, forKey: .check)
        case .events(let document): try fields.encode(document, forKey: .events)
        case .walk(let document): try fields.encode(document, forKey: .walk)
        case .settings(let document): try fields.encode(document, forKey: .settings)
        case .later, nil: break
        }
    }
}

extension ControlReply.Content {
    /// The data alone, for `--json`; nil for an answer that is still to be made.
    package var document: (any Encodable & Sendable)? {
        switch self {
        case .history(let page): page
        case .locations(let page): page
        case .alarms(let document): document
        case .myData(let page): page
        case .positions(let rows): rows
        case .vitals(let vitals): vitals
        case .snapshot(let snapshot): snapshot
        case .consents(let document): document
        case .request(let document): document
        case .decisions(let document): document
        case .profile(let document): document
        case .limits(let document): document
        case .channels(let document): document
        case .limitQuestions(let document): document
        case .runs(let document): document
        case .race(let document): document
        case .deviceSetup(let document): document
        case .check(let document): document
        case .events(let document): document
        case .walk(let document): document
        case .settings(let document): document
        case .later: nil
        }
    }
}
