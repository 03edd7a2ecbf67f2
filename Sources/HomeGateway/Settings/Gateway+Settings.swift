import Alarms
import Consent
import GatewayModel
import HelpLine
import Hub
import Logging
import OutboxService
import RealTime
import SOSLocal
import Settings
import Synchronization
import Systemd
import Vault

/// The settings that run now, and the text behind them. From any thread.
final class RunningSettings: Sendable {
    private struct State {
        var settings: GatewaySettings
        var copy: SettingsCopy?
        /// Settings that wait for open alarms to be over before all of them holds.
        var waiting: GatewaySettings?
        /// The session with the broker is to be made anew as well.
        var renewsSession = false
        /// Since when no alarm has been open, while something waits for that.
        var quietSince: BootInstant?
        var refused: [SettingsProblem]
    }

    let setAside: [SalvagedSettings.SetAside]
    private let state: Mutex<State>
    /// Held through a reload, files and all.
    let reloading = Mutex(())

    init(_ start: StartSettings) {
        setAside = start.setAside
        state = Mutex(State(settings: start.settings, copy: start.copy, refused: start.refused))
    }

    var settings: GatewaySettings { state.withLock(\.settings) }
    var copy: SettingsCopy? { state.withLock(\.copy) }
    /// Mistakes of the file for which earlier settings run.
    var refused: [SettingsProblem] { state.withLock(\.refused) }
    var waiting: GatewaySettings? { state.withLock(\.waiting) }

    func replace(_ settings: GatewaySettings, waiting: GatewaySettings?) {
        state.withLock { ($0.settings, $0.waiting, $0.quietSince) = (settings, waiting, nil) }
    }

    /// A session that works is left to an open alarm.
    func renewSessionLater() { state.withLock { $0.renewsSession = true } }

    func takeSessionRenewal() -> Bool {
        state.withLock { state in
            defer { state.renewsSession = false }
            return state.renewsSession
        }
    }

    /// After the last alarm: its last words are on their way by then.
    private static let quiet = Duration.seconds(5)

    /// Whether settings that wait for the end of alarms may be applied now.
    func maySettle(isAlarmOpen: Bool, at now: BootInstant) -> Bool {
        state.withLock { state in
            guard state.waiting != nil, !isAlarmOpen else {
                state.quietSince = nil
                return false
            }
            let since = state.quietSince ?? now
            state.quietSince = since
            return since.duration(to: now) >= Self.quiet
        }
    }

    func replace(copy: SettingsCopy) { state.withLock { $0.copy = copy } }

    /// The file itself runs again.
    func acceptFile() { state.withLock { $0.refused = [] } }
}

// Effects of the settings: at the start, and at each reload.
extension Gateway {
    // MARK: The start

    /// Reports the parts that this start leaves out: in the log, as conditions and aloud.
    func noteStartSettings() {
        settingsHealth.set(
            .running,
            SettingsHealth.conditions(of: running.setAside)
                + SettingsHealth.conditions(.settingsRefused, running.refused))
        noteChannels()
    }

    /// Channels whose files cannot be used, and persons who are left without any.
    func noteChannels() {
        let unusable = channels.unusable
        settingsHealth.set(
            .files,
            SettingsHealth.conditions(
                of: unusable.map {
                    SalvagedSettings.SetAside(
                        problem: $0.problem, part: "[[channel]] \"\($0.id)\"", concernsHelp: true)
                }))
        var usable = Set(channels.all.map(\.id))
        if !settings.broker.addresses.isEmpty { usable.insert(MQTTChannel.id) }
        let alone = settings.persons.filter { usable.isDisjoint(with: $0.plan.ways.channels) }
        settingsHealth.set(
            .calls,
            alone.map {
                (
                    HealthCondition(.nobodyToCall, subject: $0.id.text),
                    "\($0.id): each of the channels \($0.plan.ways.channels.map(\.text).joined(separator: ", ")) "
                        + "is set aside; nobody is called. Mend one, then: homegateway reload"
                )
            })
    }

    /// After the first round of the rules: these settings have worked.
    func keepRunningSettings() {
        guard running.refused.isEmpty, let copy = running.copy else { return }
        keepReloaded(copy)
    }

    // MARK: On the care thread

    func look(after watch: inout SettingsWatch, at now: BootInstant) {
        finishReload(at: now)
        guard let finding = watch.look(at: now, running: running.copy) else { return }
        switch finding {
        case .same: settingsHealth.set(.disk, [])
        case .different:
            let condition = HealthCondition(.settingsNotApplied)
            settingsHealth.set(
                .disk, [(condition, "\(settingsFile) is not what runs: homegateway reload applies it")])
        case .wrong(let problems):
            settingsHealth.set(
                .disk,
                problems == running.refused ? [] : SettingsHealth.conditions(.settingsFileWrong, problems))
        }
    }

    // MARK: Reload

    /// Reads all settings again. On a thread of its own: the control thread, which cancels alarms, waits for no disk.
    func reloadSettings(_ reply: @escaping @Sendable (ControlReply) -> Void) {
        do throws(SystemCallError) {
            _ = try NamedThread("reload") { [self] in reply(readSettingsAgain()) }
        } catch {
            reply(.refused("the gateway cannot reload now: \(error)"))
        }
    }

    /// Blocking I/O.
    private func readSettingsAgain() -> ControlReply {
        running.reloading.withLock { _ in
            ServiceNotifier.reloading()
            defer { ServiceNotifier.ready() }
            let found = SalvagedSettings(path: settingsFile)
            let known = Set(running.setAside.map(\.problem))
            let deaf = found.settings?.wearablesWithoutKey ?? []
            let mistakes =
                found.problems + deaf.map(\.setAside.problem).filter { !known.contains($0) }
            guard mistakes.isEmpty, let fresh = found.settings, let copy = found.copy else {
                settingsHealth.set(.disk, SettingsHealth.conditions(.settingsFileWrong, mistakes))
                return ControlReply(
                    isDone: false,
                    lines: ["the settings are wrong; the gateway goes on as before:"]
                        + mistakes.map(\.description))
            }
            let usable = fresh.without(wearables: Set(deaf.map(\.id)))
            let lines = take(usable)
            running.replace(copy: copy)
            running.acceptFile()
            settingsHealth.set(.disk, [])
            settingsHealth.set(.running, SettingsHealth.conditions(of: deaf.map(\.setAside)))
            noteChannels()
            keepReloaded(copy)
            log.notice("settings reloaded", metadata: ["changes": "\(lines.count)"])
            let kept = deaf.map { "\($0.setAside.part) is set aside: \($0.setAside.problem)" }
            return ControlReply(
                isDone: true, lines: lines + kept + channels.unusable.map { "set aside: \($0.problem)" })
        }
    }

    /// Only the devices were read again: the text that runs has theirs.
    func noteDevicesReloaded() {
        guard let before = running.copy else { return }
        let devices = SalvagedSettings(path: settingsFile).copy?.devices
        let copy = SettingsCopy(file: before.file, settings: before.settings, devices: devices)
        running.replace(copy: copy)
        keepReloaded(copy)
    }

    private func keepReloaded(_ copy: SettingsCopy) {
        do throws(DiskFailure) {
            try LastSettings(stateDirectory: settings.gateway.stateDirectory).keep(copy)
        } catch {
            log.warning("the settings that work are not kept", metadata: ["reason": "\(error)"])
        }
    }

    /// - Returns: the changes, one a line.
    private func take(_ fresh: GatewaySettings) -> [String] {
        let old = settings
        let restart = old.partsForRestart(fresh)
        let next = old.following(fresh)
        apply(next, old: old)
        let (change, isFollowed) = roster.reload { next.wearables }
        if old.broker != next.broker { renewSession() }
        if change.concernsTheRadio || old.persons != next.persons { announceStatus() }
        var lines = SettingsChange.lines(from: old, to: next)
        if change != RosterChange(from: [], to: []) { lines += change.lines(isFollowed: isFollowed) }
        if running.waiting != nil {
            lines.append("an alarm is open: what it was called by and about is exchanged after it")
        }
        if !restart.isEmpty {
            lines.append(
                "needs a restart: \(restart.joined(separator: ", ")) (systemctl restart homegateway)")
        }
        return lines.isEmpty ? ["nothing has changed"] : lines
    }

    /// A call may be on its way through a session that works: that one stays until the alarm is over.
    private func renewSession() {
        let isConnected = !health.conditions.contains(HealthCondition(.brokerUnreachable))
        guard running.waiting != nil, isConnected else { return door.renewSession() }
        running.renewSessionLater()
    }

    /// While an alarm is open its person and its channels stay; the rest holds at once.
    private func apply(_ next: GatewaySettings, old: GatewaySettings) {
        let isWaiting = openAlarms.count > 0
        let leaving = old.persons.filter { person in !next.persons.contains { $0.id == person.id } }
        let current =
            isWaiting
            ? next.with(persons: leaving, channels: Self.channels(of: old, and: next)) : next
        channels.replace(with: current.channels)
        let all: [any HelpChannel] = [mqttChannel] + channels.all
        ways.watch(all, every: next.sos.channelTests)
        dispatcher.replace(channels: all, profiles: current.persons.map(\.profile))
        annunciator.replace(people: current.people)
        follow(consentOf: current)
        // Last: an order by the new plans finds its channels.
        inbox.submit(
            .plans(
                next.persons.map { $0.plan.with(rules: commanded.rules(of: $0.plan)) }, next.installed),
            at: Clock.boot())
        running.replace(
            isWaiting ? next.with(persons: leaving, channels: current.channels) : next,
            waiting: isWaiting ? next : nil)
    }

    /// All of the old ones, and the new ones besides.
    private static func channels(
        of old: GatewaySettings, and next: GatewaySettings
    ) -> [GatewaySettings.Channel] {
        old.channels
            + next.channels.filter { channel in !old.channels.contains { $0.id == channel.id } }
    }

    /// Applies the settings that waited for the end of an alarm.
    private func finishReload(at now: BootInstant) {
        guard running.maySettle(isAlarmOpen: openAlarms.count > 0, at: now) else { return }
        running.reloading.withLock { _ in
            guard let next = running.waiting, openAlarms.count == 0 else { return }
            apply(next, old: settings)
            noteChannels()
            if running.takeSessionRenewal() { door.renewSession() }
            log.notice("the rest of a reload holds now")
        }
    }

    private func follow(consentOf settings: GatewaySettings) {
        let entries = deciding.withLock { _ in
            let entries = ConsentStart.follow(settings, by: gate)
            if !entries.isEmpty { keeper.keep(entries) { _ in } }
            return entries
        }
        if !entries.isEmpty { outbox.purge(open: nil) { _ in } }
        applyConsent()
    }
}
