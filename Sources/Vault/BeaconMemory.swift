import FoundationEssentials
public import GatewayModel

/// What is kept of one advertising wearable over restarts.
public struct BeaconMemory: Hashable, Sendable {
    public let device: DeviceID
    /// Of another device under the same id nothing of this counts.
    public let address: DeviceAddress
    /// Of the last encrypted frame that was believed: older ones are recordings.
    public var counter: UInt32?
    /// It has been heard to send at intervals, so that its silence means something from the start on.
    public var sendsRegularly: Bool

    public init(device: DeviceID, address: DeviceAddress, counter: UInt32? = nil, sendsRegularly: Bool = false)
    {
        self.device = device
        self.address = address
        self.counter = counter
        self.sendsRegularly = sendsRegularly
    }
}

/// The file of these, one JSON object a line, replaced as a whole. Blocking I/O: not for the SOS thread.
public struct BeaconMemories: Sendable {
    private struct Line: Codable {
        var device: String
        var address: String
        var counter: UInt32?
        var sendsRegularly: Bool
    }

    public let path: String

    /// - Parameter path: absolute.
    public init(path: String) {
        self.path = path
    }

    /// Durable when it returns; an empty list removes the file.
    public func save(_ memories: [BeaconMemory]) throws(DiskFailure) {
        guard !memories.isEmpty else { return try DurableFile.remove(path) }
        let lines = memories.flatMap { memory -> [UInt8] in
            let line = Line(
                device: memory.device.text, address: memory.address.description, counter: memory.counter,
                sendsRegularly: memory.sendsRegularly)
            // Strings, a number and a truth always encode.
            return [UInt8]((try? JSONEncoder().encode(line)) ?? Data()) + [UInt8(ascii: "\n")]
        }
        try DurableFile.replace(path, with: lines)
    }

    /// What was saved, and how many lines could not be read.
    public func load() throws(DiskFailure) -> (memories: [BeaconMemory], unreadable: Int) {
        let lines = try (DurableFile.read(path) ?? []).split(separator: UInt8(ascii: "\n"))
        let memories = lines.compactMap { Self.memory($0) }
        return (memories, lines.count - memories.count)
    }

    private static func memory(_ line: some Collection<UInt8>) -> BeaconMemory? {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)),
            let device = DeviceID(line.device), let address = DeviceAddress(line.address)
        else { return nil }
        return BeaconMemory(
            device: device, address: address, counter: line.counter, sendsRegularly: line.sendsRegularly)
    }
}
