import FoundationEssentials
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

/// The file of these, one JSON object a line, replaced as a whole. Blocking I/O: not for the SOS thread.
public struct BeaconMemories: Sendable {
    private struct Line: Codable {
        var device: String
        var address: String
        var counter: UInt32?
        var unproven: UInt32?
        var retired: UInt32?
        var sendsRegularly: Bool
    }

    public var path: String { file.path }
    private let file: CheckedFile

    /// - Parameters:
    ///   - path: absolute.
    ///   - marks: of its directory.
    public init(path: String, marks: StateMarks? = nil) {
        file = CheckedFile(path: path, marks: marks)
    }

    /// Durable when it returns; an empty list removes the file.
    public func save(_ memories: [BeaconMemory]) throws(DiskFailure) {
        guard !memories.isEmpty else { return try file.remove() }
        let lines = memories.flatMap { memory -> [UInt8] in
            let line = Line(
                device: memory.device.text, address: memory.address.description, counter: memory.counter,
                unproven: memory.unproven, retired: memory.retired, sendsRegularly: memory.sendsRegularly)
            // Strings, a number and a truth always encode.
            return [UInt8]((try? JSONEncoder().encode(line)) ?? Data()) + [UInt8(ascii: "\n")]
        }
        try file.save(lines)
    }

    /// What was saved, and how many lines could not be read.
    ///
    /// - Throws: `DiskFailure`; where it `isDamage`, the file was set aside.
    public func load() throws(DiskFailure) -> (memories: [BeaconMemory], unreadable: Int) {
        let lines = try (file.load() ?? []).split(separator: UInt8(ascii: "\n"))
        let memories = lines.compactMap { Self.memory($0) }
        return (memories, lines.count - memories.count)
    }

    private static func memory(_ line: some Collection<UInt8>) -> BeaconMemory? {
        guard let line = try? JSONReader.decode(Line.self, from: line, limit: DurableFile.largestLine),
            let device = DeviceID(line.device), let address = DeviceAddress(line.address)
        else { return nil }
        return BeaconMemory(
            device: device, address: address, counter: line.counter, unproven: line.unproven,
            retired: line.retired, sendsRegularly: line.sendsRegularly)
    }
}
