public import GatewayModel

/// Issuer of commands with its pinned keys and its rights.
public struct PinnedIssuer: Sendable {
    public let id: IssuerID
    /// In force: those of the file, but each that was rotated by the one that came in its place.
    public private(set) var keys: [PinnedKey]
    public let may: Set<CommandKind>
    /// Whether its acceptances of calls for help count.
    public let mayAccept: Bool
    /// Whether its statuses of an emergency desk count.
    public let hasDesk: Bool
    /// Runs that its commands about runs may be about; nil for every run.
    public let runs: Set<RunPattern>?
    /// The thumbprint of the file's key that each of `keys` stands for.
    private var roots: [String]

    /// A file has a key in force and one to come; more are a mistake.
    private static let mostKeys = 8

    public init(
        id: IssuerID, keys: [PinnedKey], may: Set<CommandKind>, mayAccept: Bool = true, hasDesk: Bool = false,
        runs: Set<RunPattern>? = nil
    ) {
        (self.id, self.keys, self.may, self.mayAccept, self.runs) = (id, keys, may, mayAccept, runs)
        self.hasDesk = hasDesk
        roots = keys.map(\.thumbprint)
    }

    /// The keys of a JWK set (RFC 7517 section 5), or of one JWK.
    public static func keys(in bytes: [UInt8]) async throws(PinnedKey.Fault) -> [PinnedKey] {
        let json: StrictJSON
        do throws(StrictJSON.Fault) {
            json = try StrictJSON(bytes)
        } catch {
            throw PinnedKey.Fault(description: "\(error), expected a JWK set as JSON")
        }
        guard case .object(let members) = json else {
            throw PinnedKey.Fault(description: "saw no object, expected a JWK set: {\"keys\": [ … ]}")
        }
        guard let list = members.first(where: { $0.name == "keys" })?.value else {
            return [try await PinnedKey(json)]
        }
        guard case .array(let elements) = list, (1...mostKeys).contains(elements.count) else {
            throw PinnedKey.Fault(description: "expected 1 to \(mostKeys) keys in \"keys\"")
        }
        var keys: [PinnedKey] = []
        for (number, element) in elements.enumerated() {
            do throws(PinnedKey.Fault) {
                keys.append(try await PinnedKey(element))
            } catch {
                throw PinnedKey.Fault(description: "key \(number + 1): \(error)")
            }
        }
        return keys
    }

    /// The first kid that two keys of `issuers` have: a command names its key by it, and by nothing else.
    public static func sharedKeyID(of issuers: [PinnedIssuer]) -> String? {
        var seen: Set<String> = []
        return issuers.flatMap(\.keys).first { !seen.insert($0.id).inserted }?.id
    }

    /// With the keys that have come in the place of those of the file, as long as these still stand there:
    /// removing a key from the file ends the key that it was rotated to.
    ///
    /// - Parameter successors: JWKs by the thumbprint of the file's key.
    public func rotated(by successors: [String: String]) async throws(PinnedKey.Fault) -> PinnedIssuer {
        var rotated = self
        for index in keys.indices {
            guard let jwk = successors[roots[index]] else { continue }
            rotated.keys[index] = try await PinnedKey(jwk: Array(jwk.utf8))
        }
        return rotated
    }

    /// Whether `key` is one of those in force or of the file, or bears the `kid` of one in force.
    public func hasUsed(_ key: PinnedKey) -> Bool {
        keys.contains { $0.id == key.id || $0.thumbprint == key.thumbprint } || roots.contains(key.thumbprint)
    }

    /// `key` comes in the place of `old`.
    /// - Returns: the thumbprint of the file's key that it stands for from now on; nil where `old` is none of
    ///   the keys in force.
    public mutating func rotate(_ old: PinnedKey, to key: PinnedKey) -> String? {
        guard let index = keys.firstIndex(where: { $0.thumbprint == old.thumbprint }) else { return nil }
        keys[index] = key
        return roots[index]
    }
}

extension StrictJSON.Fault: CustomStringConvertible {
    var description: String {
        switch self {
        case .malformed(let place, let expected): "at byte \(place): expected \(expected)"
        case .duplicate(let place): "at byte \(place): a member that is there already"
        }
    }
}
