import FoundationEssentials
public import GatewayModel
public import SOSLocal

/// The alarms that are open, kept over a restart of the gateway or of the machine (T6).
///
/// One JSON file, replaced as a whole at every change. Its instants belong to the boot that it names.
public struct AlarmStateFile: Sendable {
    /// What an earlier run left behind.
    public struct Kept: Sendable {
        /// Of another boot, its instants are moved so that it was taken now.
        public let snapshot: SOSSnapshot
        public let absence: Absence
    }

    /// The file is there and cannot be understood.
    public struct Damaged: Error, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// What says how the rest is to be read.
    private struct Head: Codable {
        let boot: String
        let taken: BootInstant
    }

    private struct Content: Codable {
        let boot: String
        let taken: BootInstant
        let snapshot: SOSSnapshot
    }

    public let path: String
    private let boot: String

    /// - Parameters:
    ///   - path: absolute.
    ///   - boot: the id of this boot of the machine.
    public init(path: String, boot: String) {
        self.path = path
        self.boot = boot
    }

    /// Durable when it returns. Where nothing is open there is no file.
    public func save(_ snapshot: SOSSnapshot) throws(DiskFailure) {
        guard !snapshot.isEmpty else { return try DurableFile.remove(path) }
        let content = Content(boot: boot, taken: snapshot.taken, snapshot: snapshot)
        // Names, numbers and texts always encode.
        let bytes = (try? JSONEncoder().encode(content)).map { [UInt8]($0) } ?? []
        try DurableFile.replace(path, with: bytes)
    }

    /// Nil where nothing was open.
    ///
    /// Errors: `DiskFailure`; `Damaged`, after the file was put aside under another name.
    public func load(at now: Moment) throws -> Kept? {
        guard let bytes = try DurableFile.read(path) else { return nil }
        do {
            let decoder = JSONDecoder()
            let head = try decoder.decode(Head.self, from: Data(bytes))
            let isSameBoot = head.boot == boot
            if !isSameBoot, let shift = BootInstant.shift {
                decoder.userInfo[shift] = head.taken.duration(to: now.boot)
            }
            let content = try decoder.decode(Content.self, from: Data(bytes))
            guard !isSameBoot else { return Kept(snapshot: content.snapshot, absence: .known) }
            return Kept(snapshot: content.snapshot.withFixAged(at: now), absence: .unknown)
        } catch {
            let aside = path + ".damaged"
            try DurableFile.move(path, to: aside)
            throw Damaged(
                description: "\(path) cannot be understood (\(error)); an alarm that was open is not known any "
                    + "more; the file is kept as \(aside)")
        }
    }
}
