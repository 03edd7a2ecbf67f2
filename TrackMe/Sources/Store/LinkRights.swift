public import Accounts
import GatewayModel
public import SQLDatabase

/// Right of an account to act for a person, for the transactions of each capability that does something for the person.
public enum LinkRights {
    /// Condition of a row of `link`: its account may act for its person.
    public static let acts = "link.state = 'linked' AND link.role = 'acts'"

    /// - Throws: `StoreFault.notLinked` unless the account may act for the person.
    public static func requireActs(_ account: AccountID, for subject: HousePerson, _ db: Database) throws {
        let mayAct = try Bool.fetchOne(
            db,
            sql:
                "SELECT EXISTS (SELECT 1 FROM link WHERE account = ? AND gateway = ? AND person = ? AND \(acts))",
            arguments: [account.number, subject.gateway.text, subject.person.text])
        guard mayAct == true else { throw StoreFault.notLinked }
    }
}
