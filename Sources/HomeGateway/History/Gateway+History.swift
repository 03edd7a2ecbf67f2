import Alarms
import Ciphers
import GatewayModel
import Glibc
import Hub
import Logging
import Settings
import Vault

extension Gateway {
    /// Nil where the settings switch it off.
    static func history(
        _ settings: GatewaySettings, _ marks: StateMarks, _ damage: StateDamage
    ) throws -> HistoryWriter? {
        guard settings.history.isEnabled else { return nil }
        let state = settings.gateway.stateDirectory
        return try HistoryWriter(
            path: state + "/history.sqlite",
            keys: HistoryKeyFiles(
                keyFile: settings.history.keyFile, previousKeyFile: settings.history.previousKeyFile,
                credentials: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) },
                stateDirectory: state),
            cipher: OpenSSLCipher(),
            limits: HistoryWriter.Limits(raw: settings.history.raw, rollUps: settings.history.rollUps),
            marks: marks
        ) { Gateway.note($0, damage) }
    }

    /// On the history's thread.
    private static func note(_ report: HistoryWriter.Report, _ damage: StateDamage) {
        let (health, log) = (damage.health, damage.log)
        let off = HealthCondition(.historyOff)
        switch report {
        case .off(let failure?):
            guard health.set(off, true) else { return }
            log.error("readings are not kept for the console", metadata: ["reason": "\(failure)"])
        case .off(nil): health.set(off, false)
        case .replaced(let aside, let failure):
            damage.report(.history, because: failure.description, asidePath: aside)
        case .lost(let loss): damage.report(.history, loss)
        case .unreadable(let count):
            damage.report(.history, because: "\(count) rows do not open and are left out")
        case .dropped(let count):
            log.warning("readings are missing in the history", metadata: ["count": "\(count)"])
        case .keyMade(let path):
            log.notice(
                """
                a key for the history was made: it protects a file of the history that is copied alone, not a \
                stolen disk, which the key is on too; see docs/installer/history.md
                """, metadata: ["file": "\(path)"])
        case .rotated: log.notice("all of the history is sealed with the new key")
        }
    }

    // MARK: Control thread

    func history(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        guard let history else { return reply(.refused(Self.historyIsOff)) }
        guard let person = request.person.flatMap({ PersonID($0) }) else {
            return reply(.refused("say of whom, with --person ID; expected \(PersonID.form)"))
        }
        guard let kind = request.kind.flatMap(QuantityKind.init) else {
            let known = QuantityKind.allCases.map(\.rawValue).joined(separator: ", ")
            return reply(.refused("say of what, with --kind: one of \(known)"))
        }
        let resolution = request.resolution.flatMap(HistoryResolution.init)
        guard request.resolution == nil || resolution != nil, let from = request.from, let to = request.to
        else { return reply(.refused("this gateway does not know such a request")) }
        let query = HistoryQuery(
            person: person, kind: kind, from: WallTime(millisecondsSince1970: from),
            to: WallTime(millisecondsSince1970: to), resolution: resolution)
        history.inbox.ask(
            .page(query) { result in
                switch result {
                case .success(let page): reply(ControlReply(isDone: true, lines: [], history: page))
                case .failure(let failure): reply(.refused("there is no history now: \(failure)"))
                }
            })
    }

    func rotateHistoryKey(_ reply: @escaping ControlAnswer) {
        guard let history else { return reply(.refused(Self.historyIsOff)) }
        history.inbox.ask(
            .rotate { result in
                switch result {
                case .success:
                    reply(
                        .done(
                            "a new key is in force; what was kept is sealed anew with it, which goes on over a "
                                + "restart and ends with a word in the log"))
                case .failure(let failure): reply(.refused(failure.description))
                }
            })
    }

    private static let historyIsOff =
        "no history is kept: [history] enabled = true in the settings, and a restart, begin one"
}
