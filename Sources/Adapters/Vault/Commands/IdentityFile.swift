/// File with the seed of the gateway's own key, in the state directory. It is created at the first start. Blocking I/O.
public struct IdentityFile: Sendable {
    /// The identity cannot be used. The text names the file, the value that was seen and the expected one.
    public struct Unusable: Error, CustomStringConvertible, Sendable {
        public let description: String
        /// The disk cannot be read or written. The key itself is not known to be damaged.
        public let isDisk: Bool
    }

    /// Origin of a key.
    public enum Origin: Sendable {
        case kept
        /// Created at the first start.
        case made
        /// One of the two files was damaged, and the key was read from the other.
        case restored(DiskFailure)
        /// Both files are damaged or missing. This is a different key.
        case renewed(DiskFailure)
    }

    public var path: String { files[0].path }
    /// The file and its copy. With another key, this would be another gateway for every client that has pinned the
    /// present key.
    private let files: [CheckedFile]

    /// - Parameters:
    ///   - stateDirectory: absolute.
    ///   - marks: the marks of this directory; nil for a reader that writes nothing.
    public init(stateDirectory: String, marks: StateMarks? = nil) {
        files = ["/identity.key", "/identity-copy.key"].map {
            CheckedFile(path: stateDirectory + $0, marks: marks)
        }
    }

    /// Returns the seed; nil if it was not created yet or is unreadable.
    public func loadIfAny() throws(Unusable) -> [UInt8]? {
        do throws(DiskFailure) {
            for file in files {
                if let seed = try file.peek().flatMap({ SecretFile.parse($0) }) { return seed }
            }
            return nil
        } catch {
            throw Unusable(description: error.description, isDisk: !error.isForbidden)
        }
    }

    /// Reads the key, or creates one if there is none. Sets a damaged file aside.
    ///
    /// - Returns: the 32 bytes, and their origin.
    public func load() throws(Unusable) -> (seed: [UInt8], origin: Origin) {
        do throws(DiskFailure) {
            var (found, damage) = ([UInt8]?.none, DiskFailure?.none)
            for file in files {
                do throws(DiskFailure) {
                    let seed = try read(file)
                    found = found ?? seed
                } catch {
                    guard error.isDamage else { throw error }
                    damage = damage ?? error
                }
            }
            let seed = found ?? SecretFile.random()
            // A key that was installed by hand takes precedence: the copy follows it.
            for file in files {
                let kept = try read(file)
                if kept != seed { try file.save(SecretFile.text(of: seed)) }
            }
            guard let damage else { return (seed, found == nil ? .made : .kept) }
            return (seed, found == nil ? .renewed(damage) : .restored(damage))
        } catch {
            throw Unusable(description: error.description, isDisk: true)
        }
    }

    private func read(_ file: CheckedFile) throws(DiskFailure) -> [UInt8]? {
        // A file from a backup of an earlier version has no checksum.
        let content = try file.load { SecretFile.parse(Array($0)) != nil }
        guard let content else { return nil }
        guard let seed = SecretFile.parse(content) else { throw try file.damage("is no key") }
        try SecretFile.closeToOthers(file.path)
        return seed
    }
}
