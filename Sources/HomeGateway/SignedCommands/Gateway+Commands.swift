import Alarms
import CloudCommands
import Consent
import Contract
import GatewayModel
import Hub
import Logging
import OutboxService
import Readings
import RealTime
import SOSLocal
import Settings
import SettingsService
import Vault

// What signed commands come to, and what they do here.
extension Gateway {
    /// Nil where the settings name no issuer whose keys can be used: then nothing is subscribed to.
    func makeCommands(_ devices: DeviceReload) async throws -> CommandService? {
        guard !settings.commands.issuers.isEmpty else { return nil }
        let state = settings.gateway.stateDirectory
        let bookFile = StateFile<CommandBook>(path: state + "/commands.json", marks: marks)
        let book = earlierBook(bookFile)
        let issuers = await usableIssuers(rotatedBy: book.successors)
        guard !issuers.isEmpty else { return nil }
        let inboxFile = CommandInboxFile(stateDirectory: state, marks: marks)
        let inbox = try CommandInbox(file: inboxFile, earlier: earlierCommands(inboxFile)) { [self] failure in
            noteCommandDisk("commands", failure)
        }
        let disk = try PatientDisk("command-book")
        return CommandService(
            verifier: CommandVerifier(gateway: settings.gateway.id, issuers: issuers), book: book, inbox: inbox,
            disk: disk, receipts: signer, poison: poison, clock: settings.commands.clock,
            keep: { [self] book in
                do throws(DiskFailure) {
                    try bookFile.save(book)
                    noteCommandDisk("command-book", nil)
                    return true
                } catch {
                    noteCommandDisk("command-book", error)
                    return false
                }
            }, perform: { [self] command in await perform(command, disk, devices) })
    }

    /// An issuer whose keys cannot be used is set aside: nothing that it signs is taken.
    private func usableIssuers(rotatedBy successors: [String: String]) async -> [PinnedIssuer] {
        var usable: [GatewaySettings.Issuer] = []
        var pinned: [PinnedIssuer] = []
        var setAside: [SalvagedSettings.SetAside] = []
        for issuer in settings.commands.issuers {
            do throws(SettingsError) {
                // With those before it: a key of its own may be that of another issuer, too.
                pinned = try await (usable + [issuer]).pinned(rotatedBy: successors)
                usable.append(issuer)
            } catch {
                setAside += error.problems(in: issuer.place.file).map {
                    SalvagedSettings.SetAside(
                        problem: $0, part: "[[commands.issuers]] \"\(issuer.id)\"", concernsHelp: false)
                }
            }
        }
        settingsHealth.set(.issuers, SettingsHealth.conditions(of: setAside))
        return pinned
    }

    /// Where it cannot be read nothing that was issued before now is taken: it may have been done.
    private func earlierBook(_ file: StateFile<CommandBook>) -> CommandBook {
        do throws(DiskFailure) {
            return try file.load() ?? CommandBook()
        } catch {
            damage.report(.commandBook, error)
            return CommandBook()
        }
    }

    private func earlierCommands(_ file: CommandInboxFile) -> [[UInt8]] {
        do throws(DiskFailure) {
            if let failure = try file.mend() { damage.report(.commandInbox, failure) }
            return try file.load()
        } catch {
            log.error("commands that waited to be done cannot be read", metadata: ["reason": "\(error)"])
            return []
        }
    }

    /// - Parameter file: which of the two: what one took does not heal the other.
    private func noteCommandDisk(_ file: String, _ failure: DiskFailure?) {
        let isNews = health.set(HealthCondition(.storageUnavailable, subject: file), failure != nil)
        if isNews, let failure {
            log.error("the disk does not keep commands", metadata: ["file": "\(file)", "reason": "\(failure)"])
        }
    }

    // MARK: What they do

    /// For what reads and writes several files.
    private static let longestErrand = Duration.seconds(10)

    private func perform(
        _ command: VerifiedCommand, _ disk: PatientDisk, _ devices: DeviceReload
    ) async -> CommandBook.Outcome {
        let act = PersonAct(by: command.by, means: .command)
        switch command.command {
        case .abort(let target): return await end(.abort(target, act), "cancelled")
        case .resolve(let target): return await end(.resolve(target, act), "resolved")
        case .drill(let person): return await drill(of: person, act)
        case .heartbeat(let interval): return await beat(every: interval, disk)
        case .tracking(let tracking):
            let issuer = command.name.issuer
            return await disk.perform(within: Self.longestErrand) { [self] in
                track(tracking, by: issuer, devices)
            }
                ?? .refused(.notKept)
        case .policy(let person, let isAccepted):
            return await decide(.policy(.dataPolicy, isAccepted ? .accepted : .withdrawn), for: person, command)
        case .automatedSOS(let person, let isAccepted):
            return await decide(
                .policy(.automatedSOS, isAccepted ? .accepted : .withdrawn), for: person, command)
        case .request(let request): return await decide(.requested(request), for: request.person, command)
        case .decide(let person, let request, let verdict):
            return await decide(ConsentAct(verdict, on: request), for: person, command)
        case .partyKey(let change): return await self.change(change, command)
        case .thresholds(let thresholds): return await move(thresholds, disk)
        case .run(let order): return await carryOut(order, disk)
        case .rotateKey:
            return .refused(CommandRefusal(.notSupported, "this gateway does not do \(command.kind.rawValue)"))
        }
    }

    private func beat(every interval: Duration, _ disk: PatientDisk) async -> CommandBook.Outcome {
        let written = settings.gateway.heartbeat.components.seconds
        let isKept = await disk.perform { [commanded] in
            (try? commanded.change { $0.heartbeat = .init(value: interval.components.seconds, of: written) })
                != nil
        }
        guard isKept == true else {
            return .refused(.notKept)
        }
        heartbeats.change(to: interval)
        return .done()
    }

    /// The SOS thread answers at once.
    private func asked(_ event: SOSEvent) async -> [SOSAction] {
        await withCheckedContinuation { answer in
            inbox.ask(event, at: Clock.boot()) { answer.resume(returning: $0) }
        }
    }

    private func end(_ event: SOSEvent, _ done: String) async -> CommandBook.Outcome {
        let actions = await asked(event)
        let reply = ControlReply(to: actions, done: done)
        let words = reply.lines.joined(separator: "; ")
        return reply.isDone ? .done(words) : .refused(CommandRefusal(Self.reason(of: actions), words))
    }

    private func drill(of person: PersonID, _ act: PersonAct) async -> CommandBook.Outcome {
        let now = Clock.moment()
        let actions = await asked(
            .drill(Drill(id: .random(at: now.wall), person: person, act: act, arrival: now)))
        if let refusal = actions.refusal {
            return .refused(CommandRefusal(Self.reason(of: actions), refusal.inWords))
        }
        let alarm = actions.compactMap { if case .annunciate(let notice) = $0 { notice.alarm } else { nil } }
            .first
        return alarm.map { .done("alarm \($0)") }
            ?? .refused(CommandRefusal(.notPossible, "a drill of this person goes on already"))
    }

    private static func reason(of actions: [SOSAction]) -> CommandRefusal.Reason {
        switch actions.refusal {
        case .unknownAlarm: .unknownAlarm
        case .unknownPerson: .unknownPerson
        case .nothingOpen: .nothingOpen
        case .notAllowed: .notAllowed
        default: .notPossible
        }
    }
}
