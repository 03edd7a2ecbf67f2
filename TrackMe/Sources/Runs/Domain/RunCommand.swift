import Contract
public import GatewayModel
public import RunBeacon

/// Command about a run, in the form of the contract.
public enum RunCommand: Encodable, Hashable, Sendable {
    /// Participants of one command. 100 with long names would not fit beside the signature.
    public static let mostParticipants = 40

    case create(RunID, RunOutline)
    case change(RunID, RunOutline)
    case cancel(RunID)
    case enrol(RunID, [Entrant])
    case leave(RunID, [Bib])

    public var type: String {
        switch self {
        case .create: "run-create"
        case .change: "run-change"
        case .cancel: "run-cancel"
        case .enrol: "run-enrol"
        case .leave: "run-leave"
        }
    }

    private struct Member: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        init(_ name: String) { stringValue = name }
    }

    private struct WaveForm: Encodable {
        let id, start: String
    }

    private struct CheckpointForm: Encodable {
        let id: String
        let distances: [Double]
        let finish: Bool?
        let box: String?

        private enum CodingKeys: String, CodingKey {
            case id, finish, box
            case distances = "distances_m"
        }
    }

    private struct ParticipantForm: Encodable {
        let bib: Int
        let name, category, wave: String?
        let tags: [String]
        let carries: String?
    }

    private struct Course: Encodable {
        let polyline: String
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(type, forKey: Member("type"))
        switch self {
        case .create(let run, let outline), .change(let run, let outline):
            try members.encode(run.text, forKey: Member("run"))
            try members.encode(outline.title, forKey: Member("title"))
            try members.encode(outline.end.rfc3339, forKey: Member("end"))
            try members.encode(
                outline.waves.map { WaveForm(id: $0.id.text, start: $0.start.rfc3339) },
                forKey: Member("waves"))
            try members.encode(
                outline.checkpoints.map { point in
                    CheckpointForm(
                        id: point.id.text, distances: point.distances,
                        finish: point.isFinish ? true : nil,
                        box: point.box?.text)
                }, forKey: Member("checkpoints"))
            if case .line(let line)? = outline.course {
                try members.encode(Course(polyline: line.text), forKey: Member("course"))
            }
        case .cancel(let run): try members.encode(run.text, forKey: Member("run"))
        case .enrol(let run, let entrants):
            try members.encode(run.text, forKey: Member("run"))
            try members.encode(
                entrants.map { entrant in
                    ParticipantForm(
                        bib: entrant.bib.number, name: entrant.name, category: entrant.category,
                        wave: entrant.wave?.text, tags: entrant.tags.map(\.description),
                        carries: entrant.carries?.text)
                }, forKey: Member("participants"))
        case .leave(let run, let bibs):
            try members.encode(run.text, forKey: Member("run"))
            try members.encode(bibs.map(\.number), forKey: Member("bibs"))
        }
    }
}
