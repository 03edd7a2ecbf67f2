package import Alarms
package import CloudCommands
import Consent
import ControlContract
package import GatewayModel
package import Hub
import Logging
package import OutboxService
import RealTime
import SOSLocal
import Settings
import SettingsReading
package import SettingsService
package import SignedCommands
import Vault

/// Values that belong to a person, and not to the installer: profile, limits, and the choice among the channels that the
/// settings leave to the person. The person or a decider of theirs changes them.
package final class PersonalSettings: Capability {
    /// Limit for the write to the disk.
    private static let timeout = Duration.seconds(5)

    private let core: GatewayCore
    private let store: PersonChoiceStore
    private let running: RunningSettings
    private let commanded: CommandedSettings
    private let sos: SOSInbox
    private let help: HelpService
    private let settings: SettingsService

    package init(
        _ core: GatewayCore, store: PersonChoiceStore, commanded: CommandedSettings, sos: SOSInbox,
        help: HelpService, settings: SettingsService
    ) {
        (self.core, self.store, self.commanded, self.sos) = (core, store, commanded, sos)
        (self.help, self.settings, running) = (help, settings, settings.running)
    }

    package var controls: [ControlHandler] {
        [
            ControlHandler(Verb.Profile.self) { [self] in
                show($0.person, $1) { ($0.profileLines, $0.profile) }
            },
            ControlHandler(Verb.Limits.self) { [self] in
                show($0.person, $1) { ($0.limitLines, $0.limits) }
            },
            ControlHandler(Verb.Channels.self) { [self] in
                show($0.person, $1) { ($0.channelLines, $0.channels) }
            },
            ControlHandler(Verb.ChangeProfile.self, changeProfile),
            ControlHandler(Verb.ChangeLimits.self, changeLimits),
            ControlHandler(Verb.ChangeChannel.self, changeChannel),
        ]
    }

    package var statusLines: [String] { running.written.persons.compactMap { table(of: $0).statusLine } }

    package func commandHandlers(_ disk: DiskQueue) -> [CommandKind: CommandHandler] {
        [.profile: changeProfile]
    }

    // MARK: A person's data

    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        var data = data
        let choices = store[person]
        data.add("own_values", OwnValueRecord.all(of: choices))
        data.add("own_changes", choices.changes.map(OwnChangeRecord.init))
        done(.success(data))
    }

    /// Erases the values with the record of their changes. The values of the settings hold again.
    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        guard running.choices[person] != nil else { return done([]) }
        store.erase(person) { [self] failure in
            if let failure {
                return done([
                    ErasureStep(
                        isDone: false,
                        line: "profile and channels set by the person: NOT ERASED, ask again: \(failure)")
                ])
            }
            settings.applyChoices {
                done([
                    ErasureStep(
                        isDone: true,
                        line: "profile and channels set by the person: erased; those of the settings hold again"
                    )
                ])
            }
        }
    }

    // MARK: Changes

    /// Rows of a change besides the values of the person, and the work that lets them hold.
    private struct Companion {
        var rows: [StateChange] = []
        var hold: @Sendable () -> Void = {}
    }

    /// Checks and writes a change of a person's values, which holds when it is durable.
    ///
    /// - Parameters:
    ///   - name: name of the author; has to be the person or a decider of theirs.
    ///   - edit: changes the values; its person has the settings of the file.
    ///   - done: called once, on any thread.
    private func change(
        _ person: PersonID, _ items: [String], by name: String, _ means: ConsentMeans,
        _ edit: (GatewaySettings.Person, inout PersonChoices, OwnProfile.Author) throws(OwnChangeRefusal) ->
            Companion,
        done: @escaping @Sendable (OwnChangeRefusal?) -> Void
    ) {
        guard let written = running.written.persons.first(where: { $0.id == person }) else {
            return done(.unknown(person))
        }
        guard written.deciders.allow(name, by: means) else { return done(.notAllowed(name, for: person)) }
        guard store.isReadable else { return done(.unreadable) }
        guard let turn = store.turn.take(at: Clock.boot()) else { return done(.busy) }
        var choices = store[person]
        let author = OwnProfile.Author(by: name, at: Clock.wall())
        let companion: Companion
        do throws(OwnChangeRefusal) {
            companion = try edit(written, &choices, author)
        } catch {
            store.turn.give(turn)
            return done(error)
        }
        choices.record(PersonChoices.Change(items, by: author, means: means.rawValue))
        store.commit(choices, of: person, with: companion.rows) { [self] failure in
            if failure == nil { companion.hold() }
            store.turn.give(turn)
            if let failure { return done(.notKept(failure)) }
            core.log.notice(
                "values of a person changed",
                metadata: ["items": "\(items.joined(separator: ", "))", "means": "\(means.rawValue)"])
            settings.applyChoices { done(nil) }
        }
    }

    private func change(
        _ person: PersonID, _ change: ProfileChange, by name: String, _ means: ConsentMeans,
        done: @escaping @Sendable (OwnChangeRefusal?) -> Void
    ) {
        self.change(person, change.items.map(\.rawValue), by: name, means) {
            written, choices, author throws(OwnChangeRefusal) in
            do throws(ProfileFlaw) {
                try choices.profile.apply(change, to: written.profile, by: author)
                return Companion()
            } catch {
                throw OwnChangeRefusal(error)
            }
        } done: {
            done($0)
        }
    }

    /// The issuer decides; the name that the command gives does not count: the settings name the issuers that may.
    private func changeProfile(_ command: VerifiedCommand) async -> CommandJournal.Outcome {
        guard case .profile(let person, let edit) = command.command else {
            return .refused(.unsupported(command.kind))
        }
        let items = edit.items.map(\.rawValue).joined(separator: ", ")
        let answer = await withTimeout(Self.timeout) { finish in
            change(person, edit, by: command.name.issuer.text, .command, done: finish)
        }
        switch answer {
        case .some(nil): return .done("\(person): \(items) changed")
        case .some(let refusal?): return .refused(CommandRefusal(refusal.reason, refusal.detail))
        case nil: return .refused(.notKept)
        }
    }

    // MARK: Control thread

    private func changeProfile(_ edit: Verb.ChangeProfile, _ reply: ControlAnswer<ProfileDocument>) {
        guard !edit.change.isEmpty else {
            return reply(
                .refused(
                    "profile: saw no change, expected one; see: homegateway profile set --help", .wrongText))
        }
        change(edit.person, edit.change, by: edit.caller.decider, edit.caller.consentMeans) { [self] refusal in
            answer(refusal, edit.person, reply) { ($0.profileLines, $0.profile) }
        }
    }

    /// Moves limits by the same rules as the command `thresholds`.
    private func changeLimits(_ edit: Verb.ChangeLimits, _ reply: ControlAnswer<[LimitRow]>) {
        let slots = edit.isReset ? [] : LimitSlot.allCases.filter { edit.limits.keys.contains($0) }
        let items =
            edit.isReset
            ? ["\(edit.kind.rawValue) limits"] : slots.map { "\(edit.kind.rawValue) \($0.rawValue)" }
        let turn = commanded.turn.take(at: Clock.boot())
        let giveTurn: @Sendable () -> Void = { [commanded] in turn.map(commanded.turn.give) }
        change(edit.person, items, by: edit.caller.decider, edit.caller.consentMeans) {
            [commanded, sos] written, _, _ throws(OwnChangeRefusal) in
            guard turn != nil else { throw .busy }
            let plan = written.plan
            let proposal: LimitProposal
            do throws(LimitMove.Refusal) {
                proposal = try commanded.propose(edit.limits, of: edit.kind, for: plan)
            } catch {
                throw .outOfBounds(error.text)
            }
            return Companion(rows: proposal.rows) {
                commanded.hold(proposal)
                sos.submit(.limits(plan.person, commanded.rules(of: plan)), at: Clock.boot())
            }
        } done: { [self] refusal in
            giveTurn()
            answer(refusal, edit.person, reply) { ($0.limitLines, $0.limits) }
        }
    }

    private func changeChannel(_ edit: Verb.ChangeChannel, _ reply: ControlAnswer<[ChannelRow]>) {
        var usable = Set(help.usableChannels)
        if !running.settings.broker.access.addresses.isEmpty { usable.insert(MQTTChannel.id) }
        change(edit.person, ["channel \(edit.channel)"], by: edit.caller.decider, edit.caller.consentMeans) {
            [usable] written, choices, author throws(OwnChangeRefusal) in
            try OwnChannels(of: written, usable: usable).apply(edit, to: &choices, by: author)
            return Companion()
        } done: { [self] refusal in
            answer(refusal, edit.person, reply) { ($0.channelLines, $0.channels) }
        }
    }

    private func answer<Document>(
        _ refusal: OwnChangeRefusal?, _ person: PersonID, _ reply: ControlAnswer<Document>,
        _ shown: (OwnValueTable) -> (lines: [String], document: Document)
    ) {
        if let refusal { return reply(.refused(refusal.text, refusal.code)) }
        show(person, reply, shown)
    }

    private func show<Document>(
        _ person: PersonID, _ reply: ControlAnswer<Document>,
        _ shown: (OwnValueTable) -> (lines: [String], document: Document)
    ) {
        guard let written = running.written.persons.first(where: { $0.id == person }) else {
            let refusal = OwnChangeRefusal.unknown(person)
            return reply(.refused(refusal.text, refusal.code))
        }
        let (lines, document) = shown(table(of: written))
        reply(.done(with: document, lines: lines))
    }

    private func table(of written: GatewaySettings.Person) -> OwnValueTable {
        OwnValueTable(written: written, choices: store[written.id], rules: commanded.rules(of: written.plan))
    }
}
