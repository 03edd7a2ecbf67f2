import GatewayModel
import RunBeacon
import Settings

extension StandingsCommand {
    /// Between the checkpoints: where those runners are of whom the running gateway has positions. Nothing where none
    /// runs, or somebody else's passings are looked at.
    func positionLines(of run: Run) throws -> [String] {
        guard exports.isEmpty, runFile == nil else { return [] }
        let settings = try file.loadWithoutDevices()
        guard var client = try? ControlClient(path: settings.gateway.controlSocket),
            let reply = try? client.ask(ControlRequest(.positions, subject: run.id.text))
        else { return [] }
        let asked = Set(
            run.participants.filter { category == nil || $0.category == category }.map(\.bib.number))
        let rows = (reply.positions ?? []).filter { asked.contains($0.bib) }
        return rows.isEmpty ? [] : ["", "by their positions:"] + PositionTable(rows: rows).lines
    }
}
