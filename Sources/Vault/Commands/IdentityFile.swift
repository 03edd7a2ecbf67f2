/// The seed of the gateway's own key, in the state directory: made at the first start. Blocking I/O.
public struct IdentityFile: Sendable {
    /// Why there is no identity: what was seen and what is expected, with the file.
    public struct Unusable: Error, CustomStringConvertible, Sendable {
        public let description: String
        /// The disk gives none and takes none: nothing is known to be wrong with a key.
        public let isDisk: Bool
    }

    public let path: String

    /// - Parameter stateDirectory: absolute.
    public init(stateDirectory: String) {
        path = stateDirectory + "/identity.key"
    }

    /// Nil where none was made yet.
    public func loadIfAny() throws(Unusable) -> [UInt8]? {
        do throws(DiskFailure) {
            guard try DurableFile.exists(path) else { return nil }
        } catch {
            throw Unusable(description: error.description, isDisk: !error.isForbidden)
        }
        do throws(SecretFile.Unusable) {
            return try SecretFile.read(path, as: "the gateway's key")
        } catch {
            throw Unusable(description: error.description, isDisk: error.isDisk)
        }
    }

    /// - Returns: the 32 bytes, and whether they were made just now.
    public func load() throws(Unusable) -> (seed: [UInt8], isNew: Bool) {
        if let seed = try loadIfAny() { return (seed, false) }
        do {
            try SecretFile.make(path)
            return (try SecretFile.read(path, as: "the gateway's key"), true)
        } catch {
            throw Unusable(description: "\(error)", isDisk: true)
        }
    }
}
