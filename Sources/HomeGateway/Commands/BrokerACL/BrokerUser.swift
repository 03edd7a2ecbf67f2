import Contract
import ControlSocket
import GatewayModel

/// A user at the broker, and which topics of the contract are theirs to write and to read.
///
/// Whoever connects under the name of a gateway is that gateway: user name, client id and gateway id are one.
struct BrokerUser: Hashable, Sendable {
    /// What a user of the broker may be called: the same as a gateway, as no topic and no pattern is hidden in it.
    struct Login: Name {
        let text: String
        init(checked text: String) { self.text = text }
    }

    let name: String
    /// Topic filters of MQTT. What none of them matches is refused.
    let writes: [String]
    let reads: [String]

    /// Its own topics, the retained status and the last will among them.
    static func gateway(_ id: GatewayID) -> BrokerUser {
        own(Topics(gateway: id), as: id.text)
    }

    /// Every gateway, in one rule: `name` is what the broker replaces by the name of whoever asks.
    static func everyGateway(as name: String) -> BrokerUser {
        own(.of(level: name), as: name)
    }

    /// Reads what all gateways say to the cloud, and writes nothing: what is for third parties is theirs alone.
    static func consumer(_ login: Login) -> BrokerUser {
        BrokerUser(name: login.text, writes: [], reads: Topics.of(level: "+").cloudFilters)
    }

    /// A third party: reads what persons granted it, in whatever house, and writes nothing.
    static func party(_ id: PartyID) -> BrokerUser {
        BrokerUser(name: id.text, writes: [], reads: [Topics.of(level: "+").partyFilter(id)])
    }

    /// Whoever signs commands: sends them to any gateway, reads how the boxes are and what they answer, and no reading
    /// of anyone.
    static func issuer(_ login: Login) -> BrokerUser {
        let all = Topics.of(level: "+")
        return BrokerUser(name: login.text, writes: [all.commands], reads: [all.status, all.receipts])
    }

    /// The service that takes calls for help: reads them and how the boxes are, no reading of anyone, and says
    /// who has accepted.
    static func emergencyService(_ login: Login) -> BrokerUser {
        let all = Topics.of(level: "+")
        return BrokerUser(
            name: login.text, writes: [all.acceptedFilter],
            reads: [all.status, all.callFilter, all.acceptedFilter])
    }

    private static func own(_ topics: Topics, as name: String) -> BrokerUser {
        BrokerUser(name: name, writes: topics.sentFilters, reads: topics.receivedFilters)
    }
}
