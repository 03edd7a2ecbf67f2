package import GatewayModel

/// Answer of the gateway to a request: lines for a person, whether the request was carried out, and data for programs.
package struct ControlReply: Sendable {
    /// Data of an answer.
    package enum Content: Sendable {
        case history(HistoryPage)
        case locations(LocationPage)
        case myData(MyDataPage)
        case positions([PositionRow])
        case vitals(RunnerVitals)
        case snapshot(HouseSnapshot)
        /// Not on the wire: see `ControlReply.later`.
        case later(@Sendable () -> ControlReply)
    }

    package let isDone: Bool
    package let lines: [String]
    package let content: Content?

    package static func done(_ lines: String...) -> ControlReply { ControlReply(isDone: true, lines: lines) }
    package static func refused(_ reason: String) -> ControlReply {
        ControlReply(isDone: false, lines: [reason])
    }

    package init(isDone: Bool, lines: [String], content: Content? = nil) {
        (self.isDone, self.lines, self.content) = (isDone, lines, content)
    }

    /// Answer that is made on the control thread, for a caller on a thread that must not be kept.
    package static func later(_ make: @escaping @Sendable () -> ControlReply) -> ControlReply {
        ControlReply(isDone: true, lines: [], content: .later(make))
    }

    /// The part of the answer that a session may see. The lines of a state are for installers: they name everybody.
    package func seen(by session: ControlSession) -> ControlReply {
        guard case .snapshot(let snapshot) = content else { return self }
        return ControlReply(isDone: isDone, lines: [], content: .snapshot(snapshot.seen(by: session)))
    }

    /// The answer itself; of one that is made later, the result. On the control thread.
    package var made: ControlReply {
        if case .later(let make) = content { make() } else { self }
    }
}

/// Flat on the wire: each kind of content is a field of its own.
extension ControlReply: Codable {
    private enum CodingKeys: CodingKey {
        case isDone, lines, history, locations, myData, positions, vitals, snapshot
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        isDone = try fields.decode(Bool.self, forKey: .isDone)
        lines = try fields.decode([String].self, forKey: .lines)
        func value<Value: Decodable>(_ key: CodingKeys, _ content: (Value) -> Content) throws -> Content? {
            try fields.decodeIfPresent(Value.self, forKey: key).map(content)
        }
        var content = try value(.history) { .history($0) }
        content = try content ?? value(.locations) { .locations($0) }
        content = try content ?? value(.myData) { .myData($0) }
        content = try content ?? value(.positions) { .positions($0) }
        content = try content ?? value(.vitals) { .vitals($0) }
        self.content = try content ?? value(.snapshot) { .snapshot($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(isDone, forKey: .isDone)
        try fields.encode(lines, forKey: .lines)
        switch content {
        case .history(let page): try fields.encode(page, forKey: .history)
        case .locations(let page): try fields.encode(page, forKey: .locations)
        case .myData(let page): try fields.encode(page, forKey: .myData)
        case .positions(let rows): try fields.encode(rows, forKey: .positions)
        case .vitals(let vitals): try fields.encode(vitals, forKey: .vitals)
        case .snapshot(let snapshot): try fields.encode(snapshot, forKey: .snapshot)
        case .later, nil: break
        }
    }
}
