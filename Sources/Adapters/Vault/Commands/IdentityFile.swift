/// The seed of the gateway's own key, in the state directory: made at the first start. Blocking I/O.
public struct IdentityFile: Sendable {
    /// Why there is no identity: what was seen and what is expected, with the file.
    public struct Unusable: Error, CustomStringConvertible, Sendable {
        public let description: String
        /// The disk gives none and takes none: nothing is known to be wrong with a key.
        public let isDisk: Bool
    }

    /// Where a key came from.
    public enum Origin: Sendable {
        case kept
        /// At the first start.
        case made
        /// One of the two files was damaged, and the other has the key.
        case restored(DiskFailure)
        /// Both are damaged or gone: this is another key.
        case renewed(DiskFailure)
    }

    public var path: String { files[0].path }
    /// Twice: another key is another gateway for everybody who has pinned this one.
    private let files: [CheckedFile]

    /// - Parameters:
    ///   - stateDirectory: absolute.
    ///   - marks: of this directory; nil for a reader that changes nothing.
    public init(stateDirectory: String, marks: StateMarks? = nil) {
        files = ["/identity.key", "/identity-copy.key"].map {
            CheckedFile(path: stateDirectory + $0, marks: marks)
        }
    }

    /// Nil where none was made yet, or none can be read.
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

    /// Reads the key, or makes one where there is none. A file that is damaged is set aside.
    ///
    /// - Returns: the 32 bytes, and where they came from.
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
            // A key that was put there by hand is the one that counts: the copy follows it.
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
        // One that was put back from a backup of an earlier version has no checksum.
        let content = try file.load { SecretFile.parse(Array($0)) != nil }
        guard let content else { return nil }
        guard let seed = SecretFile.parse(content) else { throw try file.damage("is no key") }
        try SecretFile.closeToOthers(file.path)
        return seed
    }
}
