import Alarms
package import GatewayModel
import Hub
package import Settings
package import Vault
package import Wearables
package import WireFormats

/// Turns service data from the air into signals for the SOS rules and into memories to keep.
///
/// Pure: the caller supplies the instant and the randomness, and performs the results.
package struct BroadcasterMachine {
    /// Counts since the start.
    package struct Counts: Hashable, Sendable {
        /// Frames of wearables that the settings name, their repetitions included.
        package var known = 0
        /// BTHome frames of devices that the settings do not name: the neighbours' sensors, or a tag that was not
        /// added.
        package var strangers = 0
    }

    package struct Outcome {
        /// For the SOS inbox, before all other effects.
        package let signals: [WearableSignal]
        /// For the SOS inbox, after the signals.
        package let presses: [WearablePress]
        package let findings: [BroadcasterListener.Finding]
        /// Memories to be written now; nil if no change matters after a restart.
        package let memories: [BeaconMemory]?

        package init(
            signals: [WearableSignal], presses: [WearablePress], findings: [BroadcasterListener.Finding],
            memories: [BeaconMemory]?
        ) {
            self.signals = signals
            self.presses = presses
            self.findings = findings
            self.memories = memories
        }
    }

    /// Broadcasters that were heard by a search before they became wearables of the house.
    package struct Replacement {
        /// Their newest adverts that are believed.
        package let heard: [(device: DeviceID, isTriggerBased: Bool, at: BootInstant)]
        /// Memories to be written now; nil where none has changed.
        package let memories: [BeaconMemory]?
    }

    private var listener: BroadcasterListener
    private var policy: SignalPolicy
    private var memories: [DeviceID: BeaconMemory]
    package private(set) var counts = Counts()
    /// Search of an installer.
    package var search = BroadcasterSearch()

    /// - Parameter memories: those of the previous run. Memories of other devices, or of another device under the same
    ///   id, are left out.
    package init(
        _ broadcasters: [Broadcaster], _ wearables: [GatewaySettings.Wearable], memories: [BeaconMemory],
        cipher: any AdvertisingCipher
    ) {
        let known = memories.filter { memory in
            broadcasters.contains { $0.id == memory.device && $0.address == memory.address }
        }
        self.memories = Dictionary(known.map { ($0.device, $0) }) { first, _ in first }
        listener = BroadcasterListener(
            broadcasters, counters: self.memories.compactMapValues(\.counters), cipher: cipher)
        policy = SignalPolicy(wearables)
    }

    /// Replaces the broadcasters and wearables.
    ///
    /// The search may have heard a new one. Its adverts are heard again here without effect: the press by which it was found,
    /// and a recording of it, call nobody.
    package mutating func replace(
        _ broadcasters: [Broadcaster], _ wearables: [GatewaySettings.Wearable]
    ) -> Replacement {
        let new = broadcasters.filter { !listener.isKnown($0.address) }
        listener.replace(broadcasters)
        policy = SignalPolicy(wearables)
        memories = memories.filter { id, memory in
            broadcasters.contains { $0.id == id && $0.address == memory.address }
        }
        let heard = new.compactMap { broadcaster in hearAgain(broadcaster) }
        return Replacement(heard: heard, memories: heard.isEmpty ? nil : allMemories)
    }

    private mutating func hearAgain(
        _ broadcaster: Broadcaster
    ) -> (device: DeviceID, isTriggerBased: Bool, at: BootInstant)? {
        var newest: (device: DeviceID, isTriggerBased: Bool, at: BootInstant)?
        for frame in search.frames(of: broadcaster.address) {
            let findings = listener.hear(
                serviceData: frame.serviceData, from: broadcaster.address, at: frame.at)
            _ = remember(findings)
            for case .believed(_, let isTriggerBased, _, _) in findings {
                newest = (broadcaster.id, isTriggerBased, frame.at)
            }
        }
        search.remove(broadcaster.address)
        return newest
    }

    /// The memories worth keeping now.
    package var allMemories: [BeaconMemory] { memories.values.sorted { $0.device.text < $1.device.text } }

    package func sendsRegularly(_ device: DeviceID) -> Bool { memories[device]?.sendsRegularly ?? false }

    /// - Parameters:
    ///   - serviceData: from the 16-bit UUID on.
    ///   - signal: in dBm; nil where the source of the adverts does not tell it.
    package mutating func hear(
        _ serviceData: [UInt8], from sender: DeviceAddress, signal: Int? = nil, at arrival: Moment,
        using random: inout some RandomNumberGenerator
    ) -> Outcome {
        guard listener.isKnown(sender) else {
            if serviceData.starts(with: Self.btHome) { counts.strangers += 1 }
            search.record(serviceData, from: sender, signal: signal, at: arrival.boot)
            return Outcome(signals: [], presses: [], findings: [], memories: nil)
        }
        counts.known += 1
        let findings = listener.hear(serviceData: serviceData, from: sender, at: arrival.boot)
        var signals: [WearableSignal] = []
        var presses: [WearablePress] = []
        for finding in findings {
            let said: (message: BroadcasterMessage, broadcaster: Broadcaster, isProven: Bool)
            switch finding {
            case .message(let message, let broadcaster): said = (message, broadcaster, true)
            case .unprovenMessage(let message, let broadcaster): said = (message, broadcaster, false)
            case .believed, .unproven, .refused: continue
            }
            let broadcaster = said.broadcaster
            guard let meaning = policy.meaning(of: said.message, from: broadcaster.id, at: arrival.boot) else {
                continue
            }
            guard let kind = meaning.signal else {
                // A recorded press must never end an alarm, nor widen a limit.
                if said.isProven {
                    presses.append(
                        WearablePress(
                            person: broadcaster.person, device: broadcaster.id, means: meaning,
                            arrival: arrival))
                }
                continue
            }
            signals.append(
                WearableSignal(
                    id: MessageID(wall: arrival.wall, using: &random), person: broadcaster.person,
                    device: broadcaster.id, kind: kind, arrival: arrival))
        }
        let isWorthKeeping = remember(findings)
        return Outcome(
            signals: signals, presses: presses, findings: findings,
            memories: isWorthKeeping ? allMemories : nil)
    }

    /// - Returns: whether it has to be on the disk soon. A frame with nothing but a battery level may be replayed after
    ///   a power cut without effect, so a sensor that sends each second does not wear the disk out.
    private mutating func remember(_ findings: [BroadcasterListener.Finding]) -> Bool {
        var isWorthKeeping = false
        for finding in findings {
            switch finding {
            case .believed(let broadcaster, let isTriggerBased, let counters, let hasEvent):
                var memory =
                    memories[broadcaster.id]
                    ?? BeaconMemory(device: broadcaster.id, address: broadcaster.address)
                if let counters {
                    isWorthKeeping = isWorthKeeping || hasEvent || memory.unproven != nil
                    memory.counters = counters
                }
                if !isTriggerBased, !memory.sendsRegularly {
                    memory.sendsRegularly = true
                    isWorthKeeping = true
                }
                memories[broadcaster.id] = memory
            case .unproven(let broadcaster, let counters):
                memories[broadcaster.id]?.counters = counters
                isWorthKeeping = true
            case .message, .unprovenMessage, .refused: continue
            }
        }
        return isWorthKeeping
    }

    /// Confirms that a person at the box changed the battery of a wearable.
    /// - Returns: the memories to be written now; nil if no frame came that a changed battery explains.
    package mutating func confirmBattery(of device: DeviceID) -> [BeaconMemory]? {
        guard let counters = listener.confirmBattery(of: device) else { return nil }
        memories[device]?.counters = counters
        return allMemories
    }

    private static let btHome = [
        UInt8(truncatingIfNeeded: BTHomeAdvert.service), UInt8(BTHomeAdvert.service >> 8),
    ]
}

extension BeaconMemory {
    /// Nil if no encrypted frame was accepted.
    fileprivate var counters: BTHomeCounterGuard.State? {
        get { counter.map { BTHomeCounterGuard.State(last: $0, unproven: unproven, retired: retired) } }
        set { (counter, unproven, retired) = (newValue?.last, newValue?.unproven, newValue?.retired) }
    }
}
