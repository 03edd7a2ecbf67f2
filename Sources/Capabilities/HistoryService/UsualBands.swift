import ControlContract
import GatewayModel
import Synchronization
import Vault

/// Usual values of each person, computed from the history now and then. In memory. From any thread.
final class UsualBands: Sendable {
    /// Time between two looks at the history: soon enough after a start, at which nothing is known. A look reads 336
    /// points of each series.
    static let interval = Duration.seconds(600)
    /// Span that is looked at.
    private static let span: Int64 = 14 * 86_400_000

    private struct Series: Hashable {
        let person: PersonID
        let kind: QuantityKind
    }

    private let bands = Mutex<[Series: HouseSnapshot.UsualBand]>([:])
    private let latest: @Sendable () -> [Reading]

    /// - Parameter latest: returns the last readings since the start, by which the persons and kinds are known.
    init(latest: @escaping @Sendable () -> [Reading]) {
        self.latest = latest
    }

    /// Bands by person and kind.
    var all: [HouseSnapshot.UsualBand] {
        bands.withLock { Array($0.values) }.sorted { ($0.person, $0.kind) < ($1.person, $1.kind) }
    }

    /// Asks the history for the hours of each series; the answers come later. Returns at once.
    func refresh(from inbox: HistoryInbox, at now: WallTime) {
        let from = WallTime(millisecondsSince1970: now.millisecondsSince1970 - Self.span)
        for series in Set(latest().map({ Series(person: $0.person, kind: $0.quantity.kind) })) {
            let query = HistoryQuery(
                person: series.person, kind: series.kind, from: from, to: now, resolution: .hour)
            inbox.ask(
                .page(query) { [self] result in
                    guard case .success(let page) = result else { return }
                    let band = HouseSnapshot.UsualBand(
                        ofHours: page.points.map(\.mean), of: series.kind, for: series.person)
                    bands.withLock { $0[series] = band }
                })
        }
    }

    /// Forgets the bands of a person whose history is erased.
    func forget(_ person: PersonID) {
        bands.withLock { bands in bands = bands.filter { $0.key.person != person } }
    }
}
