import Ciphers
package import ControlContract
package import GatewayModel
import Glibc
package import Hub
import Logging
package import ServiceLifecycle
package import Settings
package import Vault

/// History of the readings and positions, for the console: keeps them on the disk, shows them and erases them.
package final class HistoryKeeper: Capability, ReadingConsumer {
    package static let names = CapabilityNames(
        settings: ["history"], conditions: [.historyOff])

    private static let isOff =
        "no history is kept: [history] enabled = true in the settings, and a restart, begin one"

    /// Nil where the settings switch the history off.
    private let writer: HistoryWriter?
    private let usual: UsualBands

    /// - Parameter latest: returns the last readings since the start, by which the persons and kinds are known.
    package init(
        _ settings: GatewaySettings, marks: StateMarks, damage: StateDamage,
        latest: @escaping @Sendable () -> [Reading]
    ) throws {
        usual = UsualBands(latest: latest)
        guard settings.history.isEnabled else {
            writer = nil
            return
        }
        let state = settings.gateway.stateDirectory
        writer = try HistoryWriter(
            path: state + "/history.sqlite",
            keys: HistoryKeyFiles(
                keyFile: settings.history.keyFile, previousKeyFile: settings.history.previousKeyFile,
                credentials: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) },
                stateDirectory: state),
            cipher: OpenSSLCipher(),
            limits: HistoryWriter.Limits(raw: settings.history.raw, rollUps: settings.history.rollUps),
            marks: marks
        ) { Self.report($0, damage) }
    }

    package var careTasks: [CareTask] {
        guard let writer else { return [] }
        return [
            CareTask(every: UsualBands.interval) { [usual] in usual.refresh(from: writer.inbox, at: $0.wall) }
        ]
    }

    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) { snapshot.usual = usual.all }

    package var services: [any Service] {
        writer.map { [ThreadService(run: $0.run, stop: $0.stop)] } ?? []
    }

    package var controls: [ControlHandler] {
        [
            ControlHandler(Verb.History.self, showHistory),
            ControlHandler(Verb.RotateHistoryKey.self, rotateKey),
        ]
    }

    /// Keeps a reading. From any thread; returns at once.
    package func consume(_ reading: Reading) {
        writer?.inbox.put(reading)
    }

    /// Keeps a position. From any thread; returns at once.
    package func keep(_ position: PositionSample) {
        writer?.inbox.put(position)
    }

    /// Writes the readings that have come until now; `done` is called with whether they are on the disk. Without a history
    /// there is nothing to write.
    package func keepReadings(_ done: @escaping @Sendable (Bool) -> Void) {
        guard let writer else { return done(true) }
        writer.inbox.ask(.keep(done))
    }

    // MARK: A person's data

    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        var data = data
        data.isHistoryKept = writer != nil
        done(.success(data))
    }

    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        guard let writer else {
            return done([
                ErasureStep(
                    isDone: true,
                    line: "no history is kept now; a file of an earlier time is erased by deleting it")
            ])
        }
        writer.inbox.ask(
            .erase(person) { [usual] result in
                // After the questions before the erasure were answered.
                usual.forget(person)
                switch result {
                case .success(let rows):
                    done([ErasureStep(isDone: true, line: "history: \(rows) rows erased")])
                case .failure(let failure):
                    done([ErasureStep(isDone: false, line: "history: NOT ERASED, ask again: \(failure)")])
                }
            })
    }

    // MARK: On the control thread

    private func showHistory(_ request: Verb.History, _ reply: ControlAnswer<StoredPage>) {
        guard let writer else { return reply(.refused(Self.isOff, .historyOff)) }
        let (person, from, to) = (request.person, request.from, request.to)
        switch request.kind {
        case .quantity(let kind):
            let query = HistoryQuery(
                person: person, kind: kind, from: from, to: to, resolution: request.resolution)
            writer.inbox.ask(.page(query) { Self.answer($0.map { .history($0) }, reply) })
        case .location:
            writer.inbox.ask(.locations(person, from, to) { Self.answer($0.map { .locations($0) }, reply) })
        case .limits:
            reply(.refused("limits have no history; see: homegateway limits show"))
        case .profile:
            reply(.refused("a profile has no history; see: homegateway profile show"))
        }
    }

    private static func answer(
        _ result: Result<StoredPage, HistoryFailure>, _ reply: ControlAnswer<StoredPage>
    ) {
        switch result {
        case .success(let page): reply(.done(with: page))
        case .failure(let failure): reply(.refused("there is no history now: \(failure)", .notReadable))
        }
    }

    private func rotateKey(_ reply: ControlAnswer<NoDocument>) {
        guard let writer else { return reply(.refused(Self.isOff, .historyOff)) }
        writer.inbox.ask(
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

    // MARK: On the history's thread

    private static func report(_ report: HistoryWriter.Report, _ damage: StateDamage) {
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
}
