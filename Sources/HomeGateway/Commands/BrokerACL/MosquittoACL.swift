import Hub

/// The acl_file of mosquitto.conf(5).
enum MosquittoACL {
    /// What Mosquitto replaces by the name of the user who asks.
    private static let userName = "%u"

    /// - Parameter gateways: named one by one; without any, every user is the gateway of their name.
    static func lines(gateways: [BrokerUser], others: [BrokerUser]) -> [String] {
        let heading = ["# Topics that no line names are refused. Set allow_anonymous false."]
        let fleet =
            gateways.isEmpty
            ? ["# The fleet: each user is the gateway of that name."]
                + rights(of: .everyGateway(as: userName), "pattern") : []
        let named = (gateways + others).map { ["user \($0.name)"] + rights(of: $0, "topic") }
        return heading + ([fleet] + named).filter { !$0.isEmpty }.flatMap { [""] + $0 }
    }

    private static func rights(of user: BrokerUser, _ word: String) -> [String] {
        user.writes.map { "\(word) write \($0)" } + user.reads.map { "\(word) read \($0)" }
    }
}
