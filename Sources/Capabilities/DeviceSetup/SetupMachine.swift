import ControlContract
import GatewayModel
import Readings
import Wearables
import WireFormats

/// Session that began the work on wearables: a paired device of the console, or a caller of the control socket.
struct SetupOwner: Hashable, Sendable {
    let name: String
    let session: String?

    init(_ caller: Caller) { (name, session) = (caller.name, caller.session) }
}

/// Work on the wearables, one at a time: a scan, a pairing, an addition or a removal. Pure: each event, with its instant, gives actions
/// in their order.
///
/// Every work has a bound of its own, and ends too when the session that began it has not asked for `leaseLimit`.
struct SetupMachine: Sendable {
    enum Work: Hashable, Sendable {
        case scan(Duration)
        case pair(Verb.PairDevice)
        /// A device that only advertises.
        case add(Verb.AddBroadcaster)
        case forget(DeviceID)
    }

    enum Action: Hashable, Sendable {
        case begin(Work)
        /// Ends the work that runs; its end is reported as `ended`.
        case cancel
        case answer(PairingAnswer)
    }

    /// End of a work.
    enum End: Hashable, Sendable {
        /// A scan that was heard to its end or was stopped.
        case scanned
        case paired(DeviceID, lines: [String])
        case forgotten(DeviceID, lines: [String])
        /// With the observation and the remedy.
        case failed([String])
    }

    enum Event: Sendable {
        case heard([NearbyDevice])
        case asked(PairingQuestion)
        case shown(passkey: String)
        /// The question or the passkey does not count any more.
        case withdrawn
        case ended(End)
    }

    /// A page that is open asks each second, one without script each 5 s. A passkey is typed within this time.
    static let leaseLimit = Duration.seconds(60)
    /// Above the own bounds of a pairing: 20 s of searching, 120 s for bluetoothd, 22 s for services and the end.
    static let pairLimit = Duration.seconds(170)
    /// Above the own bound of a removal, 15 s, and a reload. An addition is a file and a reload.
    static let forgetLimit = Duration.seconds(30)
    /// Devices on the page. The air of a block of flats holds hundreds, and the one in the hand is among the strongest.
    static let mostShown = 24
    /// Devices on the page that only advertise, beside the others: neither kind hides the other.
    static let mostBroadcasters = 12

    private struct Run: Sendable {
        let work: Work
        let owner: SetupOwner
        let deadline: BootInstant
        var lease: BootInstant
        var question: PairingQuestion?
        var passkey: String?
        /// Work of the same session that begins when this one has ended.
        var next: Work?
        var isCancelled = false
    }

    private var run: Run?
    private var lastOwner: SetupOwner?
    private var found: [NearbyDevice] = []
    private var outcome: DeviceSetupDocument.Outcome?
    /// Number of the search for broadcasters that is on; nil while none is. It is on from a scan until nothing of the session
    /// runs that follows from it.
    private(set) var search: Int?
    private var searches = 0
    /// The broadcasters of the last search belong to the last session.
    private var listsBroadcasters = false

    // MARK: Requests

    /// Errors: the reason of a refusal, for a person.
    mutating func begin(_ work: Work, by owner: SetupOwner, at now: BootInstant) throws(ControlError)
        -> [Action]
    {
        guard let running = run else { return start(work, owner, at: now) }
        guard running.owner == owner else {
            throw ControlError(
                "another session works on the wearables, and one can at a time; wait until it has ended, at most "
                    + "\(Self.pairLimit.components.seconds) s")
        }
        guard case .scan = running.work else {
            throw ControlError(
                "a pairing, addition or removal is under way; wait for its end, or stop it first")
        }
        if case .scan = work { throw ControlError("a scan is under way; wait for its end, or stop it first") }
        // A connection attempt while discovering fails on many controllers.
        run?.next = work
        return cancel()
    }

    /// Errors: as `begin`.
    mutating func answer(_ text: String, by owner: SetupOwner) throws(ControlError) -> [Action] {
        guard let running = run, running.owner == owner, let question = running.question else {
            throw ControlError("no question of a device is open for this session; see the state of the pairing")
        }
        let answer = try Self.answer(text, to: question)
        run?.question = nil
        return [.answer(answer)]
    }

    private static func answer(
        _ text: String, to question: PairingQuestion
    ) throws(ControlError) -> PairingAnswer {
        if text == "no" { return .no }
        switch question {
        case .passkey:
            guard text.utf8.count <= 6, let number = UInt32(text) else {
                throw ControlError(
                    "answer: saw '\(text)', expected the 6 digits that the device shows; type them again")
            }
            return .passkey(number)
        case .pinCode:
            guard text != "yes" else {
                throw ControlError("answer: saw 'yes', expected the PIN of the device; type its digits")
            }
            return .pinCode(text)
        case .isShown, .mayPair:
            guard text == "yes" else {
                throw ControlError(
                    "answer: saw '\(text)', expected 'yes' or 'no'; compare the digits and answer")
            }
            return .yes
        }
    }

    /// Ends the session's work; nothing where it has none.
    mutating func stop(by owner: SetupOwner) -> [Action] {
        guard run?.owner == owner else {
            if lastOwner == owner { outcome = nil }
            return []
        }
        run?.next = nil
        return cancel()
    }

    // MARK: Events

    mutating func handle(_ event: Event, at now: BootInstant) -> [Action] {
        guard let running = run else { return [] }
        switch event {
        case .heard(let devices):
            if case .scan = running.work { found = devices }
        case .asked(.mayPair):
            // The person has chosen the device on the page: that is the consent.
            return [.answer(.yes)]
        case .asked(let question): run?.question = question
        case .shown(let passkey): run?.passkey = passkey
        case .withdrawn:
            run?.question = nil
            run?.passkey = nil
        case .ended(let end): return finish(end, running, at: now)
        }
        return []
    }

    /// To be called about once a second.
    mutating func tick(at now: BootInstant) -> [Action] {
        guard let running = run, !running.isCancelled, now >= min(running.deadline, running.lease) else {
            return []
        }
        run?.next = nil
        search = nil
        return cancel()
    }

    private mutating func start(_ work: Work, _ owner: SetupOwner, at now: BootInstant) -> [Action] {
        let limit =
            switch work {
            case .scan(let duration): duration + .seconds(10)
            case .pair: Self.pairLimit
            case .add, .forget: Self.forgetLimit
            }
        run = Run(
            work: work, owner: owner, deadline: now.advanced(by: limit),
            lease: now.advanced(by: Self.leaseLimit))
        if lastOwner != owner { (found, listsBroadcasters) = ([], false) }
        switch work {
        case .scan:
            searches += 1
            (found, search, listsBroadcasters) = ([], searches, true)
        // Its adverts are heard until it is a wearable of the house: a press in between is not taken for a later one.
        case .add: break
        case .pair, .forget: search = nil
        }
        (lastOwner, outcome) = (owner, nil)
        return [.begin(work)]
    }

    private mutating func cancel() -> [Action] {
        guard run?.isCancelled == false else { return [] }
        run?.isCancelled = true
        return [.cancel]
    }

    private mutating func finish(_ end: End, _ running: Run, at now: BootInstant) -> [Action] {
        run = nil
        switch end {
        case .scanned: outcome = nil
        case .paired(let device, let lines):
            outcome = DeviceSetupDocument.Outcome(isDone: true, lines: lines, device: device)
            (found, listsBroadcasters) = ([], false)
        case .forgotten(_, let lines): outcome = DeviceSetupDocument.Outcome(isDone: true, lines: lines)
        case .failed(let lines): outcome = DeviceSetupDocument.Outcome(isDone: false, lines: lines)
        }
        guard let next = running.next else {
            search = nil
            return []
        }
        return start(next, running.owner, at: now)
    }

    // MARK: State

    /// State for a session. Of another one's work it tells the kind alone. The owner's look renews the lease.
    ///
    /// - Parameters:
    ///   - known: ids of the wearables of the house, by address.
    ///   - broadcasters: of the last search, the strongest first.
    mutating func look(
        by owner: SetupOwner, known: [DeviceAddress: DeviceID], broadcasters: [BroadcasterSearch.Found] = [],
        at now: BootInstant
    ) -> DeviceSetupDocument {
        let isOwn = run.map { $0.owner == owner } ?? (lastOwner == owner)
        if isOwn { run?.lease = now.advanced(by: Self.leaseLimit) }
        var phase = DeviceSetupDocument.Phase.idle
        var left: Duration?
        var device: DeviceID?
        switch run?.work {
        case .scan:
            phase = .scanning
            left = run.map { now.duration(to: $0.deadline) - .seconds(10) }
        case .pair(let wearable): (phase, device) = (.pairing, wearable.id)
        case .add(let broadcaster): (phase, device) = (.adding, broadcaster.id)
        case .forget(let id): (phase, device) = (.forgetting, id)
        case nil: break
        }
        guard isOwn else { return DeviceSetupDocument(phase: phase, isOwn: false) }
        return DeviceSetupDocument(
            phase: phase, isOwn: true, left: left, device: device,
            found: shown(known, listsBroadcasters ? broadcasters : [], at: now),
            question: run?.question.flatMap(Self.question), passkey: run?.passkey, outcome: outcome)
    }

    /// The strongest first; by whole bars, so that a row does not move under the finger.
    private func shown(
        _ known: [DeviceAddress: DeviceID], _ broadcasters: [BroadcasterSearch.Found], at now: BootInstant
    ) -> [DeviceSetupDocument.Found] {
        // bluetoothd lists a device that advertises too, and knows its name.
        let listed = Dictionary(found.map { ($0.address, $0) }) { first, _ in first }
        let advertising = Set(broadcasters.map(\.address))
        let others = found.filter { !advertising.contains($0.address) }.prefix(Self.mostShown).map { device in
            DeviceSetupDocument.Found(
                address: device.address, name: device.name, signal: device.signal,
                services: device.services.map(\.title), isOfUse: !device.isUseless,
                knownAs: known[device.address], isConnected: device.isConnected)
        }
        let shown = broadcasters.prefix(Self.mostBroadcasters).map { device in
            DeviceSetupDocument.Found(
                address: device.address, name: listed[device.address]?.name,
                signal: device.signal ?? listed[device.address]?.signal, services: [GATTService.bthome.title],
                isOfUse: true, knownAs: known[device.address], isConnected: false,
                broadcast: DeviceSetupDocument.Broadcast(
                    isEncrypted: device.isEncrypted, event: device.event,
                    heardAge: device.heardAt.duration(to: now)))
        }
        return (shown + others).sorted { ($1.bars, $0.address) < ($0.bars, $1.address) }
    }

    private static func question(_ question: PairingQuestion) -> DeviceSetupDocument.Question? {
        switch question {
        case .passkey: DeviceSetupDocument.Question(.passkey)
        case .pinCode: DeviceSetupDocument.Question(.pin)
        case .isShown(let digits): DeviceSetupDocument.Question(.compare, shown: digits)
        case .mayPair: nil
        }
    }
}
