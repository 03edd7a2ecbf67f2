public import GatewayModel

/// A runner with a number on the chest and tags to be heard by.
public struct Participant: Hashable, Sendable {
    public let bib: Bib
    public let name: String?
    /// For the standings: `w40`, `juniors`; nil where the run has none.
    public let category: String?
    public let wave: WaveID
    /// Whatever identifies one is enough; a second tag is a spare.
    public let tags: [TagIdentity]
    /// Where the runner is a person of this box's settings: their wearables' positions are theirs in the run.
    public let person: PersonID?
    /// The box that the runner carries: its own positions are theirs.
    public let carries: GatewayID?

    public init(
        bib: Bib, name: String? = nil, category: String? = nil, wave: WaveID, tags: [TagIdentity],
        person: PersonID? = nil, carries: GatewayID? = nil
    ) {
        self.bib = bib
        self.name = name
        self.category = category
        self.wave = wave
        self.tags = tags
        self.person = person
        self.carries = carries
    }
}
