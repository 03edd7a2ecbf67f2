package import Alarms
import ControlContract
import GatewayModel
package import Hub
import Logging
package import OutboxService
package import Readings
import RealTime
import SOSLocal
package import ServiceLifecycle
import Settings
import SettingsReading
import Synchronization
import Systemd
import Vault

/// Reads the settings again on request, lets the other parts follow, and watches the files on the disk.
///
/// Open alarms keep their deadlines, their person and their channels. Settings with a mistake change nothing.
package final class SettingsService: Capability {
    package static let names = CapabilityNames(
        conditions: [
            .settingsRefused, .settingsEntrySetAside, .settingIgnored, .nobodyToCall, .settingsFileWrong,
            .settingsNotApplied,
        ])

    package let running: RunningSettings
    package let health: SettingsHealth
    private let file: String
    private let archive: SettingsArchive
    private let openAlarms: OpenAlarms
    private let help: HelpService
    private let devices: DeviceReload
    private let followers: [any Capability]
    private let core: GatewayCore
    /// The followers have not followed the newest values that persons have set.
    private let owesChoices = Atomic(false)

    private var log: Logger { core.log }

    /// - Parameters:
    ///   - file: path of the settings file.
    ///   - followers: follow each reload, the last first.
    package init(
        _ core: GatewayCore, _ running: RunningSettings, file: String, health: SettingsHealth,
        archive: SettingsArchive, openAlarms: OpenAlarms, help: HelpService, devices: DeviceReload,
        followers: [any Capability]
    ) {
        (self.running, self.file, self.health, self.archive) = (running, file, health, archive)
        (self.core, self.openAlarms, self.help) = (core, openAlarms, help)
        (self.devices, self.followers) = (devices, followers)
    }

    package var services: [any Service] { [ReloadSignal { [self] in reload(ControlAnswer { _ in }) }] }
    package var controls: [ControlHandler] {
        [ControlHandler(Verb.ReloadSettings.self, reload), ControlHandler(Verb.Settings.self, list)]
    }
    package var statusLines: [String] { health.lines }
    // MARK: The start

    /// Reports the parts that this start leaves out: in the log, as conditions and aloud.
    package func reportStart() {
        health.set(
            .running,
            SettingsHealth.conditions(of: running.setAside)
                + SettingsHealth.conditions(.settingsRefused, running.refused))
        reportChannels()
    }

    /// Reports channels with a file that cannot be used, and persons without any usable channel.
    private func reportChannels() {
        health.set(
            .files,
            SettingsHealth.conditions(
                of: help.unusableChannels.map {
                    SalvagedSettings.SetAside(
                        problem: $0.problem, part: "[[channel]] \"\($0.id)\"", concernsHelp: true)
                }))
        var usable = Set(help.usableChannels)
        if !running.settings.broker.access.addresses.isEmpty { usable.insert(MQTTChannel.id) }
        let alone = running.settings.persons.filter { usable.isDisjoint(with: $0.plan.ways.channels) }
        health.set(
            .calls,
            alone.map {
                (
                    HealthCondition(.nobodyToCall, subject: $0.id.text),
                    "\($0.id): each of the channels \($0.plan.ways.channels.map(\.text).joined(separator: ", ")) "
                        + "is set aside; nobody is called. Mend one, then: homegateway reload"
                )
            })
    }

    // MARK: Care

    /// Finishes a reload that waited for the end of an alarm, and compares the files with the settings in force; the first
    /// time after the first round of the rules. Blocking I/O.
    package var careTasks: [CareTask] {
        let watch = Mutex<SettingsWatch?>(nil)
        return [
            CareTask { [self] now in
                watch.withLock { watch in
                    if watch == nil { archive.keepStart() }
                    var current = watch ?? SettingsWatch(path: file, devices: running.settings.devicesFile)
                    tend(&current, at: now.boot)
                    watch = current
                }
            }
        ]
    }

    private func tend(_ watch: inout SettingsWatch, at now: BootInstant) {
        finishReload(at: now)
        if owesChoices.load(ordering: .acquiring) { followChoices() }
        guard let finding = watch.look(at: now, running: running.copy) else { return }
        switch finding {
        case .same: health.set(.disk, [])
        case .different:
            let condition = HealthCondition(.settingsNotApplied)
            health.set(.disk, [(condition, "\(file) is not what runs: homegateway reload applies it")])
        case .wrong(let problems):
            health.set(
                .disk,
                problems == running.refused ? [] : SettingsHealth.conditions(.settingsFileWrong, problems))
        }
    }

    // MARK: Reload

    /// Reads all settings again, on a thread of its own.
    private func reload(_ reply: ControlAnswer<NoDocument>) {
        answer(reply, onThread: "reload") { [self] in readAgain() }
    }

    /// Answers on a thread of its own: the control thread, which cancels alarms, waits for no disk.
    private func answer<Document>(
        _ reply: ControlAnswer<Document>, onThread name: String,
        _ make: @escaping @Sendable () -> ControlReply<Document>
    ) {
        do throws(SystemCallError) {
            _ = try NamedThread(name) { reply(make()) }
        } catch {
            reply(.refused("the gateway has no thread for it now: \(error)"))
        }
    }

    /// Answers with the settings in force. Key files of wearables are read for it.
    private func list(_ reply: ControlAnswer<SettingsListing>) {
        answer(reply, onThread: "settings") { [running] in
            guard let copy = running.copy else {
                return .refused("the settings in force have no text to show; restart the gateway")
            }
            let listing = SettingsListing(of: copy) { $0.wearablesWithoutKey.map(\.setAside) }
            return .done(with: listing, lines: listing.lines)
        }
    }

    /// Blocking I/O.
    private func readAgain() -> ControlReply<NoDocument> {
        running.reloading.withLock { _ in
            ServiceNotifier.reloading()
            defer { ServiceNotifier.ready() }
            let found = SalvagedSettings(path: file)
            let known = Set(running.setAside.map(\.problem))
            let deaf = found.settings?.wearablesWithoutKey ?? []
            let mistakes =
                found.problems + deaf.map(\.setAside.problem).filter { !known.contains($0) }
            guard mistakes.isEmpty, let fresh = found.settings, let copy = found.copy else {
                health.set(.disk, SettingsHealth.conditions(.settingsFileWrong, mistakes))
                return ControlReply(
                    isDone: false,
                    lines: ["the settings are wrong; the gateway goes on as before:"]
                        + mistakes.map(\.description))
            }
            let usable = fresh.without(wearables: Set(deaf.map(\.id)))
            let lines = take(usable)
            running.replace(copy: copy)
            running.acceptFile()
            health.set(.disk, [])
            health.set(.running, SettingsHealth.conditions(of: deaf.map(\.setAside)))
            reportChannels()
            archive.keep(copy)
            log.notice("settings reloaded", metadata: ["changes": "\(lines.count)"])
            let kept = deaf.map { "\($0.setAside.part) is set aside: \($0.setAside.problem)" }
            return ControlReply(
                isDone: true,
                lines: lines + kept + help.unusableChannels.map { "set aside: \($0.problem)" })
        }
    }

    /// - Returns: the changes, one a line.
    private func take(_ fresh: GatewaySettings) -> [String] {
        let old = running.written
        let restart = old.partsForRestart(fresh)
        let next = old.following(fresh)
        apply(next, old: old)
        let change = devices.replace(with: next.wearables)
        if old.broker != next.broker { renewSession() }
        if change.concernsTheRadio || old.persons != next.persons { core.announceStatus() }
        var lines = SettingsChange.lines(from: old, to: next)
        if change != RosterChange(from: [], to: []) { lines += change.lines }
        if running.waiting != nil {
            lines.append("an alarm is open: what it was called by and about is exchanged after it")
        }
        if !restart.isEmpty {
            lines.append(
                "needs a restart: \(restart.joined(separator: ", ")) (systemctl restart homegateway)")
        }
        return lines.isEmpty ? ["nothing has changed"] : lines
    }

    private var isAlarmOpen: Bool { openAlarms.count > 0 }
    private var isBrokerConnected: Bool {
        !core.health.conditions.contains(HealthCondition(.brokerUnreachable))
    }

    /// A call may be on its way through a session that works: that one stays until the alarm is over.
    private func renewSession() {
        guard running.waiting != nil, isBrokerConnected else {
            return core.broker.renew()
        }
        running.renewSessionLater()
    }

    /// While an alarm is open its person and its channels stay; the rest holds at once.
    private func apply(_ next: GatewaySettings, old: GatewaySettings) {
        let isWaiting = isAlarmOpen
        let leaving = old.persons.filter { person in !next.persons.contains { $0.id == person.id } }
        let current =
            isWaiting
            ? next.with(persons: leaving, channels: Self.channels(of: old, and: next)) : next
        let choices = running.choices
        notifyFollowers(
            SettingsReload(
                old: old.with(choices), next: next.with(choices), current: current.with(choices)))
        running.replace(
            isWaiting ? next.with(persons: leaving, channels: current.channels) : next,
            waiting: isWaiting ? next : nil)
    }

    private func notifyFollowers(_ reload: SettingsReload) {
        for follower in followers.reversed() { follower.follow(reload) }
    }

    /// Lets the other parts follow the values that persons have set, as they are in force by now. From any thread; `done`
    /// is called once, on a thread of its own, because the parts may wait for a disk.
    package func applyChoices(_ done: @escaping @Sendable () -> Void) {
        owesChoices.store(true, ordering: .releasing)
        do throws(SystemCallError) {
            _ = try NamedThread("choices") { [self] in
                followChoices()
                done()
            }
        } catch {
            log.error("values of a person hold a second later", metadata: ["reason": "\(error)"])
            done()
        }
    }

    /// An open alarm keeps its channels, as in a reload. Blocking I/O.
    private func followChoices() {
        running.reloading.withLock { _ in
            owesChoices.store(false, ordering: .releasing)
            let current = running.settings
            let next = running.waiting.map { $0.with(running.choices) } ?? current
            notifyFollowers(SettingsReload(old: current, next: next, current: current))
            reportChannels()
        }
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
        guard running.maySettle(isAlarmOpen: isAlarmOpen, at: now) else { return }
        running.reloading.withLock { _ in
            guard let next = running.waiting, !isAlarmOpen else { return }
            apply(next, old: running.written)
            reportChannels()
            if running.takeSessionRenewal() { core.broker.renew() }
            log.notice("the rest of a reload holds now")
        }
    }
}

extension SettingsListing {
    /// As the file reads, with a note at each default.
    fileprivate var lines: [String] {
        ["# \(file)"] + setAside.map { "# set aside: \($0)" }
            + parts.flatMap { part in
                ["", part.title]
                    + part.entries.map { "\($0.key) = \($0.value)" + ($0.isWritten ? "" : "  # default") }
            }
    }
}
