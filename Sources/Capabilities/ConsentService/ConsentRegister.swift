package import Alarms
package import CloudCommands
package import Consent
import Contract
package import ControlContract
package import GatewayModel
package import HouseAlarm
package import Hub
import Logging
package import OutboxService
import RealTime
import Sealing
import Settings
import Synchronization
import Vault

/// Register of decisions about a person's data: takes them from the command line, from signed commands and from the
/// clock, has them written down, and ends the sharing that they end.
package final class ConsentRegister: Capability {
    package static let names = CapabilityNames(
        conditions: [.nothingAccepted, .consentDamaged])

    private let core: GatewayCore
    private let outbox: OutboxWriter
    private let clock: ClockTrust
    /// Held while a decision is recorded: entries are written in the order of their numbers.
    private let deciding = Mutex(())
    private let lastLook = Mutex<ClockTrust.Look?>(nil)
    private let answers: AnswerReporter
    private let disclosures: DisclosureKeeper
    private let announcer: RequestAnnouncer
    private let facts: FactSharer
    private let linkCodes = LinkCodes()

    private var gate: ConsentGate { core.gate }
    private var health: HealthBoard { core.health }
    private var log: Logger { core.log }
    private var persons: [GatewaySettings.Person] { core.settings().persons }

    /// Blocking I/O.
    ///
    /// - Parameters:
    ///   - answers: reports the decisions.
    ///   - limitQuestions: returns the commands on limits that wait for an answer of the house.
    package init(
        _ core: GatewayCore, outbox: OutboxWriter, clock: ClockTrust, answers: AnswerReporter,
        house: HouseService, openAlarms: OpenAlarms, limits: LimitsInForce,
        limitQuestions: @escaping @Sendable () -> [HouseQuestion]
    ) {
        (self.core, self.outbox, self.clock, self.answers) = (core, outbox, clock, answers)
        disclosures = DisclosureKeeper(core)
        facts = FactSharer(core, limits: limits)
        announcer = RequestAnnouncer(core, house: house, openAlarms: openAlarms) { [core] in
            core.gate.snapshot.waitingQuestions(of: core.settings().persons.map(\.id)) + limitQuestions()
        }
    }

    package var controls: [ControlHandler] {
        [
            ControlHandler(Verb.Accept.self) { [self] in accept($0.fields, $1) },
            ControlHandler(Verb.Refuse.self) { [self] in refuse($0.fields, $1) },
            ControlHandler(Verb.Withdraw.self) { [self] in withdraw($0.fields, $1) },
            ControlHandler(Verb.Consents.self) { [self] reply in
                reply(.done(with: overview, lines: statusLines + ownRequests.map(\.line)))
            },
            ControlHandler(Verb.ConsentRequest.self) { [self] in showRequest($0.request, $1) },
            ControlHandler(Verb.LinkCode.self, makeLinkCode),
            ControlHandler(Verb.ConsentHistory.self) { [self] in showHistory(of: $0.person, $1) },
        ]
    }

    package var statusLines: [String] {
        persons.flatMap { person in
            ConsentSubject.allCases.map { subject in
                "\(person.id): \(subject.rawValue) \(gate.holds(subject, for: person.id) ? "accepted" : "not accepted")"
            }
        }
    }

    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) {
        snapshot.requests = gate.snapshot.requests.values.sorted {
            ($0.asked, $0.request.id.text) < ($1.asked, $1.request.id.text)
        }
        .map { HouseSnapshot.Request($0) }
        snapshot.linkCodes = mayAccountsAsk ? linkCodes.shown(of: persons.map(\.id), at: now) : nil
    }

    package func reportStart() { reportState() }

    package func commandHandlers(_ disk: DiskQueue) -> [CommandKind: CommandHandler] {
        ConsentCommands(
            self, gate: gate, linkCodes: linkCodes, sealer: HPKESealer(), gateway: core.gateway
        ) { [core] in
            core.settings().location.interval != nil
        }
        .handlers
    }

    package var careTasks: [CareTask] {
        [
            CareTask { [self] _ in expireGrants() },
            CareTask { [self] _ in applyDecisions() },
            CareTask { [answers] _ in answers.look() },
            CareTask { [disclosures] _ in disclosures.keep() },
            CareTask { [announcer] in announcer.look(at: $0.wall) },
            CareTask { [facts] in facts.look(at: $0.wall) },
        ]
    }

    /// Keeps the emergency disclosures, the mark of the reported decisions and the marks of the shared facts, at the end of the gateway.
    package func keepState() {
        disclosures.keep()
        answers.keepMark()
        facts.keepRows()
    }

    /// The ledger itself is never erased: it proves the decisions.
    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        var data = data
        data.decisions = gate.snapshot.entries.filter { $0.decision.person == person }
        data.add("emergency-disclosures", disclosures.disclosures(of: person).map(DisclosedRow.init))
        done(.success(data))
    }

    /// Erases nothing, and says so.
    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        let count = gate.snapshot.entries.count { $0.decision.person == person }
        let disclosed = disclosures.disclosures(of: person).count
        func kept(_ count: Int, _ what: String, _ reason: String) -> [ErasureStep] {
            count == 0 ? [] : [ErasureStep(isDone: true, line: "\(what) kept, because \(reason)")]
        }
        done(
            kept(
                count, "consent ledger: \(count) decisions",
                "they prove what was allowed, to whom and when")
                + kept(
                    disclosed, "emergency disclosures: \(disclosed)",
                    "they prove who was told of an emergency, and when"))
    }

    // MARK: Decisions

    /// Takes a decision and does all that follows from it. From any thread; returns at once.
    ///
    /// It holds from here on, the next byte included. Then it is written down, and only after that the messages are deleted that it
    /// ended: a kill in between leaves rows that the next start deletes, and no decision is forgotten.
    ///
    /// - Parameters:
    ///   - by: name of the deciding person, as they gave it: for the record, and for the deciders of the settings.
    ///   - done: called once, on any thread, with the outcome or the reason of a refusal.
    package func decide(
        _ act: ConsentAct, for person: PersonID, by: String, means: ConsentMeans,
        done: @escaping @Sendable (Result<ConsentOutcome, ConsentLedger.Refusal>) -> Void
    ) {
        let decision = ConsentDecision(act, for: person, by: by, means: means, at: Clock.wall())
        do throws(ConsentLedger.Refusal) {
            try carryOut(decision) { done(.success($0)) }
        } catch {
            done(.failure(error))
        }
    }

    private func carryOut(
        _ decision: ConsentDecision, done: @escaping @Sendable (ConsentOutcome) -> Void
    ) throws(ConsentLedger.Refusal) {
        let entries = try record(decision) { [self] entries, kept in
            guard !entries.isEmpty else {
                return done(ConsentOutcome(entries: [], purged: 0, kept: kept))
            }
            // A decision that is not written down may come back with the next start: its end is reported when it is.
            let open = (try? kept.get()).map { gate.snapshot.open(asOf: $0.sequence) }
            outbox.purge(open: open) { purged in
                done(ConsentOutcome(entries: entries, purged: purged, kept: kept))
            }
        }
        guard !entries.isEmpty else { return }
        for entry in entries {
            log.notice(
                "consent",
                metadata: ["entry": "\(entry.sequence)", "act": "\(entry.decision.act.word)"])
        }
        applyDecisions()
        core.announceStatus()
    }

    private func record(
        _ decision: ConsentDecision,
        kept: @escaping @Sendable ([ConsentEntry], Result<LedgerMark, DiskFailure>) -> Void
    ) throws(ConsentLedger.Refusal) -> [ConsentEntry] {
        try deciding.withLock { _ -> Result<[ConsentEntry], ConsentLedger.Refusal> in
            do throws(ConsentLedger.Refusal) {
                let entries = try gate.record(decision)
                core.writer.keep(entries) { kept(entries, $0) }
                return .success(entries)
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Makes the ledger follow settings that have changed.
    package func follow(_ reload: SettingsReload) {
        let entries = deciding.withLock { _ in
            let entries = ConsentStart.follow(reload.current, by: gate)
            if !entries.isEmpty { core.writer.keep(entries) { _ in } }
            return entries
        }
        if !entries.isEmpty { outbox.purge(open: nil) { _ in } }
        applyDecisions()
    }

    /// Opens or closes the session with the broker as a whole. While nothing is accepted it is open only until each
    /// service that was called has been told that the alarm is over. Called about once a second.
    private func applyDecisions() {
        reportState()
        core.broker.setOpen(gate.isAnythingAccepted || core.queue.owesLastWord)
    }

    /// Sets the conditions that follow from the ledger.
    private func reportState() {
        health.set(HealthCondition(.nothingAccepted), !gate.isAnythingAccepted)
        health.set(HealthCondition(.consentDamaged), gate.awaitsNewWord)
    }

    // MARK: The clock

    /// Ends the grants that have run out, by a trusted clock. When the clock becomes trusted, messages that were
    /// kept until then are deleted or sent. Called about once a second.
    private func expireGrants() {
        let look = clock.look()
        expireGrants(at: look.wall, isTimeSure: look.isTrusted)
        let before = lastLook.withLock { last in
            defer { last = look }
            return last
        }
        if let before, (before.isTrusted, before.steps) != (look.isTrusted, look.steps) {
            if look.isTrusted, isAnyGrantTimed { outbox.purge { _ in } }
            core.queue.offerAgain()
        }
    }

    private func expireGrants(at wall: WallTime, isTimeSure: Bool) {
        let unanswered = isTimeSure ? gate.unanswered(at: wall) : []
        for request in unanswered {
            decide(.expired(request.id), for: request.person, by: "homegateway", means: .gateway) {
                [log] result in
                guard case .failure(let refusal) = result else { return }
                log.error("a request could not be ended", metadata: ["reason": "\(refusal.code.rawValue)"])
            }
        }
        for grant in gate.due(at: wall, isTimeSure: isTimeSure) {
            decide(
                .expired(grant.request.id), for: grant.request.person, by: "homegateway", means: .gateway
            ) { [log] result in
                guard case .failure(let refusal) = result else { return }
                log.error("a grant could not be ended", metadata: ["reason": "\(refusal.code.rawValue)"])
            }
        }
    }

    /// Whether a purge can delete anything: it reads every message that waits.
    private var isAnyGrantTimed: Bool {
        gate.snapshot.requests.values.compactMap(\.grant).contains {
            $0.request.from != nil || $0.request.until != nil
        }
    }

    // MARK: On the control thread

    private func accept(_ decision: Verb.Decision, _ reply: ControlAnswer<NoDocument>) {
        switch decision.subject {
        case .policy(let policy, let person):
            decide(.policy(policy, .accepted), for: person, by: decision.caller, reply)
        case .request(let id, let person):
            decide(.granted(id), about: id, for: person, by: decision.caller, reply)
        }
    }

    private func refuse(_ decision: Verb.Decision, _ reply: ControlAnswer<NoDocument>) {
        switch decision.subject {
        case .policy(let policy, _):
            reply(
                .refused(
                    "\(policy.rawValue) is accepted or withdrawn; only requests are refused", .notDecidable))
        case .request(let id, let person):
            decide(.refused(id), about: id, for: person, by: decision.caller, reply)
        }
    }

    private func withdraw(_ decision: Verb.Decision, _ reply: ControlAnswer<NoDocument>) {
        switch decision.subject {
        case .policy(let policy, let person):
            decide(.policy(policy, .withdrawn), for: person, by: decision.caller, reply)
        case .request(let id, let person):
            decide(.withdrawn(id), about: id, for: person, by: decision.caller, reply)
        }
    }

    /// - Parameter person: nil for the person that the request names.
    private func decide(
        _ act: ConsentAct, about id: RequestID, for person: PersonID?, by caller: Caller,
        _ reply: ControlAnswer<NoDocument>
    ) {
        guard let person = person ?? gate.snapshot.requests[id]?.request.person else {
            return reply(.refused("no request '\(id)'; see: homegateway consent list", .unknownRequest))
        }
        decide(act, for: person, by: caller, reply)
    }

    private func decide(
        _ act: ConsentAct, for person: PersonID, by caller: Caller,
        _ reply: ControlAnswer<NoDocument>
    ) {
        decide(act, for: person, by: caller.decider, means: caller.consentMeans) { result in
            switch result {
            case .success(let outcome): reply(ControlReply(isDone: true, lines: outcome.lines))
            case .failure(let refusal): reply(.refused(refusal.description, RefusalCode(refusal)))
            }
        }
    }

    /// Makes a code only where it can lead to a question: everything the house shows with it is then so.
    private func makeLinkCode(_ order: Verb.LinkCode, _ reply: ControlAnswer<NoDocument>) {
        let person = order.person
        guard mayAccountsAsk else {
            return reply(
                .refused(
                    "no issuer of [[commands.issuers]] has the right 'request' in 'may', so no account can ask to be "
                        + "linked; add it for TrackMe", .noAccounts))
        }
        guard persons.contains(where: { $0.id == person }) else {
            return reply(.refused("no [[person]] '\(person)'; see: homegateway status", .unknownPerson))
        }
        guard gate.holds(.dataPolicy, for: person) else {
            return reply(
                .refused(
                    "\(person) has not accepted data-policy, without which no account sees anything; see: homegateway "
                        + "consent accept data-policy --person \(person)", .dataPolicyFirst))
        }
        let code = linkCodes.open(for: person, at: Clock.moment())
        log.notice("a code for an account was made", metadata: ["by": "\(order.caller.means)"])
        reply(
            ControlReply(
                isDone: true,
                lines: [
                    "At TrackMe, on the page Links, type:", "  House   \(core.gateway)", "  Person  \(person)",
                    "  Code    \(code)",
                    "It works once, in the next 10 minutes: the house then asks \(person). Five wrong codes void it.",
                ]))
    }

    /// Whether somebody outside may ask anything about a person: only then a code is of use.
    private var mayAccountsAsk: Bool {
        core.settings().commands.issuers.contains { $0.may.contains(.request) }
    }

    private func showRequest(_ id: RequestID, _ reply: ControlAnswer<HouseSnapshot.Request>) {
        guard let record = gate.snapshot.requests[id],
            let person = persons.first(where: { $0.id == record.request.person })
        else {
            return reply(.refused("no request '\(id)'; see: homegateway consent list", .unknownRequest))
        }
        reply(.done(with: HouseSnapshot.Request(record), lines: record.lines(for: person.profile.name)))
    }

    private func showHistory(of person: PersonID?, _ reply: ControlAnswer<DecisionHistory>) {
        let ledger = gate.snapshot
        let entries = ledger.entries.filter { person == nil || $0.decision.person == person }
        let calls = disclosures.disclosures(of: person).compactMap(\.line)
        let decisions = entries.isEmpty ? ["nothing was decided yet"] : entries.map { $0.line(ledger.requests) }
        reply(
            .done(
                with: DecisionHistory(entries),
                lines: decisions
                    + (calls.isEmpty
                        ? []
                        : [
                            "",
                            "Given to ways to help in an emergency (homegateway alarms show ID tells what arrived):",
                        ]
                            + calls)))
    }

    /// Policies and requests of the persons of the house.
    private var overview: ConsentOverview {
        ConsentOverview(
            policies: persons.flatMap { person in
                ConsentSubject.allCases.map {
                    ConsentOverview.Policy(person: person.id, $0, isAccepted: gate.holds($0, for: person.id))
                }
            }, requests: ownRequests.map { HouseSnapshot.Request($0) })
    }

    /// Requests about persons of the house, the oldest first.
    private var ownRequests: [RequestRecord] {
        let persons = Set(persons.map(\.id))
        return gate.snapshot.requests.values.filter { persons.contains($0.request.person) }
            .sorted { ($0.asked, $0.request.id.text) < ($1.asked, $1.request.id.text) }
    }
}

extension ConsentLedger {
    /// Requests of these persons that wait for an answer, the oldest first.
    fileprivate func waitingQuestions(of persons: [PersonID]) -> [HouseQuestion] {
        requests.values.filter { $0.state == .pending && persons.contains($0.request.person) }
            .sorted { $0.latest.sequence < $1.latest.sequence }
            .map { record in
                let request = record.request
                return HouseQuestion(
                    "request \(request.id)", about: request.person,
                    .request(
                        HouseQuestion.Asked(
                            request.id, party: request.party.name, kinds: request.kinds,
                            role: request.role, precision: request.precision, purpose: request.purpose)))
            }
    }
}

/// Emergency disclosure in a person's export.
private struct DisclosedRow: Encodable {
    let at, what, channel, alarm: String

    init(_ disclosure: EmergencyDisclosure) {
        (at, what) = (disclosure.at.rfc3339, disclosure.what.rawValue)
        (channel, alarm) = (disclosure.channel?.text ?? "", disclosure.message.description)
    }
}
