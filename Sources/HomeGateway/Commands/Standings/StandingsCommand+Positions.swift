import ControlSocket
import GatewayModel
import Hub
import RunBeacon
import SettingsService

extension StandingsCommand {
    /// Between the checkpoints: where those runners are of whom the running gateway has positions. None where it
    /// does not run, or somebody else's passings are looked at.
    func positions(in run: Run) throws -> [PositionRow] {
        guard exports.isEmpty, runFile == nil, !json else { return [] }
        guard var client = try? GatewaySocket(settings: file.config).client(),
            let reply = try? client.ask(ControlRequest(.positions, subject: run.id.text))
        else { return [] }
        let asked = run.participants.filter {
            (category == nil || $0.category == category) && (bib == nil || $0.bib == bib)
        }
        let bibs = Set(asked.map(\.bib.number))
        return (reply.positions ?? []).filter { bibs.contains($0.bib) }
    }
}
