package import GatewayModel
package import WireFormats

/// Act of an installer on the wearables and on the checks of the house, with its verb at the control socket.
///
/// Each of them returns at once, and `buzz` within some seconds. The work goes on in the gateway, and the looks `deviceSetup`, `checkReport` and `walk`
/// show its state.
package struct InstallerAct: Hashable, Sendable {
    /// Device that is to be paired and given to a person.
    package struct NewWearable: Hashable, Sendable {
        package let id: DeviceID
        package let address: DeviceAddress
        package let person: PersonID
        /// False for a device that needs no bond: it is added without a pairing.
        package let isBonded: Bool

        package init(id: DeviceID, address: DeviceAddress, person: PersonID, isBonded: Bool = true) {
            (self.id, self.address, self.person, self.isBonded) = (id, address, person, isBonded)
        }
    }

    /// Device that only advertises (BTHome), to be given to a person.
    package struct NewBroadcaster: Hashable, Sendable {
        package let id: DeviceID
        package let address: DeviceAddress
        package let person: PersonID
        /// Nil for one whose adverts are in the clear.
        package let key: AES128Key?
        /// At least one.
        package let meanings: [SignalEvent: ButtonMeaning]

        /// - Parameters:
        ///   - key: 32 hexadecimal digits; nil or empty for none.
        ///   - meanings: names of events with the names of their meanings.
        /// Errors: the field that is missing or wrong. The key is never part of the text.
        package init(
            id: DeviceID, address: DeviceAddress, person: PersonID, key: String?,
            meanings: [(event: String, meaning: String)]
        ) throws(ControlError) {
            (self.id, self.address, self.person) = (id, address, person)
            self.key = try Self.key(key ?? "")
            var known: [SignalEvent: ButtonMeaning] = [:]
            for (name, meaning) in meanings {
                guard let event = SignalEvent(rawValue: name), known[event] == nil,
                    let meaning = event.meanings.first(where: { $0.rawValue == meaning })
                else { throw InstallerAct.signals.wrong("\(name)=\(meaning)") }
                known[event] = meaning
            }
            guard !known.isEmpty else {
                throw ControlError(
                    "signals: missing, expected at least one event with its meaning: nothing else of the device calls for "
                        + "help; say what a press means, such as button=sos-button", .meaningMissing)
            }
            self.meanings = known
        }

        private static func key(_ text: String) throws(ControlError) -> AES128Key? {
            guard !text.isEmpty else { return nil }
            guard let key = AES128Key(hexadecimal: text) else {
                throw ControlError(
                    "key: saw \(text.count) characters, expected 32 hexadecimal digits; copy the bind key from the app of "
                        + "the device", .keyMalformed)
            }
            return key
        }
    }

    /// Choice about one kind of reading of a device.
    package struct Tracking: Hashable, Sendable {
        package let device: DeviceID
        package let kind: QuantityKind
        package let isOn: Bool
        /// Whether it is the person's only source of this kind for alarms; nil leaves the source as it is.
        package let isSOSSource: Bool?

        package init(device: DeviceID, kind: QuantityKind, isOn: Bool, isSOSSource: Bool? = nil) {
            (self.device, self.kind, self.isOn, self.isSOSSource) = (device, kind, isOn, isSOSSource)
        }
    }

    package enum Act: Hashable, Sendable {
        /// State of the scan or pairing. A session that asks keeps its work alive.
        case deviceSetup
        case scan(seconds: Int)
        case pair(NewWearable)
        case addBroadcaster(NewBroadcaster)
        /// `yes`, `no`, or the digits that the device shows.
        case answer(String)
        case stopSetup
        case track(Tracking)
        case forget(DeviceID)
        /// Lets a wearable buzz for some seconds, so that it is found.
        case buzz(DeviceID)
        case startCheck
        case checkReport
        case events
        /// Settings that run.
        case settings
        /// Begins a walk with a wearable.
        case startWalk(DeviceID)
        /// The walk goes on in this room.
        case walkRoom(String)
        case stopWalk
        case walk
    }

    package let act: Act
    package internal(set) var caller: ControlRequest.Caller

    package init(_ act: Act, by caller: String? = nil) {
        (self.act, self.caller) = (act, ControlRequest.Caller(caller))
    }

    /// Wearable that is to buzz; nil for another act.
    var buzzing: DeviceID? { if case .buzz(let device) = act { device } else { nil } }

    package var verb: ControlRequest.Verb {
        switch act {
        case .deviceSetup: .deviceSetup
        case .scan: .scanDevices
        case .pair: .pairDevice
        case .addBroadcaster: .addBroadcaster
        case .answer: .answerPairing
        case .stopSetup: .stopSetup
        case .track: .trackDevice
        case .forget: .forgetDevice
        case .buzz: .buzz
        case .startCheck: .startCheck
        case .checkReport: .checkReport
        case .events: .recentEvents
        case .settings: .settings
        case .startWalk: .startWalk
        case .walkRoom: .walkRoom
        case .stopWalk: .stopWalk
        case .walk: .walk
        }
    }
}

// MARK: On the wire

extension InstallerAct {
    /// A scan is bounded: adverts of every neighbour wake bluetoothd and the gateway.
    package static let scanSeconds = 5...120
    /// Maximum number of characters of the name of a room.
    package static let roomLength = 40

    private static let device = ControlField(
        "subject", expected: "the id of a wearable: " + DeviceID.form, remedy: "see: homegateway devices list")
    private static let address = ControlField(
        "address", expected: "an address such as C0:FF:EE:00:00:01", remedy: "take one of the scan")
    private static let seconds = ControlField(
        "seconds", expected: "\(scanSeconds.lowerBound) to \(scanSeconds.upperBound)",
        remedy: "leave it out for 60 s")
    static let signals = ControlField(
        "signals",
        expected: "different events (" + SignalEvent.allCases.map(\.rawValue).joined(separator: ", ")
            + "), each with '=' and its meaning ("
            + ButtonMeaning.allCases.map(\.rawValue).joined(separator: ", ")
            + "; cancel and exercise for a press alone)",
        remedy: "write each as button=sos-button")
    private static let answer = ControlField(
        "answer", expected: "'yes', 'no' or the digits of a passkey", remedy: "answer the open question")
    private static let isOn = ControlField(
        "on", expected: "true or false", remedy: "say whether readings of this kind count")
    private static let room = ControlField(
        "room", expected: "1 to \(roomLength) characters", remedy: "name the room")

    /// - Parameter record: with a verb of an installer's act; nil for another verb.
    init?(_ record: ControlRecord) throws(ControlError) {
        let act: Act
        switch record.verb {
        case .deviceSetup: act = .deviceSetup
        case .scanDevices:
            let seconds = record.seconds ?? 60
            guard Self.scanSeconds.contains(seconds) else { throw Self.seconds.wrong(seconds) }
            act = .scan(seconds: seconds)
        case .pairDevice:
            act = .pair(
                NewWearable(
                    id: try Self.device.id(record.subject),
                    address: try Self.address.value(record.address) { DeviceAddress($0) },
                    person: try ControlField.person.id(record.person), isBonded: record.bond ?? true))
        case .addBroadcaster:
            var meanings: [(event: String, meaning: String)] = []
            for signal in record.signals ?? [] {
                let parts = signal.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { throw Self.signals.wrong(signal) }
                meanings.append((String(parts[0]), String(parts[1])))
            }
            act = .addBroadcaster(
                try NewBroadcaster(
                    id: try Self.device.id(record.subject),
                    address: try Self.address.value(record.address) { DeviceAddress($0) },
                    person: try ControlField.person.id(record.person), key: record.key, meanings: meanings))
        case .answerPairing:
            act = .answer(
                try Self.answer.value(record.answer) { text in
                    let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                    return ["yes", "no"].contains(text) || (1...16).contains(text.utf8.count) && isDigits
                        ? text : nil
                })
        case .stopSetup: act = .stopSetup
        case .trackDevice:
            let isOn = try Self.isOn.text(record.on)
            guard isOn || record.sos != true else {
                throw ControlError(
                    "sos: saw true with 'on' false, expected one of them: a kind that is off is no source for SOS; "
                        + "switch it on, or leave 'sos' out")
            }
            act = .track(
                Tracking(
                    device: try Self.device.id(record.subject),
                    kind: try ControlField.kind.value(record.kind) { QuantityKind(rawValue: $0) },
                    isOn: isOn, isSOSSource: record.sos))
        case .forgetDevice: act = .forget(try Self.device.id(record.subject))
        case .buzz: act = .buzz(try Self.device.id(record.subject))
        case .startCheck: act = .startCheck
        case .checkReport: act = .checkReport
        case .recentEvents: act = .events
        case .settings: act = .settings
        case .startWalk: act = .startWalk(try Self.device.id(record.subject))
        case .walkRoom:
            act = .walkRoom(
                try Self.room.value(record.room) { text in
                    let room = Shown.text(text, most: Self.roomLength)
                    return room.isEmpty || room != text ? nil : room
                })
        case .stopWalk: act = .stopWalk
        case .walk: act = .walk
        default: return nil
        }
        self.init(act, by: record.by)
    }

    func write(to record: inout ControlRecord) {
        record.by = caller.name
        switch act {
        case .scan(let seconds): record.seconds = seconds
        case .pair(let wearable):
            (record.subject, record.address) = (wearable.id.text, wearable.address.description)
            (record.person, record.bond) = (wearable.person.text, wearable.isBonded)
        case .addBroadcaster(let device):
            (record.subject, record.address) = (device.id.text, device.address.description)
            record.person = device.person.text
            record.key = device.key?.hexadecimal
            record.signals = SignalEvent.allCases.compactMap { event in
                device.meanings[event].map { "\(event.rawValue)=\($0.rawValue)" }
            }
        case .answer(let text): record.answer = text
        case .track(let tracking):
            (record.subject, record.kind) = (tracking.device.text, tracking.kind.rawValue)
            (record.on, record.sos) = (tracking.isOn, tracking.isSOSSource)
        case .forget(let device), .buzz(let device), .startWalk(let device): record.subject = device.text
        case .walkRoom(let room): record.room = room
        case .deviceSetup, .stopSetup, .startCheck, .checkReport, .events, .settings, .stopWalk, .walk: break
        }
    }
}
