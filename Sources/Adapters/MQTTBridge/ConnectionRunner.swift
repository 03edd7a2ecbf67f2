import GatewayModel
import RealTime

/// Connects through libmosquitto, in the calling process.
///
/// Made, used and dropped on one thread.
final class ConnectionRunner: Connector {
    let settings: BrokerSettings
    let subscriptions: [String]
    let host: any ConnectionHost
    private let will: () -> Publication?
    private let ask: @Sendable (BrokerEndpoint) -> NameLookup.Outcome
    /// Of all connections.
    private var faults = FaultCounts()
    /// One a broker at most, or a resolver that hangs would be given a thread with every attempt.
    private var lookups: [BrokerEndpoint: NameLookup] = [:]

    /// - Parameter will: asked before each attempt.
    init(
        settings: BrokerSettings, subscriptions: [String], host: any ConnectionHost,
        will: @escaping () -> Publication?,
        lookUp ask: @escaping @Sendable (BrokerEndpoint) -> NameLookup.Outcome = NameLookup.system
    ) {
        self.settings = settings
        self.subscriptions = subscriptions
        self.host = host
        self.will = will
        self.ask = ask
    }

    /// The library's client is freed on return.
    func attempt(_ broker: BrokerEndpoint, _ manner: BrokerConnection.Manner) -> Attempt {
        do throws(BrokerError) {
            let connection = try BrokerConnection(
                settings, to: broker, manner, will: manner.mayWill ? will() : nil)
            switch shakeHands(connection) {
            case .ended(let ending): return Attempt(ending: ending)
            case .connected(let greeting):
                let now = Clock.boot()
                return Attempt(
                    ending: ServedConnection(self, connection, greeting).serve(), connectedAt: now)
            }
        } catch {
            return Attempt(ending: .lost(error.description))
        }
    }

    func finish() {}

    /// The broker broke the protocol: reported at the first and at each tenfold.
    func note(_ fault: BrokerFault) {
        guard let count = faults.add(fault) else { return }
        host.report(.fault(fault, count: count))
    }

    /// The look-up of `broker` that goes on; a new one where none does.
    func lookup(_ broker: BrokerEndpoint) throws(SystemCallError) -> NameLookup {
        if let lookup = lookups[broker] { return lookup }
        let lookup = try NameLookup(of: broker, by: ask)
        lookups[broker] = lookup
        return lookup
    }

    func forgetLookup(of broker: BrokerEndpoint) {
        lookups[broker] = nil
    }
}
