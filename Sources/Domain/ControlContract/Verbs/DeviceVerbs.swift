package import GatewayModel
package import WireFormats

// Each of them returns at once, and `buzz` within some seconds. The work goes on in the gateway, and the looks
// `DeviceSetup` and `Walk` show its state.

extension Verb {
    /// State of the scan or pairing. A session that asks keeps its work alive.
    package struct DeviceSetup: SharedVerb {
        package typealias Document = DeviceSetupDocument
        package static let verb = "device_setup"
        package static let rights = Rights.installers
        package var fields: ByCaller
        package init(_ fields: ByCaller) { self.fields = fields }
    }

    package struct ScanDevices: ControlAct {
        package typealias Document = DeviceSetupDocument
        package static let verb = "scan_devices"
        package static let rights = Rights.installers
        /// A scan is bounded: adverts of every neighbour wake bluetoothd and the gateway.
        private static let range = 5...120
        package let seconds: Int
        package var caller: Caller

        package init(seconds: Int? = nil, by caller: String? = nil) throws(ControlError) {
            self.seconds = try Self.field.number(seconds ?? 60, in: Self.range)
            self.caller = Caller(caller)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(seconds: try fields["seconds"], by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("seconds", seconds)
            try fields.put("by", caller.name)
        }

        private static let field = ControlField(
            "seconds", expected: "\(range.lowerBound) to \(range.upperBound)", remedy: "leave it out for 60 s")
    }

    /// Pairs a device and gives it to a person.
    package struct PairDevice: ControlAct {
        package typealias Document = DeviceSetupDocument
        package static let verb = "pair_device"
        package static let rights = Rights.installers
        package let id: DeviceID
        package let address: DeviceAddress
        package let person: PersonID
        /// False for a device that needs no bond: it is added without a pairing.
        package let isBonded: Bool
        package var caller: Caller

        package init(
            id: DeviceID, address: DeviceAddress, person: PersonID, isBonded: Bool = true,
            by caller: String? = nil
        ) {
            (self.id, self.address, self.person, self.isBonded) = (id, address, person, isBonded)
            self.caller = Caller(caller)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            self.init(
                id: try fields.wearable, address: try fields.address, person: try fields.person,
                isBonded: try fields["bond"] ?? true, by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", id.text)
            try fields.put("address", address.description)
            try fields.put("person", person.text)
            try fields.put("bond", isBonded)
            try fields.put("by", caller.name)
        }
    }

    /// Gives a device that only advertises (BTHome) to a person.
    package struct AddBroadcaster: ControlAct {
        package typealias Document = DeviceSetupDocument
        package static let verb = "add_broadcaster"
        package static let rights = Rights.installers
        package let id: DeviceID
        package let address: DeviceAddress
        package let person: PersonID
        /// Nil for a device with adverts in the clear.
        package let key: AES128Key?
        /// At least one.
        package let meanings: [SignalEvent: ButtonMeaning]
        package var caller: Caller

        /// - Parameters:
        ///   - key: 32 hexadecimal digits; nil or empty for none.
        ///   - meanings: names of events with the names of their meanings.
        /// Errors: the field that is missing or wrong. The key is never part of the text.
        package init(
            id: DeviceID, address: DeviceAddress, person: PersonID, key: String?,
            meanings: [(event: String, meaning: String)], by caller: String? = nil
        ) throws(ControlError) {
            (self.id, self.address, self.person) = (id, address, person)
            self.key = try Self.key(key ?? "")
            var known: [SignalEvent: ButtonMeaning] = [:]
            for (name, meaning) in meanings {
                guard let event = SignalEvent(rawValue: name), known[event] == nil,
                    let meaning = event.meanings.first(where: { $0.rawValue == meaning })
                else { throw Self.signals.wrong("\(name)=\(meaning)") }
                known[event] = meaning
            }
            guard !known.isEmpty else {
                throw ControlError(
                    "signals: missing, expected at least one event with its meaning: nothing else of the device calls for "
                        + "help; say what a press means, such as button=sos-button", .meaningMissing)
            }
            self.meanings = known
            self.caller = Caller(caller)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            let signals: [String] = try fields["signals"] ?? []
            let meanings = try signals.map { signal in
                let parts = signal.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { throw Self.signals.wrong(signal) }
                return (event: String(parts[0]), meaning: String(parts[1]))
            }
            try self.init(
                id: try fields.wearable, address: try fields.address, person: try fields.person,
                key: try fields["key"], meanings: meanings, by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", id.text)
            try fields.put("address", address.description)
            try fields.put("person", person.text)
            try fields.put("key", key?.hexadecimal)
            try fields.put(
                "signals",
                SignalEvent.allCases.compactMap { event in
                    meanings[event].map { "\(event.rawValue)=\($0.rawValue)" }
                })
            try fields.put("by", caller.name)
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

        private static let signals = ControlField(
            "signals",
            expected: "different events (" + SignalEvent.allCases.map(\.rawValue).joined(separator: ", ")
                + "), each with '=' and its meaning ("
                + ButtonMeaning.allCases.map(\.rawValue).joined(separator: ", ")
                + "; cancel and exercise for a press alone)",
            remedy: "write each as button=sos-button")
    }

    package struct AnswerPairing: ControlAct {
        package typealias Document = DeviceSetupDocument
        package static let verb = "answer_pairing"
        package static let rights = Rights.installers
        /// `yes`, `no`, or the digits that the device shows.
        package let answer: String
        package var caller: Caller

        package init(_ answer: String?, by caller: String? = nil) throws(ControlError) {
            self.answer = try Self.field.value(answer) { text in
                let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                return ["yes", "no"].contains(text) || (1...16).contains(text.utf8.count) && isDigits
                    ? text : nil
            }
            self.caller = Caller(caller)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(try fields["answer"], by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("answer", answer)
            try fields.put("by", caller.name)
        }

        private static let field = ControlField(
            "answer", expected: "'yes', 'no' or the digits of a passkey", remedy: "answer the open question")
    }

    package struct StopSetup: SharedVerb {
        package typealias Document = DeviceSetupDocument
        package static let verb = "stop_setup"
        package static let rights = Rights.installers
        package var fields: ByCaller
        package init(_ fields: ByCaller) { self.fields = fields }
    }

    /// Choice about one kind of reading of a device.
    package struct TrackDevice: ControlAct {
        package static let verb = "track_device"
        package static let rights = Rights.installers
        package let device: DeviceID
        package let kind: QuantityKind
        package let isOn: Bool
        /// Whether it is the person's only source of this kind for alarms; nil leaves the source as it is.
        package let isSOSSource: Bool?
        package var caller: Caller

        package init(
            device: DeviceID, kind: QuantityKind, isOn: Bool, isSOSSource: Bool? = nil,
            by caller: String? = nil
        ) {
            (self.device, self.kind, self.isOn, self.isSOSSource) = (device, kind, isOn, isSOSSource)
            self.caller = Caller(caller)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            let (isOn, sos): (Bool, Bool?) = (try Self.isOn.text(try fields["on"]), try fields["sos"])
            guard isOn || sos != true else {
                throw ControlError(
                    "sos: saw true with 'on' false, expected one of them: a kind that is off is no source for SOS; "
                        + "switch it on, or leave 'sos' out")
            }
            self.init(
                device: try fields.wearable, kind: try fields.kind, isOn: isOn, isSOSSource: sos,
                by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", device.text)
            try fields.put("kind", kind.rawValue)
            try fields.put("on", isOn)
            try fields.put("sos", isSOSSource)
            try fields.put("by", caller.name)
        }

        private static let isOn = ControlField(
            "on", expected: "true or false", remedy: "say whether readings of this kind count")
    }

    package struct ForgetDevice: SharedVerb {
        package typealias Document = DeviceSetupDocument
        package static let verb = "forget_device"
        package static let rights = Rights.installers
        package var fields: OnWearable
        package init(_ fields: OnWearable) { self.fields = fields }
    }

    /// Lets a wearable buzz for some seconds, so that it is found.
    package struct Buzz: SharedVerb {
        package static let verb = "buzz"
        package static let rights = Rights.personal.merging(.installers) { own, _ in own }
        package var fields: OnWearable
        package init(_ fields: OnWearable) { self.fields = fields }
    }

    /// Confirms that the battery of a broadcaster was changed.
    package struct ConfirmBattery: SharedVerb {
        package static let verb = "confirm_battery"
        package static let rights = Rights.installers
        package var fields: OnWearable
        package init(_ fields: OnWearable) { self.fields = fields }
    }

    /// Names the person of a measurement at a shared cuff or scale.
    package struct NameMeasurer: ControlAct {
        package static let verb = "name_measurer"
        package static let rights = Rights.byThePerson
        package let measurement: MessageID
        /// Nil: nobody of the house.
        package let person: PersonID?
        package var caller: Caller

        package init(measurement: String?, person: String?, by caller: String?) throws(ControlError) {
            self.measurement = try Self.field.value(measurement) { MessageID($0) }
            self.person = try ControlField.person.optionalID(person)
            self.caller = Caller(caller)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(
                measurement: try fields["subject"], person: try fields["person"], by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("subject", measurement.description)
            try fields.put("person", person?.text)
            try fields.put("by", caller.name)
        }

        package var scope: ControlScope { ControlScope(person: person) }

        private static let field = ControlField(
            "subject", expected: "the id of a measurement that waits",
            remedy: "see unnamed_measurements of follow")
    }

    /// Begins a walk with a wearable.
    package struct StartWalk: SharedVerb {
        package typealias Document = WalkDocument
        package static let verb = "start_walk"
        package static let rights = Rights.installers
        package var fields: OnWearable
        package init(_ fields: OnWearable) { self.fields = fields }
    }

    /// The walk goes on in this room.
    package struct WalkRoom: ControlAct {
        package typealias Document = WalkDocument
        package static let verb = "walk_room"
        package static let rights = Rights.installers
        /// Maximum number of characters of the name of a room.
        package static let length = 40
        package let room: String
        package var caller: Caller

        package init(_ room: String?, by caller: String? = nil) throws(ControlError) {
            self.room = try Self.field.value(room) { text in
                let room = Shown.text(text, most: Self.length)
                return room.isEmpty || room != text ? nil : room
            }
            self.caller = Caller(caller)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try ControlFields(decoder)
            try self.init(try fields["room"], by: try fields["by"])
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.fields()
            try fields.put("room", room)
            try fields.put("by", caller.name)
        }

        private static let field = ControlField(
            "room", expected: "1 to \(length) characters", remedy: "name the room")
    }

    package struct StopWalk: SharedVerb {
        package typealias Document = WalkDocument
        package static let verb = "stop_walk"
        package static let rights = Rights.installers
        package var fields: ByCaller
        package init(_ fields: ByCaller) { self.fields = fields }
    }

    package struct Walk: SharedVerb {
        package typealias Document = WalkDocument
        package static let verb = "walk"
        package static let rights = Rights.installers
        package var fields: ByCaller
        package init(_ fields: ByCaller) { self.fields = fields }
    }
}
