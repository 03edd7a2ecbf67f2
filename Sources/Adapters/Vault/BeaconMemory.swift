public import GatewayModel
import JSONReading

/// What is kept of one advertising wearable over restarts.
public struct BeaconMemory: Hashable, Sendable {
    public let device: DeviceID
    /// Of another device under the same id nothing of this counts.
    public let address: DeviceAddress
    /// Of the last encrypted frame that was believed: older ones are recordings.
    public var counter: UInt32?
    /// Of the newest frame that a changed battery or a recording explains; nil where none came since.
    public var unproven: UInt32?
    /// The highest counter before a battery change that a person confirmed.
    public var retired: UInt32?
    /// It has been heard to send at intervals, so that its silence means something from the start on.
    public var sendsRegularly: Bool

    public init(
        device: DeviceID, address: DeviceAddress, counter: UInt32? = nil, unproven: UInt32? = nil,
        retired: UInt32? = nil, sendsRegularly: Bool = false
    ) {
        self.device = device
        self.address = address
        self.counter = counter
        (self.unproven, self.retired) = (unproven, retired)
        self.sendsRegularly = sendsRegularly
    }
}

/// The row of a wearable in `state.sqlite`, by its ID.
extension BeaconMemory {
    private struct Content: Codable {
        var device: String
        var address: String
        var counter: UInt32?
        var unproven: UInt32?
        var retired: UInt32?
        var sendsRegularly: Bool
    }

    public var change: StateChange {
        .put(
            .broadcaster, device.text,
            Content(
                device: device.text, address: address.description, counter: counter, unproven: unproven,
                retired: retired, sendsRegularly: sendsRegularly))
    }

    /// Nil where the row cannot be read.
    public init?(_ row: StateRow) {
        self.init(json: row.content)
    }

    init?(json: [UInt8]) {
        guard
            let content = try? JSONReader.decode(Content.self, from: json, limit: DurableFile.largestLine),
            let device = DeviceID(content.device), let address = DeviceAddress(content.address)
        else { return nil }
        self.init(
            device: device, address: address, counter: content.counter, unproven: content.unproven,
            retired: content.retired, sendsRegularly: content.sendsRegularly)
    }
}
