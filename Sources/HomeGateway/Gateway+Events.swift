import Alarms
import Consent
import Contract
import GatewayModel
import HouseAlarm
import Hub
import Logging
import MQTTBridge
import OutboxService
import Positioning
import Readings
import RealTime
import SOSLocal
import Settings
import Synchronization
import Wearables

// What each part reports, and where it goes. All of these are called on the reporter's own thread and
// return at once.
extension Gateway {
    // MARK: SOS thread

    func perform(_ action: SOSAction, at instant: BootInstant) {
        // The house first, after it the feed and the log.
        if let word = progress.withLock({ $0.word(after: action) }) { annunciator.say(word) }
        switch action {
        case .annunciate(let notice): buzzer.alarm(notice.person, isOn: true)
        case .dispatch(let order): dispatcher.carry(.dispatch(order))
        case .retract(let retraction): dispatcher.carry(.retract(retraction))
        case .noteEnding(let notice, _, _): buzzer.alarm(notice.person, isOn: false)
        case .record(let alarm):
            openAlarms.note(alarm)
            wantedPositions.want(inAlarm: openAlarms.owners)
            drills.note(alarm, besides: openAlarms)
            keeper.record(alarm)
        default: break
        }
        feed.put(.decided(action, at: Moment(boot: instant, wall: Clock.wall())))
        record(action, at: instant)
    }

    /// The alarm's course in the log: ids, rules and times, no person and no value.
    private func record(_ action: SOSAction, at instant: BootInstant) {
        switch action {
        case .annunciate(let notice):
            log.critical(
                "alarm",
                metadata: [
                    "alarm": "\(notice.alarm)", "rule": "\(notice.cause.name)",
                    "repetition": "\(notice.repetition)",
                ])
        case .noteProgress(let alarm, .annunciated, let timeline):
            record(
                "alarm sounded", alarm, timeline.alarmDelay, since: "confirmation", limit: Promise.alarmLimit)
        case .noteProgress(let alarm, .channel(let channel, .dispatched), let timeline)
        where timeline.dispatched.count == 1:
            log.notice(
                "help called", metadata: milestone(alarm, channel, timeline.sinceCrossing(instant)))
        case .noteProgress(let alarm, .channel(let channel, .handedOver(_, let stage)), let timeline):
            log.notice(
                stage == .confirmed ? "call handed over" : "early notice handed over",
                metadata: milestone(alarm, channel, timeline.sinceCrossing(instant)))
            guard timeline.handedOver.count == 1 else { break }
            record(
                "help has it", alarm, timeline.handOverDelay, since: "crossing", limit: Promise.dispatchLimit)
        case .noteUnreached(let notice):
            log.error("no channel has the call", metadata: ["alarm": "\(notice.alarm)"])
        case .noteEnding(let notice, let ending, _):
            log.notice(
                "alarm over",
                metadata: [
                    "alarm": "\(notice.alarm)", "how": "\(ending.word)",
                    "means": "\(ending.act.means.rawValue)",
                ])
        case .noteFailure(let notice, let channel, let reason, let isLastWord):
            log.error(
                isLastWord ? "call not taken back" : "a call for help failed",
                metadata: ["alarm": "\(notice.alarm)", "channel": "\(channel)", "reason": "\(reason)"])
        case .refuse(let refusal):
            log.warning("request about an alarm refused", metadata: ["reason": "\(refusal.inWords)"])
        default: break
        }
    }

    private func milestone(_ alarm: AlarmID, _ channel: ChannelID, _ delay: Duration) -> Logger.Metadata {
        ["alarm": "\(alarm)", "channel": "\(channel)", "ms_since_crossing": "\(delay.wholeMilliseconds)"]
    }

    private func record(
        _ what: Logger.Message, _ alarm: AlarmID, _ delay: Duration?, since: String, limit: Duration
    ) {
        guard let delay else { return }
        log.log(
            level: delay <= limit ? .notice : .error, what,
            metadata: [
                "alarm": "\(alarm)", "ms_since_\(since)": "\(delay.wholeMilliseconds)",
                "limit_ms": "\(limit.wholeMilliseconds)",
            ])
    }

    // MARK: Any thread that hears

    /// Its wearer says on a wearable that they are all right.
    func cancel(_ press: WearableCancel) {
        let name = settings.persons.first { $0.id == press.person }?.name ?? press.person.text
        let act = PersonAct(by: "\(name), on \(press.device)", means: .wearable)
        inbox.submit(
            .abort(.openOf(press.person, pressedOn: press.device), act), at: press.arrival.boot)
        log.notice("cancelled on a wearable", metadata: ["device": "\(press.device)"])
    }

    // MARK: Bluetooth thread

    func heard(_ event: WearableEvent, _ supervisor: Supervisor) {
        switch event {
        case .reading(let reading):
            let policy = roster.policy
            guard policy.keeps(reading) else {
                // Dropped, and still a sign of life.
                return supervisor.note { $0.heard(reading) }
            }
            // First, and before anything else looks at it.
            if policy.countsForSOS(reading) { inbox.submit(.reading(reading), at: reading.arrival.boot) }
            supervisor.note { $0.heard(reading) }
            lastReadings.note(reading)
            health.set(HealthCondition(.undecodableReadings, subject: reading.device.text), false)
            feed.put(.reading(reading))
            history?.inbox.put(reading)
            publish(reading)
        case .position(let position): locate(position)
        case .noFix(let device, let person): lost(device, of: person)
        case .signal(let signal):
            inbox.submit(.signal(signal), at: signal.arrival.boot)
            supervisor.note { $0.heard(signal.device, contact: nil, at: signal.arrival.boot) }
            log.notice(
                "signal of a wearable",
                metadata: ["device": "\(signal.device)", "kind": "\(signal.kind.rawValue)"])
        case .cancelled(let press):
            cancel(press)
            supervisor.note { $0.heard(press.device, contact: nil, at: press.arrival.boot) }
        case .advertised(let sender, let serviceData, let arrival):
            heard(serviceData, from: sender, at: arrival, supervisor)
        case .measurementFailed(let device, let characteristic, let reason, let contact):
            supervisor.note { $0.heard(device, contact: contact, at: Clock.boot()) }
            log.info(
                "a wearable could not measure",
                metadata: [
                    "device": "\(device)", "characteristic": "\(characteristic)", "reason": "\(reason)",
                ])
        case .undecodable(let device, let characteristic, let bytes, let reason):
            log.debug("undecodable bytes", metadata: ["device": "\(device)", "bytes": "\(bytes)"])
            let isNews = health.set(HealthCondition(.undecodableReadings, subject: device.text), true)
            log.log(
                level: isNews ? .warning : .debug, "undecodable notification",
                metadata: [
                    "device": "\(device)", "characteristic": "\(characteristic)", "length": "\(bytes.count)",
                    "reason": "\(reason)",
                ])
        default: heardOfLinks(event, supervisor)
        }
    }

    /// What concerns the links and the radio.
    private func heardOfLinks(_ event: WearableEvent, _ supervisor: Supervisor) {
        switch event {
        case .connected(let device):
            log.debug("wearable connected", metadata: ["device": "\(device)"])
        case .recognised(let device, let rhythm):
            supervisor.note { $0.recognised(device, rhythm, at: Clock.boot()) }
        case .subscribed(let device, let characteristics):
            callFailures.overcome(device, "Connect")
            log.info(
                "wearable subscribed", metadata: ["device": "\(device)", "count": "\(characteristics.count)"])
            let rhythm = Wearable.Rhythm(of: characteristics)
            supervisor.note { $0.subscribed(device, rhythm, at: Clock.boot()) }
        case .unproven(let device, let characteristic, let limit):
            log.warning(
                "a stream has stopped",
                metadata: [
                    "device": "\(device)", "characteristic": "\(characteristic)",
                    "silent_ms": "\(limit.wholeMilliseconds)",
                ])
            supervisor.note { $0.proven(device, false, at: Clock.boot()) }
        case .proven(let device):
            callFailures.overcome(device)
            supervisor.note { $0.proven(device, true, at: Clock.boot()) }
        case .battery(let device, let percent):
            supervisor.note { $0.battery(device, percent: percent, at: Clock.boot()) }
        case .information(let device, let information):
            log.debug(
                "wearable",
                metadata: [
                    "device": "\(device)", "maker": "\(information.manufacturer ?? "-")",
                    "model": "\(information.model ?? "-")", "firmware": "\(information.firmware ?? "-")",
                ])
        case .disconnected(let device, let reason):
            log.notice("wearable disconnected", metadata: ["device": "\(device)", "reason": "\(reason)"])
            supervisor.note { $0.disconnected(device, at: Clock.boot()) }
        case .alerted(let device, let level):
            log.info("wearable alerted", metadata: ["device": "\(device)", "level": "\(level.rawValue)"])
        default: heardOfRadio(event, supervisor)
        }
    }

    private func heardOfRadio(_ event: WearableEvent, _ supervisor: Supervisor) {
        switch event {
        case .recordsTold(let device, let marks): toldRecords.note(marks, of: device)
        case .bluetooth(let isAvailable, let reason):
            callFailures.overcome(nil)
            supervisor.note { $0.bluetoothTold(at: Clock.boot()) }
            log.log(level: isAvailable ? .info : .warning, "bluetooth", metadata: ["state": "\(reason)"])
            health.set(HealthCondition(.bluetoothUnavailable), !isAvailable)
        case .suspicion(let reason):
            if let reason { log.warning("bluetooth is suspect", metadata: ["reason": "\(reason)"]) }
            health.set(HealthCondition(.bluetoothHung), reason != nil)
        case .recovering(let stage):
            log.warning("trying to recover bluetooth", metadata: ["stage": "\(stage)"])
        case .callFailed(let device, let call, let error, let kind, let retryIn):
            log.log(
                level: callFailures.isNews(device, call, kind) ? .notice : .debug, "bluetooth call failed",
                metadata: [
                    "device": "\(device?.text ?? "-")", "call": "\(call)", "error": "\(error)",
                    "retry_in_ms": "\(retryIn.wholeMilliseconds)",
                ])
        default: break
        }
    }

    /// A value the sensor itself disowns is no sample: it would be read as a measurement.
    private func publish(_ reading: Reading) {
        guard !reading.isDisowned else { return }
        dashboard?.heard(reading)
        publisher.consume(reading)
    }

    // MARK: gpsd thread

    func located(_ event: PositionEvent) {
        switch event {
        case .fix(let fix):
            inbox.submit(.fix(fix), at: fix.arrival.boot)
            surroundings.note(fix)
            feed.put(.position(fix))
            locate(fix)
            health.set(HealthCondition(.positionUnavailable), false)
        case .available:
            log.info("gpsd answers")
        case .unavailable(let reason):
            log.warning("no position", metadata: ["reason": "\(reason)"])
            health.set(HealthCondition(.positionUnavailable), true)
        }
    }
}
