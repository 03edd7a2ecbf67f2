internal import GatewayModel

extension Checkpoint: Codable {
    private enum Member: String, CodingKey { case id, distances, finish, rule, minimumSplit, box }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        let checkpoint = Checkpoint(
            id: try members.decode(CheckpointID.self, forKey: .id),
            distances: try members.decode([Double].self, forKey: .distances),
            isFinish: try members.decodeIfPresent(Bool.self, forKey: .finish) ?? false,
            rule: try members.decodeIfPresent(Rule.self, forKey: .rule),
            minimumSplit: .milliseconds(try members.decode(Int64.self, forKey: .minimumSplit)),
            box: try members.decodeIfPresent(GatewayID.self, forKey: .box))
        guard let checkpoint else {
            throw DecodingError.dataCorruptedError(
                forKey: .distances, in: members,
                debugDescription: "expected ascending distances and a minimum split, as far as any run goes")
        }
        self = checkpoint
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(id, forKey: .id)
        try members.encode(distances, forKey: .distances)
        try members.encode(isFinish, forKey: .finish)
        try members.encodeIfPresent(writtenRule, forKey: .rule)
        try members.encode(minimumSplit.wholeMilliseconds, forKey: .minimumSplit)
        try members.encodeIfPresent(box, forKey: .box)
    }
}
