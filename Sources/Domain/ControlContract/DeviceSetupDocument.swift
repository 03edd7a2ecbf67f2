package import GatewayModel

/// State of the gateway's work on wearables: a scan, a pairing, an addition or a removal, one at a time.
package struct DeviceSetupDocument: FieldDocument, Hashable {
    package static var field: ControlFields.Name { "deviceSetup" }

    package enum Phase: String, Codable, Sendable {
        case idle, scanning, pairing, adding, forgetting
    }

    /// Adverts of a device that has no connection (BTHome).
    package struct Broadcast: Codable, Hashable, Sendable {
        /// Its bind key is needed.
        package let isEncrypted: Bool
        /// Name of a `SignalEvent`; nil where none was heard, or it is encrypted.
        package let event: String?
        /// Time since the newest advert, rounded down to 10 s.
        package let heardAgeMs: Int64

        package init(isEncrypted: Bool, event: SignalEvent?, heardAge: Duration) {
            (self.isEncrypted, self.event) = (isEncrypted, event?.rawValue)
            // A page changes with each new value.
            heardAgeMs = max(heardAge, .zero).wholeMilliseconds / 10_000 * 10_000
        }
    }

    /// Device that a scan has heard.
    package struct Found: Codable, Hashable, Sendable {
        package let address: String
        /// As the device calls itself, without control characters. It may be anything.
        package let name: String?
        /// In dBm; nil for a connected device, which does not advertise.
        package let signalDbm: Int?
        /// Services that the gateway knows, in English.
        package let services: [String]
        /// False where the services are known and the gateway can use none of them.
        package let isOfUse: Bool
        /// Wearable of the house with this address.
        package let knownAs: String?
        package let isConnected: Bool
        /// Nil for a device that is connected to.
        package let broadcast: Broadcast?

        package init(
            address: DeviceAddress, name: String?, signal: Int?, services: [String], isOfUse: Bool,
            knownAs: DeviceID?, isConnected: Bool, broadcast: Broadcast? = nil
        ) {
            self.broadcast = broadcast
            (self.address, signalDbm) = (address.description, signal)
            self.name = name.map { Shown.text($0) }.flatMap { $0.isEmpty ? nil : $0 }
            (self.services, self.isOfUse, self.knownAs) = (services, isOfUse, knownAs?.text)
            self.isConnected = isConnected
        }

        /// Bars of the signal, 0 to 4. Steps of 10 dB: below -90 dBm most packets are lost.
        package var bars: Int { Self.bars(of: signalDbm) }

        package static func bars(of signal: Int?) -> Int {
            guard let signal else { return 0 }
            return max(0, min(4, (signal + 100) / 10))
        }
    }

    /// Question of the device to the person who pairs it.
    package struct Question: Codable, Hashable, Sendable {
        package enum Kind: String, Codable, Sendable {
            /// Type the digits that the device shows.
            case passkey
            /// Type the PIN of an old device.
            case pin
            /// Do both show the same digits?
            case compare
        }

        package let kind: Kind
        /// Digits of `compare`.
        package let shown: String?

        package init(_ kind: Kind, shown: String? = nil) { (self.kind, self.shown) = (kind, shown) }
    }

    /// End of the last work.
    package struct Outcome: Codable, Hashable, Sendable {
        package let isDone: Bool
        /// Observation and remedy, in English.
        package let lines: [String]
        /// Wearable that was paired or added; nil for another end.
        package let device: String?

        package init(isDone: Bool, lines: [String], device: DeviceID? = nil) {
            (self.isDone, self.lines, self.device) = (isDone, lines, device?.text)
        }
    }

    package let phase: Phase
    /// The session that asks began the work. Only this session sees the questions and the outcome.
    package let isOwn: Bool
    /// Time until the scan ends by itself.
    package let leftMs: Int64?
    /// Wearable that is being paired, added or forgotten.
    package let device: String?
    package let found: [Found]
    package let question: Question?
    /// Digits to be typed at the device.
    package let passkey: String?
    package let outcome: Outcome?

    package init(
        phase: Phase, isOwn: Bool, left: Duration? = nil, device: DeviceID? = nil, found: [Found] = [],
        question: Question? = nil, passkey: String? = nil, outcome: Outcome? = nil
    ) {
        (self.phase, self.isOwn, self.device) = (phase, isOwn, device?.text)
        leftMs = left.map { max($0, .zero).wholeMilliseconds }
        (self.found, self.question, self.passkey, self.outcome) = (found, question, passkey, outcome)
    }
}

/// Use of one kind of reading of a wearable.
package struct KindUse: Codable, Hashable, Sendable {
    package enum Use: String, Codable, Sendable {
        /// Dropped: not judged, not kept, not sent.
        case off
        /// Kept and sent; no alarm rule of the person is about it.
        case kept
        case raisesAlarms = "raises-alarms"
        /// The settings name this wearable as the person's only source for alarms.
        case onlySource = "only-source"
        /// Kept and sent; another wearable is the source for alarms.
        case otherSource = "other-source"
    }

    package let kind: String
    package let use: Use
    /// The other wearable of `otherSource`.
    package let source: String?

    package init(_ kind: QuantityKind, _ use: Use, source: DeviceID? = nil) {
        (self.kind, self.use, self.source) = (kind.rawValue, use, source?.text)
    }
}
