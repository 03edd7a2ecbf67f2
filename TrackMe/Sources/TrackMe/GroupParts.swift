import GatewayModel
import Groups
import Logging
import Parties
import SQLDatabase
import ServerSettings
import ServiceLifecycle
import Store
import WebPages

/// The parts of the figures of groups.
struct GroupParts {
    private let stores: GroupStores
    private let offer: GroupOffer
    private let wait: Duration

    init(file: DatabasePool, settings: ServerSettings) throws {
        let groups = settings.groups
        stores = GroupStores(
            members: GroupMemberStore(file: file), releases: GroupReleaseStore(file: file),
            groups: PartyGroupStore(file: file))
        offer = GroupOffer(
            areas: try groups.areas.map { name in
                guard let area = AreaName(name) else {
                    throw ServerFault(
                        "areas of [groups]: saw \(name), expected a plain text without a space at an end: correct it"
                    )
                }
                return area
            }, rule: groups.margin ? .margin : .letter,
            days: Int(clamping: groups.wait.components.seconds / 86_400))
        wait = groups.wait
    }

    func routes(parts: SiteParts, access: PartyAccess) -> [Route] {
        GroupPages(parts: parts, stores: stores, access: access, offer: offer).routes
    }

    func service(logger: Logger, clock: @escaping @Sendable () -> WallTime) -> ReleaseLoop {
        ReleaseLoop(
            store: stores.releases, areas: offer.areas, rule: offer.rule, wait: wait, logger: logger,
            clock: clock)
    }
}
