import GatewayModel
import Systemd

/// State machine that judges whether adapter and bluetoothd still work, and chooses a remedy. Pure.
///
/// Two symptoms. *Unanswered*: calls that need no wearable stay without an answer while the bus lives.
/// *Deaf*: discovery is on, no link is up, and where many strangers' devices were heard not one advert comes
/// any more. In a house where nobody else was on the air silence only says that the wearables are out: then
/// discovery is started anew now and then, without a word. In any stage, a link that brings values is left
/// alone, and bonds are never removed: RemoveDevice is no cure but a second failure, with a person needed to
/// pair again.
public struct RadioRecovery: Sendable {
    /// Remedies in their order, each where the last has not helped.
    public enum Stage: Int, CaseIterable, Hashable, Sendable {
        case restartDiscovery, powerCycle, restartService
    }

    enum Symptom: Hashable, Sendable {
        /// bluetoothd's own loop does not answer: only its restart can help.
        case serviceUnanswered
        /// The adapter does not: bluetoothd waits for it.
        case adapterUnanswered
        case deaf

        /// The observation and the remedy.
        var advice: String {
            switch self {
            case .serviceUnanswered:
                "bluetoothd does not answer although the bus does. See: journalctl -u bluetooth"
            case .adapterUnanswered:
                "the Bluetooth adapter does not answer bluetoothd. See: dmesg; unplug it and plug it in again"
            case .deaf:
                "discovery is on and not one advert is heard. Move the adapter away from Wi-Fi and metal"
            }
        }
    }

    enum Action: Hashable, Sendable {
        case ping
        case suspect(Symptom)
        case recovered
        case attempt(Stage)
        /// Some kernels do not resume a scan that a connection interrupted: it costs nothing to begin anew.
        case refreshDiscovery
    }

    private struct Suspicion {
        let symptom: Symptom
        /// The next thing to try, and when.
        var stage: Stage
        var due: BootInstant
    }

    /// Restarting bluetooth.service is allowed.
    private let mayRestartService: Bool
    private var suspicion: Suspicion?
    private var lastAnswer: BootInstant
    private var isPinging = false
    /// While discovery is on: when anything was last heard.
    private var lastAdvert: BootInstant?
    private var lastValue: BootInstant?
    /// Adverts of devices that are none of ours, since deafness was last treated: whether silence means much.
    private var strangers = 0
    private var isAnyLinkUp = false
    private var lastPowerCycle: BootInstant?
    private var lastRestart: BootInstant?
    /// Connects in a row that stayed unanswered although the wearable had just been heard.
    private var lostConnects = 0

    init(mayRestartService: Bool, at now: BootInstant) {
        self.mayRestartService = mayRestartService
        lastAnswer = now
    }

    /// After so long without a sign of bluetoothd it is asked for one; with `BlueZCall.ping`'s 3 s a hang is
    /// told within 8 s of the last sign.
    private static let quietLimit = Duration.seconds(5)
    /// No advert of anything. A wearable that is there advertises each 2.5 s or faster, and a scan that is
    /// interrupted by a connection resumes at once: 30 s is ten times the gap that chance explains.
    static let deafLimit = Duration.seconds(30)
    /// Adverts of strangers that make a house a noisy one: the device of a single neighbour that goes to work
    /// sends fewer between two of our scans.
    static let noise = 50
    /// For a stage to show that it has helped: a power cycle takes some seconds, the first adverts more.
    private static let patience = Duration.seconds(20)
    /// A power cycle ends links and discoveries of everybody: at most once in this time, and a restart too.
    private static let rareInterval = Duration.seconds(3600)
    /// A link that brought a value this recently works.
    private static let liveliness = Duration.seconds(10)
    /// Connects lost in a row before the adapter is taken for the cause.
    private static let lostConnectLimit = 3

    var isSuspecting: Bool { suspicion != nil }
}

// MARK: Events

extension RadioRecovery {
    /// A reply, or its absence, as evidence about bluetoothd and the adapter.
    /// - Parameters:
    ///   - error: nil for a reply that is no error.
    ///   - isHeard: the wearable of the call has just been heard.
    mutating func replied(
        to method: BlueZCall.Method, _ error: BusError?, isHeard: Bool, at now: BootInstant
    ) -> [Action] {
        switch (method, error?.isTimeout ?? false) {
        case (.restartUnit, _): []
        case (.ping, true), (.getManagedObjects, true): unanswered(byService: true, at: now)
        case (.setDiscoveryFilter, true), (.startDiscovery, true), (.stopDiscovery, true), (.set, true):
            unanswered(byService: false, at: now)
        case (.connect, true): isHeard ? connectLost(at: now) : []
        // A wearable's silence is its own.
        case (_, true): []
        case (.startDiscovery, false), (.stopDiscovery, false), (.set, false): adapterAnswered(at: now)
        case (_, false): error?.isOfBus == true ? [] : answered(at: now)
        }
    }

    /// A reply, even an error, or a signal: bluetoothd lives.
    mutating func answered(at now: BootInstant) -> [Action] {
        lastAnswer = now
        isPinging = false
        return suspicion?.symptom == .serviceUnanswered ? recover() : []
    }

    /// A reply to a call that went to the adapter.
    mutating func adapterAnswered(at now: BootInstant) -> [Action] {
        let actions = answered(at: now)
        return suspicion?.symptom == .adapterUnanswered ? recover() : actions
    }

    /// A call to bluetoothd or the adapter stayed without an answer.
    mutating func unanswered(byService isService: Bool, at now: BootInstant) -> [Action] {
        if isService { isPinging = false }
        return suspect(isService ? .serviceUnanswered : .adapterUnanswered, at: now)
    }

    /// Connect to a wearable that is there stayed without an answer.
    mutating func connectLost(at now: BootInstant) -> [Action] {
        lostConnects += 1
        return lostConnects >= Self.lostConnectLimit ? suspect(.adapterUnanswered, at: now) : []
    }

    mutating func linkCameUp(at now: BootInstant) -> [Action] {
        lostConnects = 0
        return adapterAnswered(at: now) + adverts(at: now)
    }

    /// An advert.
    mutating func adverts(ofStranger isStranger: Bool = false, at now: BootInstant) -> [Action] {
        if lastAdvert != nil { lastAdvert = now }
        if isStranger { strangers += 1 }
        return suspicion?.symptom == .deaf ? recover() : []
    }

    /// On the way to the SOS rules, so it decides nothing.
    mutating func valueArrived(at now: BootInstant) {
        lastValue = now
        lastAnswer = max(lastAnswer, now)
    }

    /// Discovery is on or not, and links are up or not: one that is proves that the radio hears.
    mutating func listening(_ isListening: Bool, isAnyLinkUp: Bool, at now: BootInstant) {
        self.isAnyLinkUp = isAnyLinkUp
        guard isListening != (lastAdvert != nil) else { return }
        lastAdvert = isListening ? now : nil
    }

    /// bluetoothd has started anew, or is known to be away: nothing is to be suspected of the old one.
    mutating func startOver(at now: BootInstant) -> [Action] {
        (lastAnswer, isPinging, lastAdvert, lostConnects) = (now, false, nil, 0)
        return recover()
    }

    /// To be called while bluetoothd is on the bus.
    mutating func tick(at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        if !isPinging, lastAnswer.duration(to: now) >= Self.quietLimit {
            isPinging = true
            lastAnswer = now
            actions.append(.ping)
        }
        if let lastAdvert, suspicion == nil, lastAdvert.duration(to: now) >= Self.deafLimit {
            self.lastAdvert = now
            let isDeaf = strangers >= Self.noise && !isAnyLinkUp
            actions += isDeaf ? suspect(.deaf, at: now) : [.refreshDiscovery]
        }
        return actions + attempt(at: now)
    }

    /// When to call `tick`.
    var deadline: BootInstant? {
        [
            isPinging ? nil : lastAnswer.advanced(by: Self.quietLimit),
            suspicion == nil ? lastAdvert?.advanced(by: Self.deafLimit) : nil,
            suspicion?.due,
        ]
        .compactMap { $0 }.min()
    }
}

// MARK: Stages

extension RadioRecovery {
    private mutating func suspect(_ symptom: Symptom, at now: BootInstant) -> [Action] {
        guard suspicion == nil else { return [] }
        // Neither scan nor power can be asked of a bluetoothd that does not answer.
        let first: Stage = symptom == .serviceUnanswered ? .restartService : .restartDiscovery
        let due = symptom == .serviceUnanswered ? now.advanced(by: Self.quietLimit) : now
        suspicion = Suspicion(symptom: symptom, stage: first, due: due)
        return [.suspect(symptom)] + attempt(at: now)
    }

    private mutating func recover() -> [Action] {
        guard suspicion != nil else { return [] }
        suspicion = nil
        return [.recovered]
    }

    private mutating func attempt(at now: BootInstant) -> [Action] {
        guard let current = suspicion, now >= current.due else { return [] }
        let stage = current.stage
        suspicion?.stage = Self.next(after: stage, current.symptom)
        suspicion?.due = now.advanced(by: Self.patience)
        guard isAllowed(stage, at: now) else { return [] }
        switch stage {
        case .restartDiscovery: break
        case .powerCycle:
            lastPowerCycle = now
            strangers = 0
        case .restartService: lastRestart = now
        }
        return [.attempt(stage)]
    }

    /// Round and round: a stage that was not allowed yet will be.
    private static func next(after stage: Stage, _ symptom: Symptom) -> Stage {
        switch (symptom, stage) {
        case (.serviceUnanswered, _): .restartService
        case (_, .restartDiscovery): .powerCycle
        // A deaf adapter has been reset then; a house where nothing is on the air needs no more.
        case (.adapterUnanswered, .powerCycle): .restartService
        default: .restartDiscovery
        }
    }

    private func isAllowed(_ stage: Stage, at now: BootInstant) -> Bool {
        func isRare(_ last: BootInstant?) -> Bool {
            last.map { $0.duration(to: now) >= Self.rareInterval } ?? true
        }
        return switch stage {
        case .restartDiscovery: true
        // Powering off under a live link is also the more dangerous: Linux 6.1 was seen to crash in it.
        case .powerCycle:
            isRare(lastPowerCycle) && !isLively(at: now)
                && !(suspicion?.symptom == .deaf && isAnyLinkUp)
        case .restartService: mayRestartService && isRare(lastRestart) && !isLively(at: now)
        }
    }

    private func isLively(at now: BootInstant) -> Bool {
        lastValue.map { $0.duration(to: now) < Self.liveliness } ?? false
    }
}
