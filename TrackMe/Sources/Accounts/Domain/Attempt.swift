import Crypto
import GatewayModel

/// Group of tries with a share of their own of the tries in a minute and of the processor. A flood in one lane leaves the
/// others open.
public enum AttemptLane: String, CaseIterable, Hashable, Sendable {
    /// Sign-ins of browsers that are not known to the account, and of names that nobody has.
    case strangers
    /// Sign-ins of known browsers, and tries of signed-in persons.
    case people
    /// Sign-ins of dispatchers and installers in browsers that are not known to the account.
    case workers
    /// Sign-ins of dispatchers and installers in known browsers, and their tries while they are signed in.
    case knownWorkers
    /// Registrations of persons and companies.
    case registrations
}

/// Tries that are counted together.
public struct AttemptCount: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// Sign-ins of a client address by passkeys that failed.
        case passkeyAddress
        /// Wrong tries for a name, of browsers that are not known to it.
        case name
        /// Wrong tries of a known browser, or of a signed-in account.
        case holder
        /// Wrong tries of a client address in a lane.
        case address
        /// Tries of a client address in a lane or of a holder, right ones as well: nobody fills a lane with an account of
        /// their own.
        case pace
        /// Tries in a lane, right ones as well. Each takes 40 ms of a core: a tenth of the core for a lane.
        case lane

        enum Success { case clear, refund, keep }

        /// Number of tries in `interval` from which on more are refused.
        public var most: Int {
            switch self {
            // Typing mistakes of a person, no dictionary.
            case .name, .holder: 8
            // Typing mistakes of several persons behind one address. Eight addresses and more are needed to fill a lane.
            case .address, .passkeyAddress: 20
            // A shift that begins behind one address.
            case .pace: 30
            case .lane: 150
            }
        }

        var interval: Duration {
            switch self {
            case .name, .holder, .address, .passkeyAddress: .seconds(900)
            case .pace, .lane: .seconds(60)
            }
        }

        var onSuccess: Success {
            switch self {
            case .name, .holder: .clear
            // A stranger's own account must not clear the tries with other names.
            case .address, .passkeyAddress: .refund
            case .pace, .lane: .keep
            }
        }

        /// Whether a result counts at all servers of a database. Counts of tries with any result belong to one server: they
        /// bound the work of its processor.
        public func isShared(isGood: Bool) -> Bool { isGood ? onSuccess == .clear : onSuccess != .keep }
    }

    public let kind: Kind
    /// Digest: a person may have typed something secret in the place of a name.
    public let digest: String

    public init(_ kind: Kind, digest: String) { (self.kind, self.digest) = (kind, digest) }

    init(_ kind: Kind, _ key: String) {
        self.init(kind, digest: Base64URL.encode(Array(SHA256.hash(data: Array(key.utf8)).prefix(16))))
    }
}

/// One try of a password, a code or a registration, and the counts that it belongs to.
public struct Attempt: Sendable {
    public let lane: AttemptLane
    /// Counts that refuse it when they are full.
    let bounds: [AttemptCount]
    /// Counts that it is added to.
    public let counts: [AttemptCount]

    private init(_ lane: AttemptLane, _ own: [AttemptCount], alsoIn others: [AttemptCount] = []) {
        let bounds = own + [AttemptCount(.lane, lane.rawValue)]
        self.init(lane, bounds: bounds, counts: bounds + others.filter { !bounds.contains($0) })
    }

    private init(_ lane: AttemptLane, bounds: [AttemptCount], counts: [AttemptCount]) {
        (self.lane, self.bounds, self.counts) = (lane, bounds, counts)
    }

    /// Sign-in of a browser that is not known to the name, as an ordinary account or as a name that nobody has.
    ///
    /// - Parameter client: nil if the server does not know the client's address.
    public static func stranger(_ user: String, from client: ClientAddress?) -> Attempt {
        Attempt(.strangers, [AttemptCount(.name, user)] + counts(of: client, in: .strangers))
    }

    /// Sign-in of a browser that is not known to the name, as a dispatcher or an installer.
    ///
    /// It adds to the counts of strangers, which do not refuse it. So strangers are refused at least as early, and a refusal
    /// does not tell that a name is a worker's.
    public static func worker(_ user: String, from client: ClientAddress?) -> Attempt {
        Attempt(
            .workers, [AttemptCount(.name, user)] + counts(of: client, in: .workers),
            alsoIn: stranger(user, from: client).counts)
    }

    /// Sign-in of a browser that is known to the account.
    public static func known(_ browser: BrowserID, to account: Account) -> Attempt {
        holder("browser:\(Base64URL.encode(browser.hash)):\(account.id)", of: account)
    }

    /// Try of a signed-in account.
    ///
    /// - Parameter purpose: kind of the secret, such as a password or the code of a box.
    public static func signedIn(_ account: Account, _ purpose: String) -> Attempt {
        holder("\(purpose):\(account.id)", of: account)
    }

    /// Sign-in by a passkey, of a browser that is not known to its account.
    ///
    /// Nobody guesses a signature, so no count of the name bounds it; and its check takes a small part of the time of a hash, so
    /// that no lane does. The lane says nothing: there is no hash.
    ///
    /// - Parameter client: nil if the server does not know the client's address.
    public static func passkey(from client: ClientAddress?) -> Attempt {
        let counts = client.map { [AttemptCount(.passkeyAddress, Base64URL.encode($0.bytes))] } ?? []
        return Attempt(.strangers, bounds: counts, counts: counts)
    }

    /// Registration of a person or a company.
    public static func registration(_ name: String, from client: ClientAddress?) -> Attempt {
        Attempt(
            .registrations,
            [AttemptCount(.name, "registration:\(name)")] + counts(of: client, in: .registrations))
    }

    private static func holder(_ key: String, of account: Account) -> Attempt {
        Attempt(
            account.role == .person ? .people : .knownWorkers,
            [AttemptCount(.holder, key), AttemptCount(.pace, "holder:\(key)")])
    }

    private static func counts(of client: ClientAddress?, in lane: AttemptLane) -> [AttemptCount] {
        guard let client else { return [] }
        let key = "\(lane.rawValue):\(Base64URL.encode(client.bytes))"
        return [AttemptCount(.address, key), AttemptCount(.pace, key)]
    }
}
