import GatewayModel
import Hub
import RunBeacon

extension RaceStatus {
    func positionRows(at now: BootInstant) -> [PositionRow] {
        located.map { PositionRow($0.position, of: $0.owner, at: now) }
    }

    /// For `status`: nothing where no position came.
    func positionLines(at now: BootInstant) -> [String] {
        guard !located.isEmpty || !refusedPositions.isEmpty else { return [] }
        let refused =
            refusedPositions.isEmpty
            ? "" : "; not used since the start: \(PositionTable.words(on: refusedPositions))"
        return ["positions: of \(located.count) runners\(refused)"]
            + PositionTable(rows: Array(positionRows(at: now).prefix(Self.mostPositions))).lines
    }

    /// A screen holds them; homegateway standings has all.
    private static let mostPositions = 10
}
