import GatewayModel

/// How one person's vital signs went in the last minutes, thinned, for whoever is called.
struct Trend: Hashable, Sendable {
    static let period = Duration.seconds(300)
    /// Between two readings of one kind and device that are kept: 60 of each at most.
    static let step = Duration.seconds(5)

    private struct Track: Hashable, Sendable {
        let device: DeviceID
        let kind: QuantityKind
        var readings: [Reading] = []
    }

    private var tracks: [Track] = []

    /// Of all kinds, by the instant of arrival.
    func readings(at now: BootInstant) -> [Reading] {
        tracks.flatMap(\.readings).filter { $0.arrival.boot.duration(to: now) <= Self.period }
            .sorted { $0.arrival.boot < $1.arrival.boot }
    }

    mutating func add(_ reading: Reading) {
        let found = tracks.firstIndex { $0.device == reading.device && $0.kind == reading.quantity.kind }
        guard let found else {
            tracks.append(Track(device: reading.device, kind: reading.quantity.kind, readings: [reading]))
            return
        }
        let now = reading.arrival.boot
        if let last = tracks[found].readings.last, last.arrival.boot.duration(to: now) < Self.step { return }
        tracks[found].readings.append(reading)
        let surplus = tracks[found].readings.prefix { $0.arrival.boot.duration(to: now) > Self.period }.count
        tracks[found].readings.removeFirst(surplus)
    }
}
