internal import GatewayModel
internal import RunBeacon

// What is asked of the runs: as a run file says it, a member for a key.
extension CloudCommand {
    static func runCreate(_ members: inout Members) throws(CommandRefusal) -> RunOrder {
        let id: RunID = try members.name("run")
        let title = try members.text("title", titleLength)
        let end = try members.parsed("end", expected: WallTime.rfc3339Form) { WallTime(rfc3339: $0) }
        guard let waves = try members.listIfAny("waves", wave) else { throw members.missing("waves") }
        guard let checkpoints = try members.listIfAny("checkpoints", checkpoint) else {
            throw members.missing("checkpoints")
        }
        let outline = RunOutline(
            title: title, end: end, waves: waves, checkpoints: checkpoints,
            course: try members.companionIfAny("course"))
        return .create(
            RunPlan(
                id: id, outline: outline, entrants: try members.listIfAny("participants", entrant) ?? []))
    }

    static func runChange(_ members: inout Members) throws(CommandRefusal) -> RunOrder {
        let id: RunID = try members.name("run")
        let change = RunChange(
            title: try members.textIfAny("title", titleLength),
            end: try members.parsedIfAny("end", expected: WallTime.rfc3339Form) { WallTime(rfc3339: $0) },
            waves: try members.listIfAny("waves", wave),
            checkpoints: try members.listIfAny("checkpoints", checkpoint),
            course: try members.companionIfAny("course"))
        // First, so that a member that cannot be changed is named.
        try members.end()
        guard change != RunChange() else {
            throw CommandRefusal(.wrongValue, "cmd: expected one of title, end, waves, checkpoints, course")
        }
        return .change(id, change)
    }

    static func runEnrol(_ members: inout Members) throws(CommandRefusal) -> RunOrder {
        let id: RunID = try members.name("run")
        guard let entrants = try members.listIfAny("participants", entrant) else {
            throw members.missing("participants")
        }
        return .enrol(id, entrants)
    }

    static func runLeave(_ members: inout Members) throws(CommandRefusal) -> RunOrder {
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

    /// Without a person: whose wearables' positions are a runner's is decided in the house.
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
    fileprivate mutating func listIfAny<Element>(
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

    fileprivate mutating func companionIfAny(_ name: String) throws(CommandRefusal) -> CompanionFile? {
        try parsedIfAny(name, expected: CompanionFile.form) { CompanionFile($0) }
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
