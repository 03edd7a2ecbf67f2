import ControlSocket
import GatewayModel
import Hub
import SettingsService
import Vault

/// The running gateway, asked for what it keeps about one person, a page at a time.
struct MyDataSource {
    let person: PersonID
    let socket: GatewaySocket

    func page(from start: Int64) throws -> MyDataPage {
        let reply = try ask(ControlRequest(.myData, person: person.text, from: start))
        guard let page = reply.myData else { throw Self.refusal(reply) }
        return page
    }

    /// Every point of one kind, by time.
    func points(of kind: QuantityKind, _ resolution: HistoryResolution) -> Points {
        Points(source: self, kind: kind, resolution: resolution)
    }

    /// Nil where no history is kept.
    fileprivate func history(
        of kind: QuantityKind, _ resolution: HistoryResolution, from start: Int64
    ) throws -> HistoryPage {
        let reply = try ask(
            ControlRequest(
                .history, person: person.text, kind: kind.rawValue, from: start, to: Self.times.upperBound,
                resolution: resolution.rawValue))
        guard let page = reply.history else { throw Self.refusal(reply) }
        return page
    }

    /// All that a history can hold: also what a clock that was off by decades has put there.
    fileprivate static let times = Int64.min / 4...Int64.max / 4

    private func ask(_ request: ControlRequest) throws -> ControlReply {
        var client = try socket.client()
        return try client.ask(request)
    }

    private static func refusal(_ reply: ControlReply) -> ControlError {
        ControlError(reply.lines.joined(separator: "\n"))
    }

    /// Points one after the other, of which one page is in memory.
    struct Points {
        fileprivate let source: MyDataSource
        let kind: QuantityKind
        fileprivate let resolution: HistoryResolution
        private var page: ArraySlice<HistoryPoint> = []
        private var start: Int64? = MyDataSource.times.lowerBound
        /// Rows that could not be read so far.
        private(set) var unreadable = 0

        fileprivate init(source: MyDataSource, kind: QuantityKind, resolution: HistoryResolution) {
            (self.source, self.kind, self.resolution) = (source, kind, resolution)
        }

        mutating func next() throws -> HistoryPoint? {
            while page.isEmpty, let from = start {
                let fetched = try source.history(of: kind, resolution, from: from)
                page = fetched.points[...]
                start = fetched.next
                unreadable += fetched.unreadable
            }
            return page.popFirst()
        }
    }
}
