package import GatewayModel
import Wearables
package import WireFormats

/// BTHome devices that an installer's search hears. Wearables of the house are not among them. Pure.
///
/// Anyone in range may send anything in any name. So all numbers are bounded, and no device of the search raises an alarm.
package struct BroadcasterSearch: Sendable {
    /// Device that was heard.
    package struct Found: Hashable, Sendable {
        package let address: DeviceAddress
        /// In dBm; nil where the source of the adverts does not tell it.
        package let signal: Int?
        package let isEncrypted: Bool
        /// Newest event that the settings may give a meaning; nil where none was heard, or its adverts are encrypted.
        package let event: SignalEvent?
        /// Arrival of the newest advert. Repetitions do not count.
        package let heardAt: BootInstant

        package init(
            address: DeviceAddress, signal: Int?, isEncrypted: Bool, event: SignalEvent?, heardAt: BootInstant
        ) {
            (self.address, self.signal, self.isEncrypted) = (address, signal, isEncrypted)
            (self.event, self.heardAt) = (event, heardAt)
        }
    }

    /// Judgement of a key that an installer has typed for a device, or has left out.
    package enum KeyVerdict: Hashable, Sendable {
        /// It opens an advert of the device; or the adverts are in the clear, and there is no key.
        case fits
        case notHeard
        /// The adverts are encrypted, and there is no key.
        case missing
        /// The adverts are in the clear, and there is a key.
        case unused
        case wrong
    }

    struct Frame: Sendable {
        let serviceData: [UInt8]
        let advert: BTHomeAdvert
        let at: BootInstant

        /// Nil where it is in the clear.
        var counter: UInt32? {
            if case .encrypted(let envelope) = advert.content { envelope.counter } else { nil }
        }
    }

    fileprivate struct Entry: Sendable {
        let address: DeviceAddress
        var signal: Int?
        var isEncrypted = false
        var event: SignalEvent?
        var heardAt: BootInstant
        var frames: [Frame] = []
        var repeats = BTHomeRepeatGuard()

        var strength: Int { signal ?? -128 }
    }

    /// Devices that are kept. A block of flats holds fewer; in a crowd the strongest stay.
    package static let mostDevices = 32
    /// Different adverts that are kept of a device. One press is one or two of them.
    package static let mostFrames = 8

    private var entries: [Entry] = []
    /// Adverts are recorded; else the devices stay as they were heard.
    private var isOpen = false

    package init() {}

    // MARK: The search

    /// Begins anew, without the devices of the search before.
    package mutating func begin() { (entries, isOpen) = ([], true) }

    package mutating func end() { isOpen = false }

    /// - Parameters:
    ///   - serviceData: from the 16-bit UUID on.
    ///   - sender: no wearable of the house.
    package mutating func record(
        _ serviceData: [UInt8], from sender: DeviceAddress, signal: Int?, at now: BootInstant
    ) {
        guard isOpen, let advert = try? BTHomeAdvert(serviceData: serviceData.span) else { return }
        let frame = Frame(serviceData: serviceData, advert: advert, at: now)
        if let index = entries.firstIndex(where: { $0.address == sender }) {
            entries[index].take(frame, signal: signal)
            return
        }
        if entries.count >= Self.mostDevices { removeWeakest() }
        var entry = Entry(address: sender, heardAt: now)
        entry.take(frame, signal: signal)
        entries.append(entry)
    }

    /// Of two with the same strength, the one that was heard longer ago. So a button in the hand is heard with its next press.
    private mutating func removeWeakest() {
        let weakest = entries.indices.min {
            (entries[$0].strength, entries[$0].heardAt) < (entries[$1].strength, entries[$1].heardAt)
        }
        if let weakest { entries.remove(at: weakest) }
    }

    /// Removes a device that has become a wearable of the house.
    mutating func remove(_ address: DeviceAddress) { entries.removeAll { $0.address == address } }

    // MARK: Results

    /// The strongest first.
    package var found: [Found] {
        entries.map {
            Found(
                address: $0.address, signal: $0.signal, isEncrypted: $0.isEncrypted, event: $0.event,
                heardAt: $0.heardAt)
        }.sorted {
            ($0.signal ?? -128, $1.address.description) > ($1.signal ?? -128, $0.address.description)
        }
    }

    /// Judges a key by the adverts that were heard. One that it opens is enough: anyone can send others in the same name.
    package func judge(
        _ key: AES128Key?, of address: DeviceAddress, cipher: any AdvertisingCipher
    ) -> KeyVerdict {
        guard let entry = entries.first(where: { $0.address == address }) else { return .notHeard }
        guard entry.isEncrypted else { return key == nil ? .fits : .unused }
        guard let key else { return .missing }
        let isOpened = entry.frames.contains { frame in
            guard case .encrypted(let envelope) = frame.advert.content else { return false }
            // Without a state every counter is new: the key alone decides.
            var counters = BTHomeCounterGuard()
            let opened = try? envelope.open(
                key: key, sender: address, guard: &counters, at: frame.at, cipher: cipher)
            return opened != nil
        }
        return isOpened ? .fits : .wrong
    }

    /// Adverts of a device in the order in which it sent them.
    func frames(of address: DeviceAddress) -> [Frame] {
        guard let entry = entries.first(where: { $0.address == address }) else { return [] }
        guard entry.isEncrypted else { return entry.frames }
        return entry.frames.sorted { ($0.counter ?? 0) < ($1.counter ?? 0) }
    }
}

extension BroadcasterSearch.Entry {
    fileprivate mutating func take(_ frame: BroadcasterSearch.Frame, signal: Int?) {
        self.signal = signal ?? self.signal
        switch frame.advert.content {
        case .plain(let plain):
            // Anyone can send it in the name of a device that encrypts.
            guard !isEncrypted else { return }
            if repeats.isNew(plain, at: frame.at) {
                heardAt = frame.at
                event = BroadcasterMessage.all(in: plain).compactMap(\.signalEvent).first ?? event
            }
            // The newest arrival counts: the time between two arrivals tells a new press from a repetition.
            frames.removeAll { $0.serviceData == frame.serviceData }
        case .encrypted(let envelope):
            if !isEncrypted { (isEncrypted, event, frames) = (true, nil, []) }
            guard !frames.contains(where: { $0.serviceData == frame.serviceData }) else { return }
            // An earlier counter is a recording, or comes late.
            if frames.allSatisfy({ ($0.counter ?? 0) < envelope.counter }) { heardAt = frame.at }
        }
        frames.append(frame)
        if frames.count > BroadcasterSearch.mostFrames { frames.removeFirst() }
    }
}
