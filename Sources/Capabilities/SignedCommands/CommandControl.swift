package import Alarms
package import CloudCommands
import Contract
package import ControlContract
package import GatewayModel
import HouseAlarm
package import Hub
import Logging
import MQTTBridge
package import OutboxService
package import ServiceLifecycle
package import Settings

/// Signed commands of the cloud, and the settings that they change.
package final class CommandControl: Capability {
    package static let names = CapabilityNames(
        settings: ["commands"], conditions: [.identityRenewed], topics: ["commands", "receipts"])

    /// Nil where the settings name no usable issuer.
    private let service: CommandService?
    private let commanded: CommandedSettings
    private let core: GatewayCore
    private let limits: LimitCommands
    private let questions: LimitQuestions
    private let isClockTrusted: @Sendable () -> Bool

    /// Reads the issuers' keys, the journal, and the commands of an earlier run. Blocking I/O.
    ///
    /// - Parameters:
    ///   - capabilities: carry out the commands that are their own.
    ///   - questions: commands that widen limits.
    ///   - isClockTrusted: whether a command that waits may expire now.
    ///   - reportIssuers: called with the issuers that have no usable keys.
    package init(
        _ core: GatewayCore, commanded: CommandedSettings, sos: SOSInbox, heartbeats: Heartbeats,
        receipts: ReceiptSigner, questions: LimitQuestions, isClockTrusted: @escaping @Sendable () -> Bool,
        capabilities: [any Capability],
        reportIssuers: @escaping @Sendable ([SalvagedSettings.SetAside]) -> Void
    ) async throws {
        (self.core, self.commanded) = (core, commanded)
        let start = CommandStart(core, receipts: receipts, reportIssuers: reportIssuers)
        (self.questions, self.isClockTrusted) = (questions, isClockTrusted)
        limits = LimitCommands(
            commanded: commanded, questions: questions, receipts: receipts, inbox: sos,
            persons: { core.settings().persons })
        let intervals = HeartbeatCommands(
            commanded: commanded, heartbeats: heartbeats, written: { core.settings().gateway.heartbeat })
        let samples = SampleIntervalCommands(commanded: commanded, persons: { core.settings().persons })
        service = try await start.makeService(
            settings: limits.handlers.merging(intervals.handlers) { first, _ in first }
                .merging(samples.handlers) { first, _ in first }
        ) { disk in
            capabilities.reduce(into: [:]) { $0.merge($1.commandHandlers(disk)) { first, _ in first } }
        }
    }

    /// Task of the inbox. It is stopped after the broker's session: a command that the session acknowledges at its end has
    /// to be on the disk.
    package var inboxServices: [any Service] {
        service.map { [ThreadService(run: $0.inbox.run, stop: $0.inbox.stop)] } ?? []
    }

    /// Removes the receipts that the outbox has.
    package var careTasks: [CareTask] {
        [
            CareTask { [self] _ in removeSentReceipts() },
            CareTask(every: .seconds(60)) { [self] in expireQuestions(at: $0.wall) },
        ]
    }

    package var controls: [ControlHandler] {
        [
            ControlHandler(Verb.LimitQuestions.self) { [self] reply in
                let lines = commandedLines + questions.all.map(\.line)
                reply(
                    .done(with: waiting, lines: lines.isEmpty ? ["no command has moved a limit"] : lines))
            },
            ControlHandler(Verb.AcceptLimits.self) { [self] in answer(.accepted, $0.fields, $1) },
            ControlHandler(Verb.RefuseLimits.self) { [self] in answer(.refused, $0.fields, $1) },
        ]
    }

    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) {
        snapshot.limitQuestions = waiting
    }

    private var waiting: [HouseSnapshot.LimitQuestion] {
        questions.waiting.compactMap { question in
            guard case .limits(let issuer, let kind, let moves) = question.matter else { return nil }
            return HouseSnapshot.LimitQuestion(
                id: question.id, person: question.person, kind: kind, issuer: issuer.text,
                moves: moves.map { HouseSnapshot.LimitQuestion.Move($0.slot, from: $0.from, to: $0.to) })
        }
    }

    private func answer(
        _ verdict: LimitAnswer.Verdict, _ decision: Verb.LimitDecision,
        _ reply: ControlAnswer<NoDocument>
    ) {
        let isInLine = putInLine(verdict, about: decision.person, decision.kind, by: decision.caller.decider) {
            reply(ControlReply(isDone: $0.reason == nil, lines: [$0.detail ?? verdict.rawValue]))
        }
        guard !isInLine else { return }
        reply(
            .refused("no answer can be taken now: no issuer of commands is usable, or the gateway stops", .busy)
        )
    }

    private func putInLine(
        _ verdict: LimitAnswer.Verdict, about person: PersonID, _ kind: QuantityKind, by name: String,
        _ reply: @escaping @Sendable (CommandJournal.Outcome) -> Void
    ) -> Bool {
        service?.inbox.putInLine(
            CommandInbox.HouseAnswer(
                effect: { [limits] in limits.answer(verdict, about: person, kind, by: name) }, reply: reply))
            ?? false
    }

    /// Ends the questions that nobody has answered in time, by a trusted clock.
    private func expireQuestions(at now: WallTime) {
        guard isClockTrusted() else { return }
        for (person, kind) in limits.lapsed(at: now) {
            _ = putInLine(.expired, about: person, kind, by: "homegateway") { [core] in
                guard $0.reason != nil else { return }
                core.log.error("a command on limits could not be ended")
            }
        }
    }

    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        var data = data
        data.add("limit-questions", questions.all.filter { $0.person == person.text })
        done(.success(data))
    }

    /// Erases nothing, and says so.
    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        let count = questions.all.count { $0.person == person.text }
        guard count > 0 else { return done([]) }
        done([
            ErasureStep(
                isDone: true,
                line:
                    "changes of limits from outside: \(count) kept, because they prove who allowed an alarm to "
                    + "become less likely")
        ])
    }

    /// Removes the receipts that the outbox has, at the end of the gateway, too.
    package func removeSentReceipts() { service?.care() }

    package var services: [any Service] { service.map { [$0] } ?? [] }

    package var statusLines: [String] {
        commandedLines + core.settings().persons.flatMap { commanded.intervalLines(of: $0) }
            + questions.all.filter { $0.answer == nil }.map(\.line)
    }

    private var commandedLines: [String] { core.settings().persons.flatMap { commanded.lines(of: $0.plan) } }

    /// Route of the commands; empty where none is accepted: then nothing is subscribed to.
    package var routes: [CloudSession.Route] {
        guard let service else { return [] }
        return [
            CloudSession.Route(filter: core.topics.commands, subject: "commands") {
                [topics = core.topics] message in
                guard message.topic == topics.commands else { return false }
                service.inbox.receive(message.payload)
                return true
            }
        ]
    }

    /// Issuers with the keys that are in force now. From any thread.
    package var issuers: [PinnedIssuer] { service?.issuers ?? [] }
}
