public import Accounts
import GatewayModel
public import SQLDatabase

/// Notices of the stores for the other servers of a database.
public enum StoreNotices {
    /// A house was registered, or has another key.
    public static let houses = DatabaseNotice("houses")

    private static let pages = "end-pages"

    /// The open pages of a person have to be checked again: a link may have ended.
    static func endPages(of subject: HousePerson) -> DatabaseNotice {
        DatabaseNotice(pages, "\(subject.gateway) \(subject.person)")
    }

    /// Person of a notice that ends pages; nil for another notice.
    public static func pagesToEnd(_ notice: DatabaseNotice) -> HousePerson? {
        let words = notice.text.split(separator: " ").map(String.init)
        guard notice.topic == pages, words.count == 2, let gateway = GatewayID(words[0]),
            let person = PersonID(words[1])
        else { return nil }
        return HousePerson(gateway, person)
    }
}
