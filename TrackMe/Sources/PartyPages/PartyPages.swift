public import Store
public import WebPages

/// Pages and API of third parties.
public struct PartyPages: Sendable {
    private let parts: SiteParts
    private let parties: any PartyStore

    public init(parts: SiteParts, parties: any PartyStore) {
        (self.parts, self.parties) = (parts, parties)
    }

    public var routes: [Route] { CompanyPages(parts: parts, parties: parties).routes }
}
