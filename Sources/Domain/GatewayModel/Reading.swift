/// Whether the sensor touches the body, as far as it says.
public enum SensorContact: String, Hashable, Codable, Sendable {
    case unknown, detected, lost
}

/// When a value was measured, by the device's own clock.
public struct DeviceTime: Hashable, Codable, Sendable {
    /// As the device wrote it, read as the gateway's local time; devices have no zone.
    public let wall: WallTime
    /// What has to be added to the device's clock to get the gateway's, where it could be compared.
    public let offset: Duration?

    public init(wall: WallTime, offset: Duration?) {
        self.wall = wall
        self.offset = offset
    }

    /// On the gateway's clock, as well as it is known.
    public var corrected: WallTime {
        WallTime(millisecondsSince1970: wall.millisecondsSince1970 + (offset?.wholeMilliseconds ?? 0))
    }
}

/// One measured value of one person from one wearable.
public struct Reading: Hashable, Codable, Sendable {
    /// Whether it tells how the person is now.
    public enum Currency: String, Hashable, Codable, Sendable {
        /// Measured as it arrived, or moments before.
        case live
        /// A record that the device had stored: it never raises an alarm.
        case history
        /// Sent unasked by a device whose clock tells nothing: measured as it arrived, unless others like it come
        /// right before or after it, as from a memory that is emptied.
        case undated
    }

    /// Whether another like it is to be expected before long.
    public enum Sampling: String, Hashable, Codable, Sendable {
        /// One of many that the device sends unasked while it is worn: that no more come tells something.
        case stream
        /// A measurement complete in itself, of a cuff or a thermometer: that no more come tells nothing.
        case spot
    }

    /// How a reading came to the gateway, where that is not its own radio.
    public enum Provenance: String, Hashable, Codable, Sendable {
        /// Another program handed it over. Its time is the program's, and it is not judged unless the settings say so.
        case app
    }

    public let id: MessageID
    public let person: PersonID
    /// The wearable, or the source of a program.
    public let device: DeviceID
    public let quantity: Quantity
    public let contact: SensorContact
    public let currency: Currency
    public let sampling: Sampling
    /// Nil for a device that gives no time.
    public let deviceTime: DeviceTime?
    /// When it reached the gateway.
    public let arrival: Moment
    /// Intervals between heart beats, in milliseconds, of the notification that gave this heart rate. Nil for other
    /// kinds, and where it gave none.
    public let intervals: [Double]?
    /// ID of the heart rate reading that has this interval among its `intervals`. Nil for other kinds, and where there is
    /// none.
    public let heartRate: MessageID?
    /// Nil for a reading of a wearable that the gateway itself received.
    public let provenance: Provenance?
    /// Nil where there are none, as in every reading that was stored before there were doubts.
    private let doubt: Doubts?

    /// When it was measured, where its person was named later than it arrived; nil elsewhere.
    private let measuredEarlier: WallTime?

    /// Reasons to doubt the value.
    public var doubts: Doubts { doubt ?? [] }

    public init(
        id: MessageID, person: PersonID, device: DeviceID, quantity: Quantity, contact: SensorContact,
        currency: Currency = .live, sampling: Sampling = .stream, deviceTime: DeviceTime? = nil,
        arrival: Moment, intervals: [Double]? = nil, heartRate: MessageID? = nil,
        provenance: Provenance? = nil, doubts: Doubts = []
    ) {
        self.id = id
        self.person = person
        self.device = device
        self.quantity = quantity
        self.contact = contact
        self.currency = currency
        self.sampling = sampling
        self.deviceTime = deviceTime
        self.arrival = arrival
        self.intervals = intervals
        self.heartRate = heartRate
        self.provenance = provenance
        doubt = doubts.isEmpty ? nil : doubts
        measuredEarlier = nil
    }

    private init(_ other: Reading, of person: PersonID, from arrival: Moment) {
        (id, self.person, device, quantity) = (other.id, person, other.device, other.quantity)
        (contact, currency, sampling) = (other.contact, other.currency, other.sampling)
        (deviceTime, self.arrival) = (other.deviceTime, arrival)
        (intervals, heartRate, provenance) = (other.intervals, other.heartRate, other.provenance)
        (doubt, measuredEarlier) = (other.doubt, other.measured)
    }

    /// The same measurement as one of this person. The rules judge it from `arrival` on; it keeps the time at which it
    /// was measured.
    public func of(_ person: PersonID, from arrival: Moment) -> Reading {
        Reading(self, of: person, from: arrival)
    }

    /// The sensor does not touch the skin, or no living person has the value. It is shown with that word, and is
    /// no sample: neither judged nor published.
    public var isDisowned: Bool { contact == .lost || !quantity.isPlausible }

    /// From the measurement to the naming of its person; zero where the person was known.
    public var namedAfter: Duration {
        guard let measuredEarlier else { return .zero }
        let waited = arrival.wall.millisecondsSince1970 - measuredEarlier.millisecondsSince1970
        return .milliseconds(max(waited, 0))
    }

    /// When the value was measured: the device's time for a stored record, the program's for a reading of a program, else the
    /// arrival.
    public var measured: WallTime {
        measuredEarlier
            ?? (currency == .history || provenance == .app
                ? deviceTime?.corrected ?? arrival.wall : arrival.wall)
    }
}

/// Form of the readings that a recipient gets: the broker, a third party.
public enum ReadingFormat: String, CaseIterable, Hashable, Codable, Sendable {
    /// The contract's own short objects.
    case samples
    /// HL7 FHIR R4 Observations.
    case fhir
}
